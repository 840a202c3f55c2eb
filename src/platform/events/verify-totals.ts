import type { Db } from '../db/db.js';
import { eventFacts } from './event-facts.js';
import {
  countedFrom,
  totalColumns,
  totalsQuery,
  type TotalTable,
  totalTables,
} from './total-tables.js';
import { rebuildBudgets, verifyBudgets } from '../budgets/verify-budgets.js';
import { utcDay } from '../../domain/time/utc-day.js';

export interface VerifyReport {
  tables: {
    table: string;
    rows: number;
    differences: number;
    sample: Record<string, unknown> | null;
  }[];
  events: number;
  spendMicros: number;
  revenueMicros: number;
  isClean: boolean;
}

const countedFacts = countedFrom(`${eventFacts()} e`);

/** Compares every stored total with what the raw events add up to. */
export async function verifyTotals(db: Db): Promise<VerifyReport> {
  const keptFrom = await eventsKeptFrom(db);
  const tables = [];
  for (const total of totalTables) {
    const limit = keptSince(total, keptFrom);
    if (limit === null) continue;
    const { keys, values } = totalColumns(total);
    const isSame = values
      .map(
        (column) =>
          `coalesce(s.${column}${isNoSum(total, column) ? '' : ', 0'}) is not distinct
            from coalesce(c.${column}${isNoSum(total, column) ? '' : ', 0'})`,
      )
      .join(' and ');
    const rows = await db.query<{
      rows: number;
      differences: number;
      sample: Record<string, unknown> | null;
    }>(
      `with counted as (${countedFacts}), computed as (${totalsQuery(total)}),
         stored as (select * from ${total.table} where ${limit}),
         compared as (
           select ${keys.map((key) => `coalesce(s.${key}, c.${key}) as ${key}`).join(', ')},
             (${isSame}) as same
           from stored s
           full join (select * from computed where ${limit}) c
             on ${keys.map((key) => `s.${key} = c.${key}`).join(' and ')}
         )
       select count(*) as rows, count(*) filter (where not same) as differences,
         (select to_jsonb(d) from (select * from compared where not same limit 1) d) as sample
       from compared`,
    );
    tables.push({
      table: total.table,
      rows: rows[0]?.rows ?? 0,
      differences: rows[0]?.differences ?? 0,
      sample: rows[0]?.sample ?? null,
    });
  }
  tables.push({ table: 'budgets', ...(await verifyBudgets(db, firstWholeDay(keptFrom))) });
  const [sums] = await db.query<{ events: number; spend: number; revenue: number; wrong: number }>(
    `select count(*) as events, coalesce(sum(spend_micros), 0)::bigint as spend,
       coalesce(sum(revenue_micros), 0)::bigint as revenue,
       count(*) filter (
         where abs(revenue_micros) > abs(spend_micros) or (revenue_micros < 0) <> (spend_micros < 0)
         and revenue_micros <> 0 or (test or invalid is not null) and spend_micros <> 0
       ) as wrong
     from events`,
  );
  return {
    tables,
    events: sums?.events ?? 0,
    spendMicros: sums?.spend ?? 0,
    revenueMicros: sums?.revenue ?? 0,
    isClean: (sums?.wrong ?? 0) === 0 && tables.every((table) => table.differences === 0),
  };
}

/** Replaces the totals with what the raw events add up to. Returns the tables done. */
export async function rebuildTotals(db: Db): Promise<string[]> {
  const keptFrom = await eventsKeptFrom(db);
  return db.transaction(async (tx) => {
    const done: string[] = [];
    for (const total of totalTables) {
      const limit = keptSince(total, keptFrom);
      if (limit === null) continue;
      const { keys, values } = totalColumns(total);
      await tx.query(`lock table ${total.table} in exclusive mode`);
      const putNamesBack = total.table === 'publisher_users' ? await takeNames(tx) : null;
      await tx.query(`delete from ${total.table} where ${limit}`);
      await tx.query(
        `with counted as (${countedFacts}), computed as (${totalsQuery(total)})
         insert into ${total.table} (${[...keys, ...values].join(', ')})
         select ${[...keys, ...values].join(', ')}
         from computed
         where ${limit}`,
      );
      await putNamesBack?.();
      done.push(total.table);
    }
    await rebuildBudgets(tx, firstWholeDay(keptFrom));
    return [...done, 'budgets'];
  });
}

/** What users are called stands beside their figures and follows from no event. */
async function takeNames(tx: Db): Promise<() => Promise<void>> {
  await tx.query(
    `create temporary table kept_user_names on commit drop as
     select publisher_id, user_id, name_sealed
     from publisher_users
     where name_sealed is not null`,
  );
  return async () => {
    await tx.query(
      `update publisher_users u
       set name_sealed = k.name_sealed
       from kept_user_names k
       where u.publisher_id = k.publisher_id and u.user_id = k.user_id`,
    );
  };
}

async function eventsKeptFrom(db: Db): Promise<string | null> {
  const [row] = await db.query<{ value: string }>(
    `select value from installation where name = 'events_kept_from'`,
  );
  return row?.value ?? null;
}

/**
 * From here on days have all their raw events: a conversion may count a week before the day it was
 * received, a click come a week after its ad.
 */
function firstWholeDay(keptFrom: string | null): string | null {
  if (keptFrom === null) return null;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(keptFrom)) throw new Error('events_kept_from is not a day');
  return utcDay(Date.parse(keptFrom) + 8 * 86_400_000);
}

/** Which rows still have all their raw events. */
function keptSince(total: TotalTable, keptFrom: string | null): string | null {
  const first = firstWholeDay(keptFrom);
  if (first === null) return 'true';
  if ('bucket' in total.key) return `bucket >= timestamptz '${first} 00:00:00+00'`;
  if ('day' in total.key) return `day >= date '${first}'`;
  return null;
}

function isNoSum(total: TotalTable, column: string): boolean {
  return (
    total.earliest?.includes(column) === true ||
    total.latest?.includes(column) === true ||
    (total.sets !== undefined && column in total.sets)
  );
}
