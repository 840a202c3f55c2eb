// Appends events with many writers and reports every acknowledgement to the parent. Killed at
// random moments by bench/events.ts.
import { openStore } from '../../src/cli/open-store.js';
import { readConfig } from '../../src/config.js';
import { systemClock } from '../../src/platform/clock.js';
import { openEventLog } from '../../src/platform/events/open-event-log.js';
import type { EventRecord } from '../../src/platform/events/event.js';
import { createPartitions } from '../../src/platform/events/partitions.js';
import { createRecorders } from '../../src/platform/events/recorders.js';
import { createMintId } from '../../src/platform/ids.js';
import { silentLog } from '../../src/platform/log.js';
import { treeCpuMicros } from './tree-cpu.js';

const count = Number(process.argv[2]);
const writers = Number(process.argv[3]);
const tells = process.argv[4] !== 'silent';
const store = await openStore(readConfig(process.env));
const eventLog = await openEventLog(store.nodeDir, {
  db: store.db,
  partitions: createPartitions(store.db),
  recorders: createRecorders(),
  clock: systemClock,
  log: silentLog,
});
eventLog.start();
await eventLog.drain();
const mintId = createMintId();
const ids = Array.from({ length: 50 }, () => mintId(Date.now()));
const pick = (n: number): string => ids[n % ids.length] ?? '';
const users = 5000;

let next = 0;
let acknowledged: string[] = [];
const times: number[] = [];
const report = setInterval(() => {
  if (acknowledged.length === 0) return;
  process.send?.({ acknowledged });
  acknowledged = [];
}, 5);

async function write(): Promise<void> {
  while (next < count) {
    const n = next++;
    const event: EventRecord = {
      id: mintId(Date.now()),
      kind: n % 40 === 0 ? 'click' : 'impression',
      at: Date.now(),
      publisherId: pick(n % 5),
      advertiserId: pick(10 + (n % 5)),
      campaignId: pick(20 + (n % 10)),
      adGroupId: pick(30 + (n % 20)),
      adId: pick(30 + (n % 20)),
      placement: 'below_response',
      device: 'mobile',
      country: 'DE',
      userId: `u${(n * 7919) % users}`,
      spendMicros: 1000,
      revenueMicros: 700,
      budgetDay: '2026-11-15',
    };
    const started = performance.now();
    await eventLog.append([event]);
    times.push(performance.now() - started);
    if (tells) acknowledged.push(`${event.kind}:${event.id}`);
  }
}

/** Events a second brought into the database between two parts of all of them. */
function rateOf(from: number, to: number): number {
  const at = (part: number) =>
    applied.find(({ events }) => events >= part * count) ?? applied.at(-1);
  const [first, last] = [at(from), at(to)];
  if (first === undefined || last === undefined || last.ms === first.ms) return 0;
  return ((last.events - first.events) / (last.ms - first.ms)) * 1000;
}

process.send?.({ ready: true });
const databasePid = Number(process.env['BENCH_DATABASE_PID'] ?? 0);
const databaseCpu = (): number => (databasePid === 0 ? 0 : treeCpuMicros(databasePid));
const cpu = process.cpuUsage();
const databaseBefore = databaseCpu();
const started = performance.now();
/** How many were in the database when. */
const applied: { ms: number; events: number }[] = [{ ms: 0, events: 0 }];
const look = (): void =>
  void applied.push({ ms: performance.now() - started, events: eventLog.stats.flushed - flushed });
const flushed = eventLog.stats.flushed;
const looking = setInterval(look, 250);
const tell = (): void => {
  const seconds = Math.round((performance.now() - started) / 1000);
  const events = eventLog.stats.flushed - flushed;
  process.send?.({ reached: `${seconds} s: ${events} of ${count} applied` });
};
const telling = setInterval(tell, 30_000);
await Promise.all(Array.from({ length: writers }, write));
const acknowledgedMs = performance.now() - started;
await eventLog.drain();
const wallMs = performance.now() - started;
const used = process.cpuUsage(cpu);
clearInterval(report);
clearInterval(looking);
clearInterval(telling);
look();
times.sort((a, b) => a - b);
process.send?.({ acknowledged });
process.send?.({
  done: {
    perSecond: (count / wallMs) * 1000,
    acknowledgedPerSecond: (count / acknowledgedMs) * 1000,
    p50: times[Math.floor(count * 0.5)],
    p99: times[Math.floor(count * 0.99)],
    cpuMicros: (used.user + used.system + databaseCpu() - databaseBefore) / count,
    batches: eventLog.stats.batches,
    byFifth: [0, 1, 2, 3, 4].map((fifth) => rateOf(fifth / 5, (fifth + 1) / 5)),
  },
});
await eventLog.close();
await store.close();
process.disconnect();
