import type { Db } from '../db/db.js';
import type { EventRecord } from './event.js';
import type { IngestedEvent } from './ingest-events.js';

/** The whole credit of a prepaid advertiser is one budget without a day. */
export const lifetimeDay = '1970-01-01';

interface Scope {
  id: string;
  day: string;
  limit: number | null;
}

/**
 * Charges events that no hold covers (late clicks, conversions) if every budget still has room. Those without room come
 * back counted but free. Runs inside the transaction that stores the events.
 */
export async function claimBudgets(tx: Db, events: readonly EventRecord[]): Promise<EventRecord[]> {
  const outcome: EventRecord[] = [];
  for (const event of events) {
    const amount = event.spendMicros ?? 0;
    if (event.claimsBudget !== true || amount <= 0) {
      outcome.push(event);
      continue;
    }
    const charged = await claim(tx, await scopesOf(tx, event), amount);
    outcome.push(charged ? event : { ...event, spendMicros: 0, revenueMicros: 0, unbilled: 'budget_exhausted' });
  }
  return outcome;
}

/** Gives back what was claimed for events that turned out to be stored already. */
export async function unclaimBudgets(tx: Db, events: readonly EventRecord[], inserted: readonly IngestedEvent[]): Promise<void> {
  const fresh = new Set(inserted.map((event) => `${event.kind}:${event.id}`));
  for (const event of events) {
    const amount = event.spendMicros ?? 0;
    if (event.claimsBudget !== true || amount <= 0 || fresh.has(`${event.kind}:${event.id}`)) continue;
    for (const scope of await scopesOf(tx, event)) {
      await tx.query(`update budgets set spent_micros = spent_micros - $3 where scope_id = $1 and day = $2`, [scope.id, scope.day, amount]);
    }
  }
}

async function claim(tx: Db, scopes: readonly Scope[], amount: number): Promise<boolean> {
  for (const scope of scopes) {
    await tx.query(`insert into budgets (scope_id, day) values ($1, $2) on conflict do nothing`, [scope.id, scope.day]);
  }
  for (const scope of scopes) {
    const [row] = await tx.query<{ taken: number }>(`select spent_micros + held_micros as taken from budgets where scope_id = $1 and day = $2 for update`, [scope.id, scope.day]);
    if (scope.limit !== null && (row?.taken ?? 0) + amount > scope.limit) return false;
  }
  for (const scope of scopes) {
    await tx.query(`update budgets set spent_micros = spent_micros + $3 where scope_id = $1 and day = $2`, [scope.id, scope.day, amount]);
  }
  return true;
}

/** Campaign, ad group and advertiser with their limits, in id order so that concurrent claims cannot deadlock. */
async function scopesOf(tx: Db, event: EventRecord): Promise<Scope[]> {
  const [row] = await tx.query<{ campaign: number | null; adGroup: number | null; credit: number; prepaid: boolean }>(
    `select c.daily_budget_micros as campaign, g.daily_budget_micros as "adGroup", a.credit_micros as credit, not a.billing_enabled as prepaid
     from campaigns c join advertisers a on a.id = c.advertiser_id left join ad_groups g on g.id = $2
     where c.id = $1`,
    [event.campaignId ?? null, event.adGroupId ?? null],
  );
  if (row === undefined || event.campaignId == null || event.advertiserId == null || event.budgetDay == null) return [];
  const scopes: Scope[] = [
    { id: event.campaignId, day: event.budgetDay, limit: row.campaign },
    { id: event.advertiserId, day: lifetimeDay, limit: row.prepaid ? row.credit : null },
  ];
  if (event.adGroupId != null) scopes.push({ id: event.adGroupId, day: event.budgetDay, limit: row.adGroup });
  return scopes.sort((a, b) => (a.id < b.id ? -1 : 1));
}
