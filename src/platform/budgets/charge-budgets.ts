import { payingScopes } from '../../domain/billing/paying-scopes.js';
import type { EventRecord } from '../events/event.js';
import { creditDate, payingRows } from './billing-sql.js';

/** What a batch of events takes from one budget, or from what a node holds of it. */
export interface Charge {
  node: number | null;
  scope_id: string;
  day: string;
  spent_micros: number;
  held_micros: number;
}

/** The rows one event is charged to: those of the next one of the same ad are the same. */
interface Charged {
  readonly event: EventRecord;
  readonly budgets: readonly { row: Charge; isHeld: boolean }[];
  readonly holds: readonly Charge[];
}

/**
 * What events cost, one row a budget and one a hold; what claims its budget is charged elsewhere.
 */
export class Charges {
  readonly #budgets = new Map<string, Charge>();
  readonly #holds = new Map<string, Charge>();
  readonly #alike = new Map<string, Charged[]>();

  get budgets(): Charge[] {
    return [...this.#budgets.values()];
  }

  get holds(): Charge[] {
    return [...this.#holds.values()];
  }

  add(event: EventRecord): void {
    const spend = event.spendMicros ?? 0;
    if (spend === 0 || event.test === true || event.claimsBudget === true) return;
    const { budgets, holds } = this.#rowsOf(event);
    for (const { row, isHeld } of budgets) {
      row.spent_micros += spend;
      if (isHeld) row.held_micros += spend;
    }
    for (const row of holds) {
      row.spent_micros += spend;
      row.held_micros += spend;
    }
  }

  #rowsOf(event: EventRecord): Charged {
    const key = event.adGroupId ?? event.campaignId ?? '';
    let few = this.#alike.get(key);
    if (few === undefined) this.#alike.set(key, (few = []));
    let known = few.find((charged) => isPaidAlike(charged.event, event));
    if (known === undefined) few.push((known = this.#newRows(event)));
    return known;
  }

  #newRows(event: EventRecord): Charged {
    const node = event.node ?? null;
    const budgets: { row: Charge; isHeld: boolean }[] = [];
    const holds: Charge[] = [];
    for (const { payer, scopeId, day } of payingScopes(event, event.budgetDay)) {
      const isHeld = event.holds?.[payer] === true;
      const scope = { node, scope_id: scopeId, day };
      budgets.push({ row: rowIn(this.#budgets, `${scopeId} ${day}`, scope), isHeld });
      if (isHeld && node !== null)
        holds.push(rowIn(this.#holds, `${node} ${scopeId} ${day}`, scope));
    }
    return { event, budgets, holds };
  }
}

function rowIn(
  rows: Map<string, Charge>,
  key: string,
  scope: Pick<Charge, 'node' | 'scope_id' | 'day'>,
): Charge {
  let row = rows.get(key);
  if (row === undefined) rows.set(key, (row = { ...scope, spent_micros: 0, held_micros: 0 }));
  return row;
}

/** Whether they are taken from the same budgets and holds. */
function isPaidAlike(one: EventRecord, other: EventRecord): boolean {
  return (
    one.campaignId === other.campaignId &&
    one.adGroupId === other.adGroupId &&
    one.advertiserId === other.advertiserId &&
    one.budgetDay === other.budgetDay &&
    one.node === other.node &&
    one.holds?.campaign === other.holds?.campaign &&
    one.holds?.adGroup === other.holds?.adGroup &&
    one.holds?.advertiser === other.holds?.advertiser
  );
}

const addSpent = `
    on conflict (scope_id, day)
      do update set spent_micros = budgets.spent_micros + excluded.spent_micros,
        held_micros = greatest(0, budgets.held_micros + excluded.held_micros)`;

/** Spend leaves the hold that was kept for it and becomes spent; the parameter holds charges. */
export function spendStatement(parameter: number): string {
  return `spent as (
    insert into budgets (scope_id, day, spent_micros, held_micros)
    select scope_id, day, spent_micros, -held_micros
    from json_populate_recordset(null::budgets, $${parameter}::json)
    order by 1, 2 ${addSpent}
  )`;
}

export function releaseStatement(parameter: number): string {
  return `released as (
    update budget_holds h
    set held_micros = greatest(0, h.held_micros - c.held_micros)
    from json_populate_recordset(null::budget_holds, $${parameter}::json) c
    where h.node = c.node and h.scope_id = c.scope_id and h.day = c.day
  )`;
}

/** The same for events stored by the statement itself: `inserted`, of the rows in `batch`. */
export const chargeInserted = `charged as (
    select s.scope_id, s.day, i.node, sum(i.spend_micros)::bigint as spent,
      sum(
        case when case s.payer when 'campaign' then b.held_campaign
          when 'adGroup' then b.held_ad_group else b.held_advertiser end
        then i.spend_micros else 0 end
      )::bigint as held
    from inserted i
    join batch b on b.day = i.day and b.id = i.id and b.kind = i.kind
    cross join lateral ${payingRows('i')} as s (scope_id, day, payer)
    where i.spend_micros <> 0 and not i.test and s.scope_id is not null and s.day is not null
      and b.claimed is not true
    group by 1, 2, 3
  ),
  spent_budgets as (
    insert into budgets (scope_id, day, spent_micros, held_micros)
    select scope_id, day, sum(spent)::bigint, -sum(held)::bigint
    from charged
    group by 1, 2
    order by 1, 2 ${addSpent}
  ),
  spent_holds as (
    update budget_holds h
    set held_micros = greatest(0, h.held_micros - c.held)
    from (
        select node, scope_id, day, sum(held)::bigint as held
        from charged
        where held > 0 and node is not null
        group by 1, 2, 3
        order by 1, 2, 3
      ) c
    where h.node = c.node and h.scope_id = c.scope_id and h.day = c.day
  )`;

/** Takes what rows with an `advertiser_id` and `spend_micros` cost from the credit of accounts. */
export function spendCreditOf(rows: string): string {
  return `
    insert into budgets (scope_id, day, spent_micros)
    select advertiser_id, ${creditDate}, sum(spend_micros)
    from ${rows}
    group by 1
    on conflict (scope_id, day)
      do update set spent_micros = budgets.spent_micros + excluded.spent_micros`;
}
