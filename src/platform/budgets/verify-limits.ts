import type { Db } from '../db/db.js';
import { creditDate } from './billing-sql.js';

export interface LimitReport {
  /** Budgets of campaigns and ad groups with a limit, one a day. */
  limited: number;
  /** More is spent and held than the limit allows. */
  exceeded: number;
  /** What is held of a budget is not what its nodes hold. */
  unheld: number;
  sample: Record<string, unknown> | null;
}

/**
 * Proves of every budget that spent + held ≤ limit and held = what nodes hold. The limit of a day
 * is the largest there was on it: an advertiser may lower a budget below what was spent. Prepaid
 * credit is left to the ledger, because who was trusted with an invoice before may have spent more.
 */
export async function verifyLimits(db: Db): Promise<LimitReport> {
  const [report] = await db.query<LimitReport>(
    `with limits as (
         select id, daily_budget_micros as micros
         from campaigns
         union all
         select id, daily_budget_micros
         from ad_groups
       ),
       limited as (
         select b.scope_id, b.day, b.spent_micros + b.held_micros as taken,
           greatest(
             l.micros,
             (
               select max(p.limit_micros)
               from past_budgets p
               where p.scope_id = b.scope_id and p.until >= b.day - interval '1 day'
             )
           ) as limit_micros,
           exists (
             select
             from past_budgets p
             where p.scope_id = b.scope_id and p.until >= b.day - interval '1 day'
               and p.limit_micros is null
           ) as was_unlimited
         from budgets b
         join limits l on l.id = b.scope_id
         where l.micros is not null and b.day <> ${creditDate}
       ),
       exceeding as (
         select *
         from limited
         where taken > limit_micros and not was_unlimited
       ),
       held as (
         select scope_id, day, sum(held_micros)::bigint as micros
         from budget_holds
         group by 1, 2
       ),
       unheld as (
         select coalesce(b.scope_id, h.scope_id) as scope_id, coalesce(b.day, h.day) as day,
           coalesce(b.held_micros, 0) as stored, coalesce(h.micros, 0) as held
         from budgets b
         full join held h on h.scope_id = b.scope_id and h.day = b.day
         where coalesce(b.held_micros, 0) <> coalesce(h.micros, 0)
       )
     select (select count(*) from limited) as limited,
       (select count(*) from exceeding) as exceeded,
       (select count(*) from unheld) as unheld,
       coalesce(
         (select to_jsonb(e) from exceeding e limit 1),
         (select to_jsonb(u) from unheld u limit 1)
       ) as sample`,
  );
  return report ?? { limited: 0, exceeded: 0, unheld: 0, sample: null };
}
