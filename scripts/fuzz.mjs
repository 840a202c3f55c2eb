// `npm run fuzz -- 100000 [seed]`: so many seeded requests over the whole OpenAPI document, as every
// kind of caller, on the embedded engine. Prints every answer of 500 and above with what was sent,
// and the longest `/health` had to wait on a real connection meanwhile.
import { createServer } from 'node:http';
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';

const count = Number(process.argv[2] ?? 10_000);
const seed = Number(process.argv[3] ?? 1);
await ensureInstalled('full');
await ensureBuilt();
const { buildTestApp } = await import('../build/test/support/test-app.js');
const { openEmbeddedTestDatabase } = await import('../build/test/support/test-database.js');
const { healthWait, runFuzz } = await import('../build/test/fuzz/run-fuzz.js');

const server = createServer();
const app = await buildTestApp(await openEmbeddedTestDatabase(), {
  serverFor: (handler) => server.on('request', handler),
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${server.address().port}`;
const started = Date.now();
let longest = 0;
let stopped = false;
const probing = (async () => {
  while (!stopped) {
    longest = Math.max(longest, await healthWait(address));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
})();
const { byStatus, failures } = await runFuzz(app, { seed, count });
stopped = true;
await probing;
for (const failure of failures.slice(0, 50)) process.stdout.write(`${JSON.stringify(failure)}\n`);
const statuses = [...byStatus].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`);
process.stdout.write(
  `${count} requests, seed ${seed}, ${Math.round((Date.now() - started) / 1000)} s\n${statuses.join('  ')}\n` +
    `${failures.length} answers of 500 and above; /health waited ${Math.round(longest)} ms at most\n`,
);
server.closeAllConnections();
server.close();
await app.close();
process.exit(failures.length === 0 && longest <= 250 ? 0 : 1);
