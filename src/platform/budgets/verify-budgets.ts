import type { Db } from '../db/db.js';
import { creditDate, payingRows } from './billing-sql.js';
import { eventFacts } from '../events/event-facts.js';

/**
 * Budgets of days before this many ago are swept; a missing row is only wrong after what was swept,
 * or, where no sweep has told yet, after what one might have.
 */
export const budgetDaysKept = 40;

/**
 * What was spent of each budget, as the raw events say; of prepaid credit, which outlives them, as
 * the hours of campaigns
 * say. `$1` is the first day all of whose raw events are kept.
 */
const compared = `
  with computed as (
      select s.scope_id, s.day, sum(e.spend_micros)::bigint as spent_micros
      from ${eventFacts()} e
      cross join lateral ${payingRows('e')} as s (scope_id, day, payer)
      where e.spend_micros <> 0 and not e.test and s.scope_id is not null and s.day is not null
        and s.day <> ${creditDate}
      group by 1, 2
      union all
      select advertiser_id, ${creditDate}, sum(spend_micros)::bigint
      from campaign_hours
      group by 1
    ),
    compared as (
      select coalesce(b.scope_id, c.scope_id) as scope_id, coalesce(b.day, c.day) as day,
        b.spent_micros as stored, coalesce(c.spent_micros, 0) as computed
      from budgets b
      full join computed c on c.scope_id = b.scope_id and c.day = b.day
    ),
    checked as (
      select scope_id, day, computed, coalesce(stored, 0) <> computed as differs
      from compared
      where (day = ${creditDate} or $1::date is null or day >= $1::date)
        and (
          stored is not null or day = ${creditDate}
          or day > coalesce(
            (
              select value::date
              from installation
              where name = 'budgets_kept_from'
            ),
            current_date - ${budgetDaysKept}
          )
        )
    )`;

export interface BudgetCheck {
  rows: number;
  differences: number;
  sample: Record<string, unknown> | null;
}

export async function verifyBudgets(db: Db, firstDay: string | null): Promise<BudgetCheck> {
  const [found] = await db.query<BudgetCheck>(
    `${compared} select count(*) as rows, count(*) filter (where differs) as differences,
      (select jsonb_build_object('scope_id', d.scope_id, 'day', d.day) from checked d
      where d.differs limit 1) as sample from checked`,
    [firstDay],
  );
  return found ?? { rows: 0, differences: 0, sample: null };
}

/** What is held stays: it belongs to nodes that are running. */
export async function rebuildBudgets(tx: Db, firstDay: string | null): Promise<void> {
  await tx.query(`lock table budgets in exclusive mode`);
  await tx.query(
    `${compared} insert into budgets (scope_id, day, spent_micros) select scope_id, day, computed
      from checked where differs
     on conflict (scope_id, day) do update set spent_micros = excluded.spent_micros`,
    [firstDay],
  );
}
