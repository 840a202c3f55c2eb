import type { BudgetDays } from '../../domain/decision/budget-day.js';
import type { Candidate } from '../../domain/decision/candidate.js';
import type { BillingModel } from '../../domain/decision/derive-bid.js';
import { createReservations, type Scope } from '../../domain/decision/reservations.js';
import type { Db } from '../../platform/db/db.js';
import {
  type HoldRequest,
  loadRooms,
  releaseDeadHolds,
  returnHolds,
  settledServes,
  takeHolds,
} from '../../platform/events/budget-holds.js';
import { lifetimeDay } from '../../platform/events/claim-budget.js';
import type { Holds } from '../../platform/events/event.js';
import { errorFields, type Log } from '../../platform/log.js';
import type { CampaignRow } from './queries.js';

/**
 * What this node may still promise to spend, in memory. Overspend is impossible: it never promises
 * more than it holds.
 */
export interface BudgetKeeper {
  /**
   * What is left in the tightest budget of the candidate, on this node, for a publisher that may
   * have ads of it to show yet.
   */
  room(candidate: Candidate, publisherId: string, now: number): number;
  /**
   * Keeps the price aside until the ad is paid or can no longer be; null when there is no room
   * after all.
   */
  reserve(
    serveId: string,
    publisherId: string,
    candidate: Candidate,
    charge: BillingModel,
    priceMicros: number,
    now: number,
  ): Holds | null;
  /** The ad was shown, and may yet be clicked. */
  shown(serveId: string): void;
  /** The ad was charged from its hold. */
  settle(serveId: string): void;
  reserved(scopeId: string, day: string): number;
  /** Takes what live campaigns will need. */
  stock(now: number): Promise<void>;
  /** The same, and gives back what they will not. */
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
  /** The share of a budget that what one publisher has not shown may take. */
  unshownShare: number;
}

/**
 * A reservation outlives its window by this much, so that beacons under way, and those another node
 * has yet to store, still find it.
 */
const graceMs = 30_000;
const midnightLeadMs = 10_000;
const mostSuspects = 1000;

export function createBudgetKeeper(options: BudgetKeeperOptions): BudgetKeeper {
  const { db, log, node, days } = options;
  const reservations = createReservations({ unshownShare: options.unshownShare });
  /**
   * Nothing is kept for conversions, which may come weeks later and are charged if there is room
   * then: what their budgets
   * had left at the last look decides whether their ads are served at all.
   */
  let unheldRoom: ReadonlyMap<string, number> = new Map();
  /**
   * Budgets that were lowered: until spent and held fit into them again, nothing of them is kept
   * beyond what was promised.
   */
  const overdrawn = new Map<string, Scope>();
  let limitsBefore: ReadonlyMap<string, HoldRequest> = new Map();
  let nodes = 1;
  let stocking: Promise<unknown> = Promise.resolve();

  function scopesOf(candidate: Candidate, now: number): { scopes: Scope[]; holds: Holds } {
    const campaign = options.campaignOf(candidate.campaignId);
    const day = days.at(campaign?.timeZone ?? 'UTC', now).date;
    const hasGroupBudget =
      candidate.adGroupId !== null && options.groupBudgetOf(candidate.adGroupId) !== null;
    const isPrepaid = campaign !== undefined && !campaign.billingEnabled;
    const scopes: Scope[] = [{ scopeId: candidate.campaignId, day }];
    if (hasGroupBudget && candidate.adGroupId !== null)
      scopes.push({ scopeId: candidate.adGroupId, day });
    if (isPrepaid) scopes.push({ scopeId: candidate.advertiserId, day: lifetimeDay });
    return { scopes, holds: { campaign: true, adGroup: hasGroupBudget, advertiser: isPrepaid } };
  }

  /**
   * The budget days to hold money for: today, and tomorrow once it is near, so that midnight is no
   * pause.
   */
  function daysToHold(timeZone: string, now: number): string[] {
    const today = days.at(timeZone, now);
    return now + midnightLeadMs < today.end
      ? [today.date]
      : [today.date, days.at(timeZone, today.end).date];
  }

  /** What every live scope should have at hand: an even share of what its budget has left. */
  function wanted(now: number): { held: Map<string, HoldRequest>; unheld: Map<string, Scope> } {
    const held = new Map<string, HoldRequest>();
    const unheld = new Map<string, Scope>();
    const want = (
      { billingModel }: CampaignRow,
      scopeId: string,
      day: string,
      amountMicros: number,
    ): void => {
      if (billingModel === 'cpa') unheld.set(keyOf({ scopeId, day }), { scopeId, day });
      else held.set(keyOf({ scopeId, day }), { scopeId, day, amountMicros });
    };
    const campaigns = new Map<string, CampaignRow>();
    for (const campaign of options.campaigns()) {
      campaigns.set(campaign.id, campaign);
      for (const day of daysToHold(campaign.timeZone, now))
        want(campaign, campaign.id, day, campaign.dailyBudgetMicros);
      if (!campaign.billingEnabled)
        want(campaign, campaign.advertiserId, lifetimeDay, campaign.creditMicros);
    }
    for (const group of options.groups()) {
      const campaign = campaigns.get(group.campaignId);
      if (campaign === undefined) continue;
      for (const day of daysToHold(campaign.timeZone, now))
        want(campaign, group.id, day, group.dailyBudgetMicros);
    }
    return { held, unheld };
  }

  function unheld(scopeId: string, day: string): number {
    return unheldRoom.get(keyOf({ scopeId, day })) ?? 0;
  }

  /** One at a time, or two would take the same share twice. */
  function stock(now: number): Promise<Map<string, HoldRequest>> {
    const next = stocking.then(() => stockNow(now));
    stocking = next.catch(() => undefined);
    return next;
  }

  async function stockNow(now: number): Promise<Map<string, HoldRequest>> {
    const { held, unheld } = wanted(now);
    const take: HoldRequest[] = [];
    for (const { scopeId, day, amountMicros } of held.values()) {
      const target = Math.ceil(amountMicros / nodes);
      const available = reservations.room(scopeId, day);
      if (available < target / 4)
        take.push({ scopeId, day, amountMicros: nodes === 1 ? amountMicros : target - available });
    }
    for (let at = 0; at < take.length; at += 500) {
      for (const granted of await takeHolds(db, node, take.slice(at, at + 500), nodes))
        reservations.grant(granted.scopeId, granted.day, granted.amountMicros);
    }
    unheldRoom = new Map(
      (await loadRooms(db, [...unheld.values()])).map((room) => [keyOf(room), room.amountMicros]),
    );
    return held;
  }

  async function balance(now: number): Promise<void> {
    await expire(now);
    await clearSuspects();
    nodes = Math.max(1, await options.liveNodes());
    const limits = await stock(now);
    const excess = await findExcess(limits);
    const give: HoldRequest[] = [];
    for (const { scopeId, day, available } of reservations.surplus()) {
      const limit = limits.get(keyOf({ scopeId, day }));
      const share = limit === undefined ? 0 : Math.ceil(limit.amountMicros / nodes);
      const keep = Math.min(
        share,
        Math.max(0, available - (excess.get(keyOf({ scopeId, day })) ?? 0)),
      );
      if (available <= keep) continue;
      const amountMicros = reservations.withdraw(scopeId, day, available - keep);
      if (amountMicros > 0) give.push({ scopeId, day, amountMicros });
    }
    await returnHolds(db, node, give);
    await releaseDeadHolds(db, node, new Date(now - options.impressionWindowMs - 10 * graceMs));
  }

  /**
   * How much more than its limit a lowered budget has spent and held, on all nodes. Each gives back
   * what it can; what was too much is taken again.
   */
  async function findExcess(
    limits: ReadonlyMap<string, HoldRequest>,
  ): Promise<ReadonlyMap<string, number>> {
    for (const [key, { scopeId, day, amountMicros }] of limits)
      if (amountMicros < (limitsBefore.get(key)?.amountMicros ?? 0))
        overdrawn.set(key, { scopeId, day });
    limitsBefore = limits;
    if (overdrawn.size === 0) return new Map();
    const excess = new Map(
      (await loadRooms(db, [...overdrawn.values()])).map((room) => [
        keyOf(room),
        -room.amountMicros,
      ]),
    );
    for (const [key, micros] of excess) if (micros <= 0) overdrawn.delete(key);
    return excess;
  }

  /**
   * Reservations whose time is over: paid ones left the hold already, wherever that was recorded;
   * the rest is free again.
   */
  async function expire(now: number): Promise<void> {
    const ids = reservations.expired(now);
    if (ids.length === 0) return;
    const settled = await settledServes(db, ids);
    for (const id of ids) {
      if (settled.has(id)) reservations.settle(id);
      else reservations.release(id);
    }
  }

  /** Whom we take for one that shows nothing may have shown it through another node. */
  async function clearSuspects(): Promise<void> {
    if (nodes === 1) return;
    const ids = reservations.suspects(mostSuspects);
    for (const id of await settledServes(db, ids)) reservations.settle(id);
  }

  return {
    room(candidate, publisherId, now) {
      // Asked for every candidate of a request, so nothing is built on the way: the same scopes as
      // `scopesOf`.
      const isUnheld = candidate.bid.charge === 'cpa';
      const roomIn = (scopeId: string, day: string): number =>
        isUnheld ? unheld(scopeId, day) : reservations.roomFor(publisherId, scopeId, day);
      const campaign = options.campaignOf(candidate.campaignId);
      const day = days.at(campaign?.timeZone ?? 'UTC', now).date;
      let room = roomIn(candidate.campaignId, day);
      if (candidate.adGroupId !== null && options.groupBudgetOf(candidate.adGroupId) !== null)
        room = Math.min(room, roomIn(candidate.adGroupId, day));
      if (campaign !== undefined && !campaign.billingEnabled)
        room = Math.min(room, roomIn(candidate.advertiserId, lifetimeDay));
      return room;
    },
    reserve(serveId, publisherId, candidate, charge, priceMicros, now) {
      const { scopes, holds } = scopesOf(candidate, now);
      if (charge === 'cpa') return { campaign: false, adGroup: false, advertiser: false };
      return reservations.reserve(
        serveId,
        scopes,
        priceMicros,
        now + options.holdMs(charge) + graceMs,
        publisherId,
      )
        ? holds
        : null;
    },
    shown: reservations.shown,
    settle: (serveId) => void reservations.settle(serveId),
    reserved: (scopeId, day) => reservations.reserved(scopeId, day),
    stock: async (now) => void (await stock(now)),
    balance,
    async close() {
      try {
        await returnHolds(
          db,
          node,
          reservations
            .surplus()
            .map(({ scopeId, day, available }) => ({ scopeId, day, amountMicros: available })),
        );
      } catch (error) {
        log.warn(errorFields(error), 'holds not returned');
      }
    },
  };
}

function keyOf({ scopeId, day }: Scope): string {
  return `${scopeId} ${day}`;
}
