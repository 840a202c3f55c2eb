import type { Db } from '../db/db.js';
import { holding, paidBeacons, payingRows } from './billing-sql.js';
import { type HoldRequest, lowerHeld } from './budget-holds.js';

/** Ads served before cannot be paid from a hold any more. */
export interface PromisedSince {
  readonly impressions: Date;
  readonly clicks: Date;
}

/** Ads of these nodes whose price may still be paid; `$2` to `$4` say since when. */
const openAds = `events w
  where w.day >= $2::date and w.at >= $3 and w.kind = 'win' and w.node = any($1::int[])
    and not w.test and w.data ->> 'charge' not in ${holding('nothing')}
    and (w.data ->> 'charge' not in ${holding('moment')} or w.at >= $4)
    and not exists (
      select 1
      from events p
      where p.day = w.day and p.id = w.id and p.kind in ${paidBeacons} and p.spend_micros > 0
    )`;

/**
 * Frees what nodes that ended without giving it back held beyond the ads they had promised. Only
 * for nodes whose every event is
 * in the database: what they served since then and was not paid stays held, in all its budgets,
 * until it can no longer be paid.
 */
export async function releaseUnpromised(
  db: Db,
  nodes: readonly number[],
  since: PromisedSince,
): Promise<void> {
  if (nodes.length === 0) return;
  await db.transaction(async (tx) => {
    // In the order in which everybody locks budgets.
    await tx.query(
      `select 1
       from budgets b
       where (b.scope_id, b.day) in (
           select h.scope_id, h.day
           from budget_holds h
           where h.node = any($1::int[]) and h.held_micros > 0
         )
       order by b.scope_id, b.day
       for update`,
      [nodes],
    );
    const freed = await tx.query<HoldRequest>(
      `with promised as (
           select w.node, s.scope_id, sum((w.data ->> 'price_micros')::bigint)::bigint as micros
           from (select w.* from ${openAds}) w
           cross join lateral ${payingRows('w')} as s (scope_id, day, payer)
           where s.scope_id is not null
           group by 1, 2
         ),
         kept as (
           select h.node, h.scope_id, h.day, h.held_micros as held,
             least(h.held_micros, coalesce(p.micros, 0)) as keep
           from budget_holds h
           left join promised p on p.node = h.node and p.scope_id = h.scope_id
           where h.node = any($1::int[])
         )
       update budget_holds h
       set held_micros = k.keep
       from kept k
       where h.node = k.node and h.scope_id = k.scope_id and h.day = k.day and k.held > k.keep
       returning h.scope_id as "scopeId", h.day, k.held - k.keep as "amountMicros"`,
      parameters(nodes, since),
    );
    await lowerHeld(tx, freed);
  });
}

/**
 * Whether some of what these nodes hold is kept for clicks, which is free long before what is kept
 * for impressions.
 */
export async function keepsForClicks(
  db: Db,
  nodes: readonly number[],
  since: PromisedSince,
): Promise<boolean> {
  const found = await db.query(
    `select 1 from ${openAds} and w.data ->> 'charge' in ${holding('moment')} limit 1`,
    parameters(nodes, since),
  );
  return found.length > 0;
}

function parameters(nodes: readonly number[], since: PromisedSince): unknown[] {
  return [nodes, since.impressions.toISOString().slice(0, 10), since.impressions, since.clicks];
}
