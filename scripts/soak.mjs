// `npm run soak -- MINUTES [embedded|server] [PAUSE] [WORKERS]`: everyday life against the built server: ads,
// beacons and clicks, campaign edits, imports, key rotations and, on the embedded engine,
// midnights. Prints memory, disk and latency as they develop, and at the end whether everything
// acknowledged is stored and adds up. Four people rest PAUSE milliseconds between two requests
// (10), chores 50 times as long. WORKERS processes (1) answer them behind one port, on a server.
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';

const minutes = Number(process.argv[2] ?? 60);
const engine = process.argv[3] ?? 'embedded';
const pauseMs = Number(process.argv[4] ?? 10);
const workers = Number(process.argv[5] ?? 1);
const mostWorkers = engine === 'server' ? 64 : 1;
const isKnown = ['embedded', 'server'].includes(engine);
if (!(minutes > 0) || !isKnown || !(pauseMs >= 0) || !(workers >= 1 && workers <= mostWorkers)) {
  process.stderr.write('usage: npm run soak -- MINUTES [embedded|server] [PAUSE] [WORKERS]\n');
  process.exit(2);
}
await ensureInstalled('full');
await ensureBuilt();
const { soak } = await import('../build/test/faults/soak.js');
const line = (cells) => `${cells.map((cell) => String(cell).padEnd(11)).join('')}\n`;
process.stdout.write(
  line(['minute', 'day', 'requests', 'failed', 'median', '99 %', 'memory', 'disk']),
);
const { problems, acknowledged, stored, failures } = await soak(
  { minutes, engine, pauseMs, workers },
  (told) =>
    process.stdout.write(
      line([
        told.minute,
        told.day,
        told.requests,
        told.failed,
        `${told.medianMs} ms`,
        `${told.p99Ms} ms`,
        `${told.memoryMb ?? '?'} MB`,
        `${told.diskMb} MB`,
      ]),
    ),
);
if (failures !== '') process.stdout.write(`failed: ${failures}\n`);
for (const problem of problems) process.stdout.write(`WRONG: ${problem}\n`);
process.stdout.write(
  `${acknowledged} acknowledged, ${stored} stored, verify ${problems.length === 0 ? 'ok' : 'NOT OK'}\n`,
);
process.exit(problems.length === 0 ? 0 : 1);
