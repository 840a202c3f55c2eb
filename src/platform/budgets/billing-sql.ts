// The table of billing models, and who pays, as SQL. All names in it are our own constants.
import {
  type BilledEvent,
  type Hold,
  modelsBilledAt,
  modelsHolding,
} from '../../domain/billing/billing-models.js';
import { creditDay, type Payer } from '../../domain/billing/paying-scopes.js';

const listOf = (names: readonly string[]): string =>
  `(${names.map((name) => `'${name}'`).join(', ')})`;

/** For `billing_model in …`: the models charged at this event. */
export function billedAtList(event: BilledEvent): string {
  return listOf(modelsBilledAt(event));
}

/** The models that keep this much aside. */
export function holding(hold: Hold): string {
  return listOf(modelsHolding(hold));
}

/** What can be paid from the hold of an ad. */
const beaconsPaid: readonly BilledEvent[] = ['impression', 'viewable', 'click'];
export const paidBeacons = listOf(beaconsPaid);

export const creditDate = `date '${creditDay}'`;

/**
 * Every budget the charge of an event is taken from, one row each: the twin of `payingScopes` for
 * rows of `events`. Without an id or a day there is no such budget.
 */
export function payingRows(event: string): string {
  const rows: [id: string, day: string, payer: Payer][] = [
    [`${event}.campaign_id`, `${event}.budget_day`, 'campaign'],
    [`${event}.ad_group_id`, `${event}.budget_day`, 'adGroup'],
    [`${event}.advertiser_id`, creditDate, 'advertiser'],
  ];
  return `(values ${rows.map(([id, day, payer]) => `(${id}, ${day}, '${payer}')`).join(', ')})`;
}

/** What a prepaid account has spent of its credit. */
export function spentCredit(account: string): string {
  return spentOn(account, creditDate);
}

/** What was spent of a budget on a day. */
export function spentOn(scope: string, day: string): string {
  return `coalesce(
    (select b.spent_micros from budgets b where b.scope_id = ${scope} and b.day = ${day}), 0
  )`;
}

/** Whether a node keeps money of any budget. */
export function holdsMoney(node: string): string {
  return `exists (select from budget_holds h where h.node = ${node} and h.held_micros > 0)`;
}
