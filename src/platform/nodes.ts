import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from './clock.js';
import type { Db } from './db/db.js';
import { errorFields, type Log } from './log.js';

/** This process among those that share the database. The number travels in tracking tokens; it is not reused while a token of it can still be paid. */
export interface Node {
  readonly id: string;
  readonly number: number;
  close(): Promise<void>;
}

const heartbeatMs = 5_000;

export async function joinNodes(options: { db: Db; clock: Clock; log: Log; reuseAfterMs: number; stats: () => Record<string, unknown> }): Promise<Node> {
  const { db, clock, log } = options;
  const id = randomUUID();
  const number = await db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('sidelight.nodes'))`);
    await tx.query(`delete from nodes n where seen_at < $1 and not exists (select 1 from budget_holds h where h.node = n.number and h.held_micros > 0)`, [
      new Date(clock() - options.reuseAfterMs),
    ]);
    const [row] = await tx.query<{ number: number }>(
      `insert into nodes (number, id, host, started_at, seen_at)
       select (select min(candidate) from generate_series(1, 30000) candidate where not exists (select 1 from nodes where nodes.number = candidate)), $1, $2, $3, $3
       returning number`,
      [id, hostname(), new Date(clock())],
    );
    if (row === undefined) throw new Error('no free node number');
    return row.number;
  });
  const timer = setInterval(() => {
    db.query(`update nodes set seen_at = $2, stats = $3::jsonb where id = $1`, [id, new Date(clock()), JSON.stringify(options.stats())]).catch((error: unknown) =>
      log.warn(errorFields(error), 'heartbeat not stored'),
    );
  }, heartbeatMs);
  timer.unref();
  return {
    id,
    number,
    async close() {
      clearInterval(timer);
    },
  };
}
