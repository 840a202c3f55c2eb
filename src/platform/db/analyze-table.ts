import pg from 'pg';
import type { Db } from './db.js';

/**
 * Gathers statistics of a table now: after much was written to it, not when upkeep comes round.
 * Plans made without them read whole tables where a page would do.
 */
export async function analyzeTable(db: Db, table: string): Promise<void> {
  await db.query(`analyze ${pg.escapeIdentifier(table)}`);
}

/** Tables with rows and no statistics: what a migration or an import left. */
export async function analyzeNewTables(db: Db): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select c.relname as name
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind = 'r' and c.reltuples < 0
       and pg_relation_size(c.oid) > 0
     order by c.relname`,
  );
  for (const { name } of rows) await analyzeTable(db, name);
  return rows.map((row) => row.name);
}
