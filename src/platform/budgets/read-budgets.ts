import type { Scope } from '../../domain/billing/paying-scopes.js';
import type { Db } from '../db/db.js';
import { creditDate } from './billing-sql.js';
import { budgetDaysKept } from './verify-budgets.js';
import { dayMs, utcDay } from '../../domain/time/utc-day.js';

export interface SpentBudget extends Scope {
  readonly spentMicros: number;
}

/** What was spent of every budget since a day, and of all credit. */
export function loadSpent(db: Db, since: string): Promise<SpentBudget[]> {
  return db.query<SpentBudget>(
    `select scope_id as "scopeId", day, spent_micros as "spentMicros"
     from budgets
     where day >= $1::date or day = ${creditDate}`,
    [since],
  );
}

/** Spent by each (campaign, local day) pair; the pairs come as two lists of equal length. */
export async function listSpent(
  db: Db,
  campaignIds: readonly string[],
  days: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; spent: number }>(
    `select b.scope_id as id, b.spent_micros as spent
     from unnest($1::uuid[], $2::date[]) as w (id, day)
     join budgets b on b.scope_id = w.id and b.day = w.day`,
    [campaignIds, days],
  );
  return new Map(rows.map((row) => [row.id, row.spent]));
}

const holdDaysKept = 3;

/**
 * Forgets days nothing is charged to any more, and notes which: `verify` may be asked by a machine
 * with another clock.
 */
export async function sweepBudgets(db: Db, now: number): Promise<void> {
  const dayBefore = (days: number): string => utcDay(now - days * dayMs);
  await db.query(
    `with swept as (
         delete from budgets
         where day < ($1::text)::date and day <> ${creditDate}
       )
     insert into installation (name, value)
     values ('budgets_kept_from', $1::text)
     on conflict (name) do update set value = greatest(installation.value, excluded.value),
       updated_at = now()`,
    [dayBefore(budgetDaysKept)],
  );
  await db.query(`delete from budget_holds where day < $1::date and day <> ${creditDate}`, [
    dayBefore(holdDaysKept),
  ]);
}
