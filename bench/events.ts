import { fork } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/cli/open-store.js';
import { readConfig } from '../src/config.js';
import { systemClock } from '../src/platform/clock.js';
import { openEventLog } from '../src/platform/events/open-event-log.js';
import { createPartitions } from '../src/platform/events/partitions.js';
import { createRecorders } from '../src/platform/events/recorders.js';
import { verifyTotals } from '../src/platform/events/verify-totals.js';
import type { Db } from '../src/platform/db/db.js';
import { silentLog } from '../src/platform/log.js';
import { startPostgresServer } from '../test/support/postgres-server.js';

export const summary =
  'durable appends: events/s applied, p99 of the acknowledgement, CPU per event, database included; kill -9 loses and doubles nothing';

interface Done {
  /** Until all of them were in the database. */
  perSecond: number;
  acknowledgedPerSecond: number;
  p50: number;
  p99: number;
  cpuMicros: number;
  batches: number;
  /** Events a second applied in each fifth of the run: whether it stays flat as the day grows. */
  byFifth: number[];
}

/** Arguments: events (200000), writers (64), kills (20), engine (both | embedded | server). */
export async function run(args: readonly string[]): Promise<void> {
  const [events = 200_000, writers = 64, kills = 20] = args.slice(0, 3).map(Number);
  const engine = args[3] ?? 'both';
  if (engine !== 'server') await measure('embedded', {}, events, writers, kills);
  if (engine === 'embedded') return;
  const server = await startPostgresServer({ durable: true });
  try {
    await measure(
      'server',
      { DATABASE_URL: server.url, BENCH_DATABASE_PID: String(server.pid) },
      events,
      writers,
      kills,
    );
  } finally {
    await server.stop();
  }
}

async function measure(
  name: string,
  settings: Record<string, string>,
  events: number,
  writers: number,
  kills: number,
): Promise<void> {
  const environment = { DATA_DIR: mkdtempSync(join(tmpdir(), 'sidelight-bench-')), ...settings };
  const acknowledged = new Set<string>();
  for (let round = 0; round < kills; round += 1)
    await writeUntilKilled(
      environment,
      Math.ceil(events / 4),
      writers,
      300 + 137 * round,
      acknowledged,
    );
  const killed = acknowledged.size;
  const { done } = await write(environment, events, writers, kills > 0 ? acknowledged : null);
  process.stdout.write(
    `\n${name} engine: ${events} events, ${writers} writers: ${Math.round(done.perSecond)} events/s applied, ${Math.round(done.acknowledgedPerSecond)} acknowledged, p50 ${done.p50.toFixed(1)} ms, p99 ${done.p99.toFixed(1)} ms, ${done.cpuMicros.toFixed(0)} µs CPU an event, database included, ${done.batches} batches\n` +
      `  by fifths of the run: ${done.byFifth.map(Math.round).join(', ')} events/s applied\n`,
  );
  const store = await openStore(readConfig(environment));
  const eventLog = await openEventLog(store.nodeDir, {
    db: store.db,
    partitions: createPartitions(store.db),
    recorders: createRecorders(),
    clock: systemClock,
    log: silentLog,
  });
  eventLog.start();
  await eventLog.drain();
  const found =
    kills > 0
      ? `kill -9 ${kills} times: ${killed} acknowledged before the last kill; ${await compare(store.db, acknowledged)}`
      : `${await countEvents(store.db)} of ${events} events stored`;
  const report = await verifyTotals(store.db);
  process.stdout.write(`  ${found}; totals ${report.isClean ? 'equal the events' : 'DIFFER'}\n`);
  await eventLog.close();
  await store.close();
}

async function compare(db: Db, acknowledged: ReadonlySet<string>): Promise<string> {
  const rows = await db.query<{ key: string }>(`select kind || ':' || id as key from events`);
  const stored = new Set(rows.map((row) => row.key));
  const lost = [...acknowledged].filter((key) => !stored.has(key)).length;
  return `of ${acknowledged.size} acknowledged ${lost} lost; ${rows.length - stored.size} doubled`;
}

/** Events have one key each, so as many rows as were acknowledged are all of them, once. */
async function countEvents(db: Db): Promise<number> {
  const rows = await db.query<{ events: number }>(`select count(*)::int as events from events`);
  return rows[0]?.events ?? 0;
}

/** Of a run of millions nobody is told which were acknowledged: `acknowledged` is null. */
function start(
  environment: Record<string, string>,
  events: number,
  writers: number,
  acknowledged: Set<string> | null,
) {
  const child = fork(
    new URL('./support/event-writer.js', import.meta.url),
    [String(events), String(writers), acknowledged === null ? 'silent' : 'tell'],
    { env: { ...process.env, ...environment } },
  );
  child.on('message', (message: { acknowledged?: string[]; reached?: string }) => {
    for (const key of message.acknowledged ?? []) acknowledged?.add(key);
    if (message.reached !== undefined) process.stderr.write(`${message.reached}\n`);
  });
  return child;
}

function writeUntilKilled(
  environment: Record<string, string>,
  events: number,
  writers: number,
  afterMs: number,
  acknowledged: Set<string>,
): Promise<void> {
  const child = start(environment, events, writers, acknowledged);
  child.on('message', (message: { ready?: boolean }) => {
    if (message.ready === true) setTimeout(() => child.kill('SIGKILL'), afterMs);
  });
  return new Promise((resolve) => child.on('exit', () => resolve()));
}

function write(
  environment: Record<string, string>,
  events: number,
  writers: number,
  acknowledged: Set<string> | null,
): Promise<{ done: Done }> {
  const child = start(environment, events, writers, acknowledged);
  return new Promise((resolve, reject) => {
    let done: Done | null = null;
    child.on('message', (message: { done?: Done }) => void (done = message.done ?? done));
    child.on('exit', (code) =>
      done === null ? reject(new Error(`writer ended with ${code}`)) : resolve({ done }),
    );
  });
}
