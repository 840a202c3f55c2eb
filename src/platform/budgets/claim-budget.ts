import { keyOf, payingScopes, type Scope } from '../../domain/billing/paying-scopes.js';
import type { Db } from '../db/db.js';
import { keysOf, lockBudgets } from './lock-budgets.js';
import type { EventRecord } from '../events/event.js';
import type { IngestedEvent } from '../events/ingest-events.js';

/** A budget that pays, and what may be spent of it; null: any amount. */
interface Limited extends Scope {
  limit: number | null;
}

/**
 * Charges events that no hold covers (late clicks, conversions) if every budget still has room, in
 * the order given. Those
 * without room come back counted but free. Runs inside the transaction that stores the events; the
 * number of statements
 * does not depend on the number of events.
 */
export async function claimBudgets(tx: Db, events: readonly EventRecord[]): Promise<EventRecord[]> {
  const scopesOf = await loadScopes(tx, events.filter(isClaim));
  const taken = await lockBudgets(tx, events.filter(isClaim).flatMap(scopesOf));
  const claimed = new Map<string, Amount>();
  const outcome = events.map((event): EventRecord => {
    if (!isClaim(event)) return event;
    const amount = event.spendMicros ?? 0;
    const scopes = scopesOf(event);
    const hasRoom = scopes.every(
      (scope) => scope.limit === null || (taken.get(keyOf(scope)) ?? 0) + amount <= scope.limit,
    );
    if (!hasRoom)
      return { ...event, spendMicros: 0, revenueMicros: 0, unbilled: 'budget_exhausted' };
    for (const scope of scopes) {
      taken.set(keyOf(scope), (taken.get(keyOf(scope)) ?? 0) + amount);
      addCharge(claimed, scope, amount);
    }
    return event;
  });
  await charge(tx, [...claimed.values()]);
  return outcome;
}

/** Gives back what was claimed for events that turned out to be stored already. */
export async function unclaimBudgets(
  tx: Db,
  events: readonly EventRecord[],
  inserted: readonly IngestedEvent[],
): Promise<void> {
  const fresh = new Set(inserted.map((event) => `${event.kind}:${event.id}`));
  const stale = events.filter((event) => isClaim(event) && !fresh.has(`${event.kind}:${event.id}`));
  if (stale.length === 0) return;
  const scopesOf = await loadScopes(tx, stale);
  const returned = new Map<string, Amount>();
  for (const event of stale)
    for (const scope of scopesOf(event)) addCharge(returned, scope, -(event.spendMicros ?? 0));
  await charge(tx, [...returned.values()]);
}

function isClaim(event: EventRecord): boolean {
  return event.claimsBudget === true && (event.spendMicros ?? 0) > 0;
}

interface Amount extends Scope {
  amountMicros: number;
}

function addCharge(charges: Map<string, Amount>, scope: Scope, amountMicros: number): void {
  const known = charges.get(keyOf(scope));
  if (known === undefined)
    charges.set(keyOf(scope), { scopeId: scope.scopeId, day: scope.day, amountMicros });
  else known.amountMicros += amountMicros;
}

async function charge(tx: Db, charges: readonly Amount[]): Promise<void> {
  if (charges.length === 0) return;
  await tx.query(
    `update budgets b
     set spent_micros = b.spent_micros + c.amount
     from unnest($1::uuid[], $2::date[], $3::bigint[]) as c (id, day, amount)
     where b.scope_id = c.id and b.day = c.day`,
    [...keysOf(charges), charges.map((one) => one.amountMicros)],
  );
}

/** Campaign, ad group and account of each event, with their limits. */
async function loadScopes(
  tx: Db,
  events: readonly EventRecord[],
): Promise<(event: EventRecord) => Limited[]> {
  const campaigns = await tx.query<{
    id: string;
    budget: number | null;
    credit: number;
    prepaid: boolean;
  }>(
    `select c.id, c.daily_budget_micros as budget, a.credit_micros as credit,
       not a.billing_enabled as prepaid
     from campaigns c
     join advertisers a on a.id = c.advertiser_id
     where c.id = any($1::uuid[])`,
    [distinctIds(events.map((event) => event.campaignId))],
  );
  const groups = await tx.query<{ id: string; budget: number | null }>(
    `select id, daily_budget_micros as budget from ad_groups where id = any($1::uuid[])`,
    [distinctIds(events.map((event) => event.adGroupId))],
  );
  const campaignOf = new Map(campaigns.map((row) => [row.id, row]));
  const groupBudget = new Map(groups.map((row) => [row.id, row.budget]));
  const limitAt = await loadPastLimits(tx, events);
  return (event) => {
    const { campaignId, advertiserId, budgetDay, budgetAt } = event;
    const campaign = campaignOf.get(campaignId ?? '');
    if (campaign === undefined || advertiserId == null || budgetDay == null) return [];
    const daily = (id: string, current: number | null): number | null =>
      budgetAt === undefined ? current : limitAt(id, budgetAt, current);
    return payingScopes(event, budgetDay).map(({ payer, scopeId, day }): Limited => {
      switch (payer) {
        case 'campaign':
          return { scopeId, day, limit: daily(scopeId, campaign.budget) };
        case 'adGroup':
          return { scopeId, day, limit: daily(scopeId, groupBudget.get(scopeId) ?? null) };
        case 'advertiser':
          return { scopeId, day, limit: campaign.prepaid ? campaign.credit : null };
      }
    });
  };
}

/** The larger of a budget now and what it was at an instant. */
async function loadPastLimits(
  tx: Db,
  events: readonly EventRecord[],
): Promise<(id: string, at: number, current: number | null) => number | null> {
  const promised = events.filter((event) => event.budgetAt !== undefined);
  if (promised.length === 0) return (_id, _at, current) => current;
  const rows = await tx.query<{ id: string; until: Date; limit: number | null }>(
    `select scope_id as id, until, limit_micros as limit
     from past_budgets
     where scope_id = any($1::uuid[])
     order by until`,
    [distinctIds(promised.flatMap((event) => [event.campaignId, event.adGroupId]))],
  );
  return (id, at, current) => {
    const past = rows.find((row) => row.id === id && row.until.getTime() > at);
    if (past === undefined || current === null) return current;
    return past.limit === null ? null : Math.max(past.limit, current);
  };
}

function distinctIds(ids: readonly (string | null | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id != null))];
}
