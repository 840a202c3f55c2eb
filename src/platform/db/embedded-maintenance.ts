import pg from 'pg';
import type { EmbeddedDatabase, EmbeddedOptions } from './open-embedded-database.js';

/**
 * Tables with enough dead or changed rows, by the thresholds a server's autovacuum uses. A vacuum
 * keeps the one thread for as long as its table is large: only rows that died are worth that,
 * changed ones only want new statistics.
 */
const WORN_TABLES = `
  select s.schemaname as schema, s.relname as name,
    s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0) as dead,
    pg_relation_size(c.oid) > 16 * 1024 * 1024 as large
  from pg_stat_user_tables s
  join pg_class c on c.oid = s.relid
  where s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
    or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
  order by s.n_dead_tup desc`;

/**
 * An index of ranges knows nothing of rows that came since its last summary: whoever asks for a week
 * would read all of them. Tables that only grow are never vacuumed, which would do it too.
 */
const SUMMARISE = `
  select brin_summarize_new_values(i.indexrelid)
  from pg_index i
  join pg_class c on c.oid = i.indexrelid
  join pg_am a on a.oid = c.relam
  where i.indrelid = $1::regclass and a.amname = 'brin'`;

/** What keeps the engine waits for a moment in which nobody else asks, but not for ever. */
const quietMs = 1000;

/**
 * The embedded engine has no checkpointer and no autovacuum: without this its log and its tables
 * grow for ever.
 */
export function startMaintenance(
  database: EmbeddedDatabase,
  options: EmbeddedOptions,
  onError: (error: Error) => void,
): () => void {
  let checkpointedAt = database.syncs();
  let running = false;
  const { checkpointEveryMs = 45_000, vacuumEveryMs = 60_000 } = options;
  const isQuiet = quietMoments(database, 15 * vacuumEveryMs);
  const mayCheckpoint = quietMoments(database, 5 * checkpointEveryMs);

  const every = (ms: number, work: () => Promise<void>): NodeJS.Timeout => {
    const timer = setInterval(() => {
      if (running) return;
      running = true;
      work()
        .catch(onError)
        .finally(() => void (running = false));
    }, ms);
    return timer.unref();
  };

  const timers = [
    every(checkpointEveryMs, async () => {
      if (database.syncs() === checkpointedAt || !(await mayCheckpoint())) return;
      await database.query('checkpoint');
      // The checkpoint syncs too; that must not count as new work.
      checkpointedAt = database.syncs();
    }),
    every(vacuumEveryMs, () => vacuumWornTables(database, isQuiet)),
  ];
  return () => timers.forEach((timer) => clearInterval(timer));
}

/** One table a turn, so that other statements get in between. */
export async function vacuumWornTables(
  database: EmbeddedDatabase,
  isQuiet: () => Promise<boolean> = async () => true,
): Promise<void> {
  // Counters of the last second may still be unpublished.
  await database.query('select pg_stat_force_next_flush()');
  for (const table of await database.query<{
    schema: string;
    name: string;
    dead: boolean;
    large: boolean;
  }>(WORN_TABLES)) {
    const name = `${pg.escapeIdentifier(table.schema)}.${pg.escapeIdentifier(table.name)}`;
    const mayTakeLong = !table.large || (await isQuiet());
    if (table.dead && mayTakeLong) await database.query(`vacuum ${name}`);
    await database.query(`analyze ${name}`);
    if (mayTakeLong) await database.query(SUMMARISE, [name]);
  }
}

/** Whether nobody else used the engine for a moment, or the work waited long enough. */
function quietMoments(database: EmbeddedDatabase, mostMs: number): () => Promise<boolean> {
  let waitsSince: number | null = null;
  return async () => {
    const before = database.asked();
    await new Promise((resolve) => setTimeout(resolve, quietMs).unref());
    const now = Date.now();
    waitsSince ??= now;
    if (database.asked() > before && now - waitsSince < mostMs) return false;
    waitsSince = null;
    return true;
  };
}
