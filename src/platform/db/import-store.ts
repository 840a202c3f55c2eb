import pg from 'pg';
import type { Db } from './db.js';
import {
  type ExportedTable,
  type ExportEnd,
  type ExportHeader,
  exportedTables,
} from './export-store.js';
import { exportLines } from './export-lines.js';
import { StoreNotEmpty } from './store-not-empty.js';

export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}

const ROWS_AN_INSERT = 1_000;
const BYTES_AN_INSERT = 4_000_000;

const FOREIGN_KEYS = `
  select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  where c.relnamespace = 'public'::regnamespace and k.contype = 'f' and k.conparentid = 0
  order by c.relname, k.conname`;

const IDENTITIES = `
  select c.relname as table, a.attname as column,
    pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
    and not a.attisdropped and pg_get_serial_sequence(quote_ident(c.relname), a.attname) is not null`;

/** Fills an empty, migrated store from an export, all or nothing. Returns the number of rows. */
export async function importStore(db: Db, file: string): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.script(
      'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    );
    await refuseUnlessEmpty(tx);
    const keys = await tx.query<{ table: string; name: string; definition: string }>(FOREIGN_KEYS);
    // Rows come table by table, whatever points where; putting the keys back checks them all.
    for (const key of keys)
      await tx.query(
        `alter table ${pg.escapeIdentifier(key.table)} drop constraint ${pg.escapeIdentifier(key.name)}`,
      );
    const rows = await importLines(tx, file);
    for (const key of keys)
      await tx.query(
        `alter table ${pg.escapeIdentifier(key.table)} add constraint ${pg.escapeIdentifier(key.name)} ${key.definition}`,
      );
    await continueIdentities(tx);
    return rows;
  });
}

async function refuseUnlessEmpty(tx: Db): Promise<void> {
  for (const { table } of await exportedTables(tx)) {
    const [row] = await tx.query(`select from ${pg.escapeIdentifier(table)} limit 1`);
    if (row)
      throw new StoreNotEmpty(
        `the store already has data (table ${table}); import needs an empty one`,
      );
  }
}

async function importLines(tx: Db, file: string): Promise<number> {
  const lines = exportLines(file);
  const next = async (): Promise<string | undefined> => {
    const { value, done } = await lines.next().catch((cause: unknown) => {
      throw new ImportRefused(
        `${file} is not a whole export: ${cause instanceof Error ? cause.message : String(cause)}`,
        { cause },
      );
    });
    return done === true ? undefined : value;
  };

  await prepare(tx, await next());
  const target = new Map((await exportedTables(tx)).map((table) => [table.table, table]));
  let insert: TableInsert | undefined;
  let rows = 0;
  for (let text = await next(); text !== undefined; text = await next()) {
    if (text.startsWith('[')) {
      if (!insert) throw new ImportRefused('rows come before their table');
      rows += 1;
      await insert.add(text);
      continue;
    }
    await insert?.flush();
    const mark = parseMark(text);
    if ('end' in mark) {
      if (mark.rows !== rows)
        throw new ImportRefused(`the export should hold ${mark.rows} rows, but ${rows} came`);
      // A checksum at the very end covers all of it.
      while ((await next()) !== undefined);
      return rows;
    }
    insert = tableInsert(tx, mark, target.get(mark.table));
  }
  throw new ImportRefused('the export ends too early');
}

async function prepare(tx: Db, first: string | undefined): Promise<void> {
  const header = parseHeader(first);
  const ours = await tx.query<{ version: number; checksum: string }>(
    'select version, checksum from schema_migrations order by version',
  );
  if (JSON.stringify(ours) !== JSON.stringify(header.migrations)) {
    throw new ImportRefused(
      `the export comes from schema version ${header.migrations.at(-1)?.version ?? 0}, this store has ${ours.at(-1)?.version ?? 0}; export and import with the same version of the program`,
    );
  }
  for (const { name, parent, bound } of header.partitions) {
    await tx.query(
      `create table if not exists ${pg.escapeIdentifier(name)} partition of ${pg.escapeIdentifier(parent)} ${bound}`,
    );
  }
}

function parseHeader(first: string | undefined): ExportHeader {
  try {
    // Checked by its format mark right below.
    const header = JSON.parse(first ?? '') as ExportHeader;
    if (header.format === 'sidelight-export' && header.version === 1) return header;
  } catch {
    // Falls through to the refusal.
  }
  throw new ImportRefused('this is not an export of Sidelight, or one of a later format');
}

function parseMark(text: string): ExportedTable | ExportEnd {
  try {
    // Written by `exportStore`: the header said so.
    return JSON.parse(text) as ExportedTable | ExportEnd;
  } catch (cause) {
    throw new ImportRefused('the export is damaged', { cause });
  }
}

interface TableInsert {
  add(row: string): Promise<void>;
  flush(): Promise<void>;
}

function tableInsert(
  tx: Db,
  source: ExportedTable,
  target: ExportedTable | undefined,
): TableInsert {
  if (JSON.stringify(target?.columns) !== JSON.stringify(source.columns))
    throw new ImportRefused(`table ${source.table} has other columns here`);
  const names = source.columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ');
  const values = source.columns.map(({ type }, at) => `(r ->> ${at})::${type}`).join(', ');
  const statement = `
    insert into ${pg.escapeIdentifier(source.table)} (${names}) overriding system value
    select ${values}
    from json_array_elements($1::text::json) r`;
  let held: string[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (held.length === 0) return;
    await tx.query(statement, [`[${held.join(',')}]`]);
    held = [];
    bytes = 0;
  };
  return {
    add: async (row) => {
      held.push(row);
      bytes += row.length;
      if (held.length >= ROWS_AN_INSERT || bytes >= BYTES_AN_INSERT) await flush();
    },
    flush,
  };
}

async function continueIdentities(tx: Db): Promise<void> {
  for (const { table, column, sequence } of await tx.query<{
    table: string;
    column: string;
    sequence: string;
  }>(IDENTITIES)) {
    await tx.query(
      `select setval(
           $1, (select max(${pg.escapeIdentifier(column)}) from ${pg.escapeIdentifier(table)})
         )
       where exists (select from ${pg.escapeIdentifier(table)})`,
      [sequence],
    );
  }
}
