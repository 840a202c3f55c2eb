import type { BudgetDays } from '../../../domain/decision/budget-day.js';
import type { Candidate } from '../../../domain/decision/candidate.js';
import { type BillingModel, holdOf } from '../../../domain/billing/billing-models.js';
import {
  creditDay,
  keyOf,
  payingScopes,
  type Scope,
} from '../../../domain/billing/paying-scopes.js';
import { expectedPrice, planBid } from '../../../domain/decision/derive-bid.js';
import { askFor, keepOf } from '../../../domain/decision/hold-policy.js';
import { COVER, createReservations } from '../../../domain/decision/reservations.js';
import { createUnheldClicks } from '../../../domain/decision/unheld-clicks.js';
import type { Clock } from '../../../platform/clock.js';
import type { Db } from '../../../platform/db/db.js';
import {
  type HoldAsked,
  type HoldRequest,
  loadRooms,
  matchHolds,
  releaseDeadHolds,
  returnHolds,
  settledServes,
  takeHolds,
} from '../../../platform/budgets/budget-holds.js';
import type { Holds } from '../../../platform/events/event.js';
import { errorFields, type Log } from '../../../platform/log.js';
import type { SharedCounts } from '../../../platform/shared-counts.js';
import type { CampaignRow } from '../queries.js';
import { createRefusals, createShortScopes } from './short-scopes.js';

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
   * Keeps the price aside until the ad is paid or can no longer be, unless nothing is held of its
   * budget any more; null when there is no room after all.
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
  /**
   * Keeps aside what an ad costs that is paid outside its own hold's time, from what is at hand for
   * that day; null when there is no room. `settleLate` says whether it was charged.
   */
  reserveLate(ad: LateAd): Holds | null;
  settleLate(serveId: string, isCharged: boolean): void;
  reserved(scopeId: string, day: string): number;
  /** Takes what live campaigns will need. */
  stock(now: number): Promise<void>;
  /**
   * The database went back: nothing it does not know of is spent, and it is told what is promised.
   */
  resync(): Promise<void>;
  /** The same, and gives back what they will not. */
  balance(now: number): Promise<void>;
  close(): Promise<void>;
}

/** An ad that is charged late: after its hold ended, or on another day. */
export interface LateAd {
  readonly serveId: string;
  readonly campaignId: string;
  readonly adGroupId: string | null;
  readonly advertiserId: string;
  readonly day: string;
  readonly priceMicros: number;
}

export interface BudgetKeeperOptions {
  db: Db;
  log: Log;
  clock: Clock;
  sharedCounts: Pick<SharedCounts, 'space'>;
  /** Resolves when everything that was paid here so far is in the database. */
  settled: () => Promise<void>;
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
  let limitsBefore: ReadonlyMap<string, Wanted> = new Map();
  const short = createShortScopes(options.sharedCounts, options.clock);
  const refused = createRefusals();
  const unheldClicks = createUnheldClicks(options.holdMs('cpc'));
  const priceOf = rememberPrices();
  let nodes = 1;
  let stocking: Promise<unknown> = Promise.resolve();

  function scopesOf(
    ad: Pick<Candidate, 'campaignId' | 'adGroupId' | 'advertiserId'>,
    campaign: CampaignRow | undefined,
    day: string,
  ): { scopes: Scope[]; holds: Holds } {
    const holds: Holds = {
      campaign: true,
      adGroup: ad.adGroupId !== null && options.groupBudgetOf(ad.adGroupId) !== null,
      advertiser: campaign !== undefined && !campaign.billingEnabled,
    };
    return { scopes: payingScopes(ad, day).filter(({ payer }) => holds[payer]), holds };
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
  function wanted(now: number): { held: Map<string, Wanted>; unheld: Map<string, Scope> } {
    const held = new Map<string, Wanted>();
    const unheld = new Map<string, Scope>();
    const want = (
      campaign: CampaignRow,
      scopeId: string,
      day: string,
      limitMicros: number,
    ): void => {
      const key = keyOf({ scopeId, day });
      if (holdOf(campaign.billingModel) === 'nothing')
        return void unheld.set(key, { scopeId, day });
      const before = held.get(key);
      const { micros, isPerClick } = priceOf(campaign);
      held.set(key, {
        scopeId,
        day,
        limitMicros,
        usualMicros: Math.max(before?.usualMicros ?? 0, COVER * micros),
        isPerClick: isPerClick && before?.isPerClick !== false,
      });
    };
    const campaigns = new Map<string, CampaignRow>();
    for (const campaign of options.campaigns()) {
      campaigns.set(campaign.id, campaign);
      for (const day of daysToHold(campaign.timeZone, now))
        want(campaign, campaign.id, day, campaign.dailyBudgetMicros);
      if (!campaign.billingEnabled)
        want(campaign, campaign.advertiserId, creditDay, campaign.creditMicros);
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
  function stock(now: number): Promise<Map<string, Wanted>> {
    const next = stocking.then(() => stockNow(now));
    stocking = next.catch(() => undefined);
    return next;
  }

  function resync(): Promise<void> {
    const next = stocking.then(async () => {
      for (const { scopeId, day, available } of reservations.surplus())
        reservations.withdraw(scopeId, day, available);
      await options.settled();
      const promised = reservations.promised();
      // What was paid before that must have left the hold; what is paid meanwhile stays held.
      await options.settled();
      await matchHolds(db, node, promised);
    });
    stocking = next.catch(() => undefined);
    return next;
  }

  async function stockNow(now: number): Promise<Map<string, Wanted>> {
    const { held, unheld } = wanted(now);
    const take: HoldAsked[] = [];
    for (const [key, scope] of held) {
      if (isServedUnheld(key, scope)) {
        unheld.set(key, scope);
        continue;
      }
      const asked = askFor({ ...stateOf(scope), isShort: short.has(key) });
      if (asked === null || asked.amountMicros === 0) continue;
      // Nobody else takes what one node alone leaves: it asks each time, and hears of a refund at
      // once.
      if (nodes > 1 && refused.isWaiting(key)) continue;
      take.push({ ...scope, ...asked });
    }
    refused.keepOnly(held);
    unheldClicks.keepOnly(held);
    for (let at = 0; at < take.length; at += 500) {
      const part = take.slice(at, at + 500);
      const granted = new Map<string, number>();
      for (const { scopeId, day, amountMicros } of await takeHolds(db, node, part, nodes)) {
        reservations.grant(scopeId, day, amountMicros);
        granted.set(keyOf({ scopeId, day }), amountMicros);
      }
      for (const asked of part) {
        const key = keyOf(asked);
        const amount = granted.get(key) ?? 0;
        refused.answered(key, amount);
        if (amount < asked.needMicros && isWanted(asked)) short.tell(key);
      }
    }
    unheldRoom = new Map(
      (await loadRooms(db, [...unheld.values()])).map((room) => [keyOf(room), room.amountMicros]),
    );
    for (const [key, { usualMicros }] of held)
      unheldClicks.looked(key, unheldRoom.get(key) ?? 0, 2 * nodes * usualMicros);
    return held;
  }

  /** Pieces of one node alone come together by themselves. */
  function isServedUnheld(key: string, { isPerClick }: Wanted): boolean {
    if (nodes === 1 || !isPerClick) return false;
    if (short.has(key)) unheldClicks.begin(key);
    return unheldClicks.has(key);
  }

  /** Of a budget that is nearly spent and paid by clicks alone. */
  function unheldClickRoom(scope: Scope, priceMicros: number, now: number): number {
    return nodes === 1 ? 0 : unheldClicks.room(keyOf(scope), priceMicros, nodes, now);
  }

  function serveUnheld(
    scopes: readonly Scope[],
    publisherId: string,
    priceMicros: number,
    now: number,
  ): boolean {
    const isOpen = scopes.every(
      (scope) =>
        reservations.roomFor(publisherId, scope.scopeId, scope.day) >= priceMicros ||
        unheldClickRoom(scope, priceMicros, now) >= priceMicros,
    );
    if (isOpen) for (const scope of scopes) unheldClicks.served(keyOf(scope), now);
    return isOpen;
  }

  function stateOf({ scopeId, day, limitMicros, usualMicros }: Wanted) {
    return {
      limitMicros,
      usualMicros,
      nodes,
      availableMicros: reservations.room(scopeId, day),
      ...reservations.need(scopeId, day),
    };
  }

  /** Somebody asked for an ad of it here; a refused share of an idle scope is no want. */
  function isWanted({ scopeId, day }: Scope): boolean {
    return reservations.need(scopeId, day).neededMicros > 0;
  }

  async function balance(now: number): Promise<void> {
    reservations.measure();
    await expire(now);
    await clearSuspects();
    nodes = Math.max(1, await options.liveNodes());
    const limits = await stock(now);
    const excess = await findExcess(limits);
    const give: HoldRequest[] = [];
    for (const { scopeId, day, available } of reservations.surplus()) {
      const key = keyOf({ scopeId, day });
      const scope = limits.get(key);
      const excessMicros = excess.get(key) ?? 0;
      const keep =
        scope === undefined || isServedUnheld(key, scope)
          ? 0
          : keepOf({ ...stateOf(scope), excessMicros, isShort: short.has(key) });
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
    limits: ReadonlyMap<string, Wanted>,
  ): Promise<ReadonlyMap<string, number>> {
    for (const [key, { scopeId, day, limitMicros }] of limits)
      if (limitMicros < (limitsBefore.get(key)?.limitMicros ?? 0))
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
    const settled = await settledServes(db, node, ids);
    for (const id of ids) {
      if (settled.has(id)) reservations.settle(id);
      else reservations.release(id);
    }
  }

  /** Whom we take for one that shows nothing may have shown it through another node. */
  async function clearSuspects(): Promise<void> {
    if (nodes === 1) return;
    const ids = reservations.suspects(mostSuspects);
    for (const id of await settledServes(db, node, ids)) reservations.settle(id);
  }

  return {
    room(candidate, publisherId, now) {
      // Asked for every candidate of a request, so nothing is built on the way: the same scopes as
      // `scopesOf`.
      const hold = holdOf(candidate.bid.charge);
      const price = hold === 'nothing' ? 0 : expectedPrice(candidate.bid);
      const roomIn = (scopeId: string, day: string): number => {
        if (hold === 'nothing') return unheld(scopeId, day);
        const room = reservations.roomFor(publisherId, scopeId, day, price);
        if (room >= price || hold !== 'moment') return room;
        return Math.max(room, unheldClickRoom({ scopeId, day }, price, now));
      };
      const campaign = options.campaignOf(candidate.campaignId);
      const day = days.at(campaign?.timeZone ?? 'UTC', now).date;
      let room = roomIn(candidate.campaignId, day);
      if (candidate.adGroupId !== null && options.groupBudgetOf(candidate.adGroupId) !== null)
        room = Math.min(room, roomIn(candidate.adGroupId, day));
      if (campaign !== undefined && !campaign.billingEnabled)
        room = Math.min(room, roomIn(candidate.advertiserId, creditDay));
      return room;
    },
    reserve(serveId, publisherId, candidate, charge, priceMicros, now) {
      const campaign = options.campaignOf(candidate.campaignId);
      const day = days.at(campaign?.timeZone ?? 'UTC', now).date;
      const { scopes, holds } = scopesOf(candidate, campaign, day);
      const nothing = { campaign: false, adGroup: false, advertiser: false };
      if (holdOf(charge) === 'nothing') return nothing;
      const until = now + options.holdMs(charge) + graceMs;
      if (reservations.reserve(serveId, scopes, priceMicros, until, publisherId)) return holds;
      return holdOf(charge) === 'moment' && serveUnheld(scopes, publisherId, priceMicros, now)
        ? nothing
        : null;
    },
    shown: reservations.shown,
    settle: (serveId) => void reservations.settle(serveId),
    reserveLate({ serveId, day, priceMicros, ...ad }) {
      const campaign = options.campaignOf(ad.campaignId);
      // What it kept itself is not over yet: that is asked about when it is.
      if (campaign === undefined || reservations.has(serveId)) return null;
      const { scopes, holds } = scopesOf(ad, campaign, day);
      return reservations.reserve(lateId(serveId), scopes, priceMicros, Infinity) ? holds : null;
    },
    settleLate(serveId, isCharged) {
      if (isCharged) reservations.settle(lateId(serveId));
      else reservations.release(lateId(serveId));
    },
    reserved: (scopeId, day) => reservations.reserved(scopeId, day),
    stock: async (now) => void (await stock(now)),
    resync,
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

/** A live budget: its limit, and what a few ads that are paid from it cost. */
interface Wanted extends Scope {
  readonly limitMicros: number;
  readonly usualMicros: number;
  /** Nothing but clicks is paid from it. */
  readonly isPerClick: boolean;
}

/** Planned once for each version of a campaign: all are asked about twice a second. */
function rememberPrices(): (campaign: CampaignRow) => { micros: number; isPerClick: boolean } {
  const known = new WeakMap<CampaignRow, { micros: number; isPerClick: boolean }>();
  return (campaign) => {
    let price = known.get(campaign);
    if (price === undefined) {
      const plan = planBid({ ...campaign, groupMaxCpcMicros: null });
      price = { micros: expectedPrice(plan), isPerClick: holdOf(plan.charge) === 'moment' };
      known.set(campaign, price);
    }
    return price;
  };
}

const lateId = (serveId: string): string => `late ${serveId}`;
