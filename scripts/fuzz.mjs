// `npm run fuzz -- 100000 [seed] [log]`: so many seeded requests over the whole OpenAPI document,
// as every kind of caller, against the built server on the embedded engine. Prints every answer
// that is a fault with what was sent, the slowest ones, and the longest `/health` had to wait
// meanwhile.
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';

const count = Number(process.argv[2] ?? 10_000);
const seed = Number(process.argv[3] ?? 1);
const showsLog = process.argv[4] === 'log';
const allowedWaitMs = 250;
await ensureInstalled('full');
await ensureBuilt();
const { runFuzz } = await import('../build/bench/fuzz/run-fuzz.js');
const { startBuiltServer } = await import('../build/bench/support/built-server.js');
const { watchHealth } = await import('../build/bench/support/watch-health.js');

const server = await startBuiltServer({});
const started = Date.now();
const document = JSON.parse((await server.send('/openapi.json')).body);
const showProgress = (sent) => {
  const seconds = Math.round((Date.now() - started) / 1000);
  process.stderr.write(`  ${sent} of ${count} sent, ${seconds} s\n`);
};
const { result, asked, p99, longest } = await watchHealth(server, () =>
  runFuzz(
    {
      document,
      adminToken: server.adminToken,
      send: ({ method, url, payload }, headers) => server.send(url, { method, payload, headers }),
    },
    { seed, count, together: 4, onProgress: showProgress },
  ),
);
const { byStatus, failures, slowest } = result;
const brief = ({ status, caller, method, url, payload, ms }) =>
  `${status} ${Math.round(ms)} ms ${caller} ${method} ${url.slice(0, 200)} ${(payload ?? '').slice(0, 300)}`;
for (const failure of failures.slice(0, 50)) process.stdout.write(`FAULT ${brief(failure)}\n`);
for (const slow of slowest.slice(0, 8)) process.stdout.write(`slow  ${brief(slow)}\n`);
if (failures.length > 0 || showsLog) process.stdout.write(`${server.log(80)}\n`);
const statuses = [...byStatus].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`);
process.stdout.write(
  `${count} requests, seed ${seed}, ${Math.round((Date.now() - started) / 1000)} s\n` +
    `${statuses.join('  ')}\n${failures.length} faults; ` +
    `/health, asked ${asked} times, waited ${p99} ms (99 %), ${longest} ms at most\n`,
);
await server.stop();
process.exit(failures.length === 0 && longest <= allowedWaitMs ? 0 : 1);
