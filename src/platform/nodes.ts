import { holdsMoney } from './budgets/billing-sql.js';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock } from './clock.js';
import type { Db } from './db/db.js';
import { errorFields, type Log } from './log.js';

/**
 * This process among those that share the database. The number travels in tracking tokens; it is
 * not reused while a token of it can still be paid.
 */
export interface Node {
  readonly id: string;
  readonly number: number;
  /**
   * Those that ran from the same folder before and may have ended without giving back what they
   * held. They are gone: a folder has one process.
   */
  readonly predecessors: readonly number[];
  /** Nothing of them is left to do. */
  forgetPredecessors(): void;
  close(): Promise<void>;
}

const heartbeatMs = 5_000;

interface NodeOptions {
  db: Db;
  clock: Clock;
  log: Log;
  file: string;
  reuseAfterMs: number;
  /** Told to the others: only those that serve ads share budgets. */
  serves: boolean;
  stats: () => Record<string, unknown>;
}

/** `file` remembers, in the folder of this process, under which ids it ran. */
export async function joinNodes(options: NodeOptions): Promise<Node> {
  const { db, clock, log, file } = options;
  const id = randomUUID();
  const earlier = formerIds(file);
  // Before anything is held under the new id.
  writeFileSync(file, `${[...earlier, id].join('\n')}\n`);
  const number = await takeNumber(options, id);
  const predecessors = await formerNumbers(db, earlier);
  const timer = setInterval(() => {
    db.query(`update nodes set seen_at = $2, stats = $3::jsonb where id = $1`, [
      id,
      new Date(clock()),
      JSON.stringify({ ...options.stats(), serves: options.serves }),
    ]).catch((error: unknown) => log.warn(errorFields(error), 'heartbeat not stored'));
  }, heartbeatMs);
  timer.unref();
  return {
    id,
    number,
    predecessors,
    forgetPredecessors: () => writeFileSync(file, `${id}\n`),
    async close() {
      clearInterval(timer);
      // Those that stay may share what it had at once.
      await db
        .query(`update nodes set stats = stats || '{"serves": false}' where id = $1`, [id])
        .catch((error: unknown) => log.warn(errorFields(error), 'leaving not told'));
    },
  };
}

/** Under which ids processes ran from the folder of this file, but for those long gone. */
export function formerIds(file: string): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^[0-9a-f-]{36}$/.test(line));
}

export async function formerNumbers(db: Db, ids: readonly string[]): Promise<number[]> {
  const rows = await db.query<{ number: number }>(
    `select number from nodes where id = any($1::uuid[]) order by number`,
    [ids],
  );
  return rows.map((row) => row.number);
}

/** The lowest number nobody has; those of nodes long gone are free again. */
function takeNumber({ db, clock, reuseAfterMs, serves }: NodeOptions, id: string): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('sidelight.nodes'))`);
    await tx.query(
      `delete from nodes n
       where seen_at < $1
         and not ${holdsMoney('n.number')}`,
      [new Date(clock() - reuseAfterMs)],
    );
    const [row] = await tx.query<{ number: number }>(
      `insert into nodes (number, id, host, started_at, seen_at, stats)
       select (
           select min(candidate)
           from generate_series(1, 30000) candidate
           where not exists (select 1 from nodes where nodes.number = candidate)
         ), $1, $2, $3, $3, $4::jsonb
       returning number`,
      [id, hostname(), new Date(clock()), JSON.stringify({ serves: serves })],
    );
    if (row === undefined) throw new Error('no free node number');
    return row.number;
  });
}
