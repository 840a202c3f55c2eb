import type { Db } from '../db/db.js';
import { dayMs, utcDay } from '../../domain/time/utc-day.js';

/**
 * Days that have a table to go to. Creating one twice, also from two nodes at once, is harmless.
 */
export interface Partitions {
  ensure(days: Iterable<string>): Promise<void>;
  /** The database is another one: what it has is found out anew. */
  forget(): void;
}

export function createPartitions(db: Db): Partitions {
  const known = new Set<string>();
  return {
    async ensure(days) {
      for (const day of days) {
        if (known.has(day)) continue;
        await createPartition(db, day);
        known.add(day);
      }
    },
    forget: () => known.clear(),
  };
}

/**
 * The columns of `events` in the order in which a row is shortest: a number of eight bytes begins
 * at a multiple of eight, and what lies before it is filled up. Names find them in either order.
 */
const columnsPacked = `
  select string_agg(
      format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
        || case when a.attnotnull then ' not null' else '' end
        || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), ''),
      ', ' order by t.typlen < 0, array_position('{d,i,s,c}'::"char"[], t.typalign),
        t.typname in ('jsonb', 'bytea'), a.attnum
    ) as columns
  from pg_attribute a
  join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = 'events'::regclass and a.attnum > 0 and not a.attisdropped`;

async function createPartition(db: Db, day: string): Promise<void> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error(`not a day: ${day}`);
  const next = utcDay(Date.parse(`${day}T00:00:00Z`) + dayMs);
  const name = partitionName(day);
  await db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('sidelight.partitions'))`);
    const [there] = await tx.query(`select 1 where to_regclass($1) is not null`, [name]);
    if (there !== undefined) return;
    const [packed] = await tx.query<{ columns: string }>(columnsPacked);
    await tx.script(
      `create table ${name} (${packed?.columns});
       alter table events attach partition ${name} for values from ('${day}') to ('${next}')`,
    );
  });
}

/**
 * The least and the greatest of these days. Whoever looks events up by key gives both with the
 * statement: a day that comes from a row prunes nothing before the statement runs, and planning a
 * look-up in every day there is takes longer than the look-up.
 */
export function firstAndLast(days: readonly string[]): [string | null, string | null] {
  let [first, last] = [days[0] ?? null, days[0] ?? null];
  for (const day of days) {
    if (first === null || day < first) first = day;
    if (last === null || day > last) last = day;
  }
  return [first, last];
}

export function partitionName(day: string): string {
  return `events_${day.replaceAll('-', '')}`;
}

/** Drops whole days of raw events older than the limit. Totals stay. Returns the days dropped. */
export async function dropPartitionsBefore(db: Db, firstKeptDay: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select c.relname as name
     from pg_inherits i
     join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'events'::regclass and c.relname < $1
     order by 1`,
    [partitionName(firstKeptDay)],
  );
  for (const row of rows) await db.script(`drop table if exists ${row.name}`);
  if (rows.length > 0) {
    await db.query(
      `insert into installation (name, value)
       values ('events_kept_from', $1)
       on conflict (name) do update set value = greatest(installation.value, excluded.value),
         updated_at = now()`,
      [firstKeptDay],
    );
  }
  return rows.map((row) => row.name);
}

/**
 * Makes a day that is over quick to read by account, for exports. Not while it fills: two more
 * indexes on every insert would cost all events
 * what few exports need. Returns the partitions done.
 */
export async function indexPartitionsBefore(db: Db, firstOpenDay: string): Promise<string[]> {
  // A build that was interrupted leaves an index that is kept up and never used.
  const broken = await db.query<{ name: string }>(
    `select c.relname as name
     from pg_index x
     join pg_class c on c.oid = x.indexrelid
     where not x.indisvalid and c.relname ~ '^events_[0-9]{8}_(advertiser|publisher)$'`,
  );
  for (const row of broken)
    await db.script(`drop index if exists ${row.name}`, { unhurried: true });
  const rows = await db.query<{ name: string }>(
    `select c.relname as name
     from pg_inherits i
     join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'events'::regclass and c.relname ~ '^events_[0-9]{8}$' and c.relname < $1
       and to_regclass(c.relname || '_publisher') is null
     order by 1`,
    [partitionName(firstOpenDay)],
  );
  // Late clicks still come in: the server builds beside them, the embedded engine has one session
  // and cannot.
  const build =
    db.engine === 'server'
      ? 'create index concurrently if not exists'
      : 'create index if not exists';
  for (const { name } of rows)
    for (const account of ['advertiser', 'publisher'])
      await db.script(
        `${build} ${name}_${account} on ${name} (${account}_id, id)
          where ${account}_id is not null`,
        { unhurried: true },
      );
  return rows.map((row) => row.name);
}
