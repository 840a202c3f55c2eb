import type { BudgetDays } from '../../domain/decision/budget-day.js';
import type { Candidate } from '../../domain/decision/candidate.js';
import type { BillingModel } from '../../domain/decision/derive-bid.js';
import { createReservations, type Scope } from '../../domain/decision/reservations.js';
import type { Db } from '../../platform/db/db.js';
import { type HoldRequest, releaseDeadHolds, returnHolds, settledServes, takeHolds } from '../../platform/events/budget-holds.js';
import { lifetimeDay } from '../../platform/events/claim-budget.js';
import type { Holds } from '../../platform/events/event.js';
import { errorFields, type Log } from '../../platform/log.js';
import type { CampaignRow } from './queries.js';

/** What this node may still promise to spend, in memory. Overspend is impossible: it never promises more than it holds. */
export interface BudgetKeeper {
  /** What is left in the tightest budget of the candidate, on this node. */
  room(candidate: Candidate, now: number): number;
  /** Keeps the price aside until the ad is paid or can no longer be; null when there is no room after all. */
  reserve(serveId: string, candidate: Candidate, charge: BillingModel, priceMicros: number, now: number): Holds | null;
  /** The ad was charged from its hold. */
  settle(serveId: string): void;
  reserved(scopeId: string, day: string): number;
  /** Takes what live campaigns will need, gives back what they will not. */
  balance(now: number): Promise<void>;
  close(): Promise<void>;
}

export interface BudgetKeeperOptions {
  db: Db;
  log: Log;
  node: number;
  days: BudgetDays;
  /** A hold lives as long as the event that pays from it is accepted without asking. */
  holdMs: (charge: BillingModel) => number;
  campaigns: () => Iterable<CampaignRow>;
  campaignOf: (campaignId: string) => CampaignRow | undefined;
  groupBudgetOf: (adGroupId: string) => number | null;
  groups: () => Iterable<{ id: string; campaignId: string; dailyBudgetMicros: number }>;
  liveNodes: () => Promise<number>;
  impressionWindowMs: number;
}

/** A reservation outlives its window by this much, so that beacons under way, and those another node has yet to store, still find it. */
const graceMs = 30_000;

export function createBudgetKeeper(options: BudgetKeeperOptions): BudgetKeeper {
  const { db, log, node, days } = options;
  const reservations = createReservations();

  function scopesOf(candidate: Candidate, now: number): { scopes: Scope[]; holds: Holds } {
    const campaign = options.campaignOf(candidate.campaignId);
    const day = days.at(campaign?.timeZone ?? 'UTC', now).date;
    const hasGroupBudget = candidate.adGroupId !== null && options.groupBudgetOf(candidate.adGroupId) !== null;
    const isPrepaid = campaign !== undefined && !campaign.billingEnabled;
    const scopes: Scope[] = [{ scopeId: candidate.campaignId, day }];
    if (hasGroupBudget && candidate.adGroupId !== null) scopes.push({ scopeId: candidate.adGroupId, day });
    if (isPrepaid) scopes.push({ scopeId: candidate.advertiserId, day: lifetimeDay });
    return { scopes, holds: { campaign: true, adGroup: hasGroupBudget, advertiser: isPrepaid } };
  }

  /** What every live scope should have at hand: an even share of what its budget has left. */
  async function wanted(now: number): Promise<Map<string, HoldRequest>> {
    const limits = new Map<string, HoldRequest>();
    const want = (scopeId: string, day: string, amountMicros: number): void => void limits.set(`${scopeId} ${day}`, { scopeId, day, amountMicros });
    const campaigns = new Map<string, CampaignRow>();
    for (const campaign of options.campaigns()) {
      // Nothing is kept for a conversion: it is charged if there is room when it comes.
      if (campaign.billingModel === 'cpa') continue;
      campaigns.set(campaign.id, campaign);
      want(campaign.id, days.at(campaign.timeZone, now).date, campaign.dailyBudgetMicros);
      if (!campaign.billingEnabled) want(campaign.advertiserId, lifetimeDay, campaign.creditMicros);
    }
    for (const group of options.groups()) {
      const campaign = campaigns.get(group.campaignId);
      if (campaign !== undefined) want(group.id, days.at(campaign.timeZone, now).date, group.dailyBudgetMicros);
    }
    return limits;
  }

  async function balance(now: number): Promise<void> {
    await expire(now);
    const nodes = Math.max(1, await options.liveNodes());
    const limits = await wanted(now);
    const take: HoldRequest[] = [];
    for (const { scopeId, day, amountMicros } of limits.values()) {
      const target = Math.ceil(amountMicros / nodes);
      const available = reservations.room(scopeId, day);
      if (available < target / 4) take.push({ scopeId, day, amountMicros: nodes === 1 ? amountMicros : target - available });
    }
    for (let at = 0; at < take.length; at += 500) {
      for (const granted of await takeHolds(db, node, take.slice(at, at + 500), nodes)) reservations.grant(granted.scopeId, granted.day, granted.amountMicros);
    }
    const give: HoldRequest[] = [];
    for (const { scopeId, day, available } of reservations.surplus()) {
      const limit = limits.get(`${scopeId} ${day}`);
      const keep = limit === undefined ? 0 : Math.ceil(limit.amountMicros / nodes);
      if (available <= keep) continue;
      const amountMicros = reservations.withdraw(scopeId, day, available - keep);
      if (amountMicros > 0) give.push({ scopeId, day, amountMicros });
    }
    await returnHolds(db, node, give);
    await releaseDeadHolds(db, new Date(now - options.impressionWindowMs - 10 * graceMs));
  }

  /** Reservations whose time is over: paid ones left the hold already, wherever that was recorded; the rest is free again. */
  async function expire(now: number): Promise<void> {
    const ids = reservations.expired(now);
    if (ids.length === 0) return;
    const settled = await settledServes(db, ids);
    for (const id of ids) {
      if (settled.has(id)) reservations.settle(id);
      else reservations.release(id);
    }
  }

  return {
    room(candidate, now) {
      if (candidate.bid.charge === 'cpa') return Number.MAX_SAFE_INTEGER;
      // Asked for every candidate of a request, so nothing is built on the way: the same scopes as `scopesOf`.
      const campaign = options.campaignOf(candidate.campaignId);
      const day = days.at(campaign?.timeZone ?? 'UTC', now).date;
      let room = reservations.room(candidate.campaignId, day);
      if (candidate.adGroupId !== null && options.groupBudgetOf(candidate.adGroupId) !== null) room = Math.min(room, reservations.room(candidate.adGroupId, day));
      if (campaign !== undefined && !campaign.billingEnabled) room = Math.min(room, reservations.room(candidate.advertiserId, lifetimeDay));
      return room;
    },
    reserve(serveId, candidate, charge, priceMicros, now) {
      const { scopes, holds } = scopesOf(candidate, now);
      // A conversion may come weeks later: nothing is kept for it, it is charged if there is room then.
      if (charge === 'cpa') return { campaign: false, adGroup: false, advertiser: false };
      return reservations.reserve(serveId, scopes, priceMicros, now + options.holdMs(charge) + graceMs) ? holds : null;
    },
    settle: (serveId) => void reservations.settle(serveId),
    reserved: (scopeId, day) => reservations.reserved(scopeId, day),
    balance,
    async close() {
      try {
        await returnHolds(db, node, reservations.surplus().map(({ scopeId, day, available }) => ({ scopeId, day, amountMicros: available })));
      } catch (error) {
        log.warn(errorFields(error), 'holds not returned');
      }
    },
  };
}
