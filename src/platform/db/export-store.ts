import pg from 'pg';
import { writeDurably } from './backup.js';
import type { Db } from './db.js';

export interface ExportedColumn {
  name: string;
  type: string;
}

/**
 * Lines of an export: this header, then for each table its line and its rows as arrays of column
 * texts, then the end.
 */
export interface ExportHeader {
  format: 'sidelight-export';
  version: 1;
  migrations: { version: number; checksum: string }[];
  /** Made while running, so the migrations alone do not bring them back. */
  partitions: { name: string; parent: string; bound: string }[];
}

export interface ExportedTable {
  table: string;
  columns: ExportedColumn[];
}

export interface ExportEnd {
  end: true;
  rows: number;
}

export interface ExportOptions {
  /** The secret goes along sealed, so it does not go along open as well. */
  isSealed?: boolean;
}

const ROWS_A_FETCH = 2_000;

const TABLES = `
  select c.relname as "table",
    json_agg(
      json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by
        a.attnum
    ) as columns
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> 'schema_migrations'
  group by c.relname
  order by c.relname`;

const PARTITIONS = `
  select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_class c
  join pg_inherits i on i.inhrelid = c.oid
  join pg_class p on p.oid = i.inhparent
  where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind in ('r', 'p')
  order by c.oid`;

/** Every table that holds data of its own, with the columns an insert may name. */
export function exportedTables(db: Db): Promise<ExportedTable[]> {
  return db.query<ExportedTable>(TABLES);
}

/**
 * Writes everything in the store to a gzipped file of JSON lines that either engine can import.
 * Returns the number of rows.
 */
export async function exportStore(
  db: Db,
  file: string,
  { isSealed = false }: ExportOptions = {},
): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.script(`set transaction isolation level repeatable read, read only;
      set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local datestyle = 'ISO'; set local extra_float_digits = 3`);
    const count = { rows: 0 };
    await writeDurably(file, exportLines(tx, count, isSealed));
    return count.rows;
  });
}

async function* exportLines(
  tx: Db,
  count: { rows: number },
  isSealed: boolean,
): AsyncGenerator<string> {
  const migrations = await tx.query<{ version: number; checksum: string }>(
    'select version, checksum from schema_migrations order by version',
  );
  const partitions = await tx.query<{ name: string; parent: string; bound: string }>(PARTITIONS);
  yield line({
    format: 'sidelight-export',
    version: 1,
    migrations,
    partitions,
  } satisfies ExportHeader);
  for (const table of await exportedTables(tx)) {
    yield line(table);
    const left = isSealed && table.table === 'installation' ? `where name <> 'master_secret'` : '';
    yield* tableLines(tx, table, { count, left });
  }
  yield line({ end: true, rows: count.rows } satisfies ExportEnd);
}

/**
 * Texts and not JSON values, because only they come back exactly: a JSON null is not an SQL null.
 */
async function* tableLines(
  tx: Db,
  table: ExportedTable,
  { count, left }: { count: { rows: number }; left: string },
): AsyncGenerator<string> {
  const texts = table.columns.map(({ name }) => `${pg.escapeIdentifier(name)}::text`).join(', ');
  await tx.query(
    `declare export_rows no scroll cursor for select array_to_json(array[${texts}]::text[])::text as row from ${pg.escapeIdentifier(table.table)} ${left}`,
  );
  for (;;) {
    const rows = await tx.query<{ row: string }>(`fetch ${ROWS_A_FETCH} from export_rows`);
    if (rows.length === 0) break;
    count.rows += rows.length;
    // array_to_json puts no line break between elements, and escapes those within.
    yield rows.map(({ row }) => `${row}\n`).join('');
  }
  await tx.query('close export_rows');
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
