import pg from 'pg';
import type { EmbeddedDatabase, EmbeddedOptions } from './open-embedded-database.js';

/** Tables with enough dead or changed rows, by the thresholds a server's autovacuum uses. */
const WORN_TABLES = `
  select s.schemaname as schema, s.relname as name
  from pg_stat_user_tables s
  join pg_class c on c.oid = s.relid
  where s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
    or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
  order by s.n_dead_tup desc`;

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
    every(options.checkpointEveryMs ?? 45_000, async () => {
      if (database.syncs() === checkpointedAt) return;
      await database.query('checkpoint');
      // The checkpoint syncs too; that must not count as new work.
      checkpointedAt = database.syncs();
    }),
    every(options.vacuumEveryMs ?? 60_000, () => vacuumWornTables(database)),
  ];
  return () => timers.forEach((timer) => clearInterval(timer));
}

/** One table a turn, so that other statements get in between. */
export async function vacuumWornTables(database: EmbeddedDatabase): Promise<void> {
  // Counters of the last second may still be unpublished.
  await database.query('select pg_stat_force_next_flush()');
  for (const table of await database.query<{ schema: string; name: string }>(WORN_TABLES)) {
    await database.query(
      `vacuum (analyze) ${pg.escapeIdentifier(table.schema)}.${pg.escapeIdentifier(table.name)}`,
    );
  }
}
