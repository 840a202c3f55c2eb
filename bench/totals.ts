// What each group of totals costs when a batch is applied, and what reading the wider table in its
// place would cost a report.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/cli/open-store.js';
import { readConfig } from '../src/config.js';
import type { Db } from '../src/platform/db/db.js';
import { uuidDay } from '../src/domain/uuid.js';
import { applyStatement } from '../src/platform/events/apply-statement.js';
import { batchParts, inOrder } from '../src/platform/events/batch-parts.js';
import type { EventRecord } from '../src/platform/events/event.js';
import { createPartitions } from '../src/platform/events/partitions.js';
import { createMintId } from '../src/platform/ids.js';
import { treeCpuMicros } from './support/tree-cpu.js';
import { withEngine } from './support/with-engine.js';

export const summary = 'which totals earn their place: CPU and log an event with and without them';

const quarterHours: string[] = ['campaign_totals', 'ad_group_totals', 'publisher_days'];
const wider: string[] = ['campaign_hours', 'ad_group_days', 'publisher_hours'];
const users: string[] = ['publisher_users', 'publisher_countries'];
const variants: readonly (readonly [string, readonly string[]])[] = [
  ['all totals', []],
  ['without hours and days (from quarter hours)', wider],
  ['without those by campaign and ad group (from totals)', quarterHours],
  ['without users', users],
  ['events alone', [...wider, ...quarterHours, ...users, 'totals', 'publisher_totals']],
];

/**
 * Arguments: events a variant and round (10000), batch (500), rounds (3), engine (embedded |
 * server).
 */
export async function run(args: readonly string[]): Promise<void> {
  const [count = 10_000, batch = 500, rounds = 3] = args.slice(0, 3).map(Number);
  const engine = args[3] === 'server' ? 'server' : 'embedded';
  await withEngine(engine, async (settings) => {
    const store = await openStore(
      readConfig({ DATA_DIR: mkdtempSync(join(tmpdir(), 'sidelight-bench-')), ...settings }),
    );
    const pid = Number(settings['BENCH_DATABASE_PID'] ?? 0);
    const cpu = (): number => {
      const { user, system } = process.cpuUsage();
      return user + system + (pid === 0 ? 0 : treeCpuMicros(pid));
    };
    const mintId = createMintId();
    await createPartitions(store.db).ensure([uuidDay(mintId(Date.now()))]);
    const costs = variants.map(() => ({ cpu: [] as number[], wal: [] as number[] }));
    const next = makeEvents(mintId);
    // In turns, so that a busy moment of the machine meets all of them.
    for (let round = 0; round <= rounds; round += 1)
      for (const [at, [, without]] of variants.entries()) {
        const [cpuBefore, walBefore] = [cpu(), await walOf(store.db)];
        for (let n = 0; n < count; n += batch) await apply(store.db, next(batch), without);
        // The first round plans and compiles.
        if (round === 0) continue;
        costs[at]?.cpu.push((cpu() - cpuBefore) / count);
        costs[at]?.wal.push(((await walOf(store.db)) - walBefore) / count);
      }
    process.stdout.write(`\n${engine} engine, batches of ${batch}, medians of ${rounds} rounds\n`);
    for (const [at, [name]] of variants.entries())
      process.stdout.write(
        `  ${name}: ${median(costs[at]?.cpu ?? []).toFixed(0)} µs CPU and ${median(costs[at]?.wal ?? []).toFixed(0)} bytes of log an event\n`,
      );
    await store.close();
  });
}

async function apply(
  db: Db,
  events: readonly EventRecord[],
  without: readonly string[],
): Promise<void> {
  const all = inOrder(await batchParts(events, new Map()));
  const parts = all.filter(({ name }) => !without.includes(name));
  await db.query(
    applyStatement(parts.map(({ name }) => name)),
    parts.flatMap(({ values }) => values),
  );
}

async function walOf(db: Db): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as bytes`,
  );
  return row?.bytes ?? 0;
}

function makeEvents(mintId: (at: number) => string): (count: number) => EventRecord[] {
  const ids = Array.from({ length: 50 }, () => mintId(Date.now()));
  let n = 0;
  return (count) =>
    Array.from({ length: count }, (): EventRecord => {
      n += 1;
      return {
        id: mintId(Date.now()),
        kind: n % 40 === 0 ? 'click' : 'impression',
        at: Date.now(),
        publisherId: ids[n % 5] ?? null,
        advertiserId: ids[10 + (n % 5)] ?? null,
        campaignId: ids[20 + (n % 10)] ?? null,
        adGroupId: ids[30 + (n % 20)] ?? null,
        adId: ids[30 + (n % 20)] ?? null,
        placement: 'below_response',
        device: 'mobile',
        country: 'DE',
        userId: `u${(n * 7919) % 5000}`,
        spendMicros: 1000,
        revenueMicros: 700,
      };
    });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
