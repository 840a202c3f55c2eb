// One engine in a process of its own: how long it takes to start, what an event costs, what it
// holds in memory. It waits to be killed when it is done.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/cli/open-store.js';
import { readConfig } from '../../src/config.js';
import { uuidDay } from '../../src/domain/uuid.js';
import { prepareEvents } from '../../src/platform/events/apply-events.js';
import type { EventRecord } from '../../src/platform/events/event.js';
import { createPartitions } from '../../src/platform/events/partitions.js';
import { createServedAds } from '../../src/platform/events/served-ads.js';
import { createMintId } from '../../src/platform/ids.js';
import { startPostgresServer } from '../../test/support/postgres-server.js';
import { memoryOfTree, treeCpuMicros } from './tree-cpu.js';

const [engine = 'embedded', wanted = '20000'] = process.argv.slice(2);
const started = performance.now();
const server = engine === 'server' ? await startPostgresServer({ durable: true }) : null;
const store = await openStore(
  readConfig({
    DATA_DIR: mkdtempSync(join(tmpdir(), 'sidelight-engine-')),
    ...(server === null ? {} : { DATABASE_URL: server.url }),
  }),
);
const startMs = performance.now() - started;
const { db } = store;
const mintId = createMintId();
await createPartitions(db).ensure([uuidDay(mintId(Date.now()))]);
const ads = createServedAds(db);
const ids = Array.from({ length: 50 }, () => mintId(Date.now()));
const batch = (from: number): EventRecord[] =>
  Array.from({ length: 500 }, (_, at): EventRecord => {
    const n = from + at;
    return {
      id: mintId(Date.now()),
      kind: n % 2 === 0 ? 'win' : 'request',
      at: Date.now(),
      publisherId: ids[n % 5] ?? null,
      ...(n % 2 === 0
        ? {
            advertiserId: ids[10 + (n % 5)] ?? null,
            campaignId: ids[20 + (n % 10)] ?? null,
            adGroupId: ids[30 + (n % 20)] ?? null,
            adId: ids[30 + (n % 20)] ?? null,
          }
        : {}),
      placement: 'below_response',
      country: 'DE',
      userId: `u${(n * 7919) % 5000}`,
    };
  });
const cpu = (): number => treeCpuMicros(process.pid);
const times: number[] = [];
let before = cpu();
let counted = 0;
for (let n = 0; n < Number(wanted); n += 500) {
  // The first ones plan and compile.
  if (n === 2500) [before, counted] = [cpu(), 0];
  const begun = performance.now();
  await (await prepareEvents(db, ads, { events: batch(n), rows: [] })).write(null);
  if (n >= 2500) times.push(performance.now() - begun);
  counted += 500;
}
times.sort((a, b) => a - b);
process.send?.({
  startMs,
  cpuMicros: (cpu() - before) / counted,
  batchMs: times[times.length >> 1] ?? 0,
  longestMs: times.at(-1) ?? 0,
  memory: memoryOfTree(process.pid),
  databasePid: server?.pid ?? null,
});
// Until it is killed.
setInterval(() => undefined, 1000);
