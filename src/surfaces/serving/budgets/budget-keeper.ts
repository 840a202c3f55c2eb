import type { BudgetDays } from '../../../domain/decision/budget-day.js';
import type { Candidate } from '../../../domain/decision/candidate.js';
import { type BillingModel, holdOf } from '../../../domain/billing/billing-models.js';
import {
  creditDay,
  keyOf,
  payingScopes,
  type Scope,
} from '../../../domain/billing/paying-scopes.js';
import { expectedPrice } from '../../../domain/decision/derive-bid.js';
import { askFor, keepOf } from '../../../domain/decision/hold-policy.js';
import { createReservations, type Reservations } from '../../../domain/decision/reservations.js';
import { createUnheldClicks } from '../../../domain/decision/unheld-clicks.js';
import { dayMs, utcDay } from '../../../domain/time/utc-day.js';
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
import { OverdrawnBudgets } from './overdrawn-budgets.js';
import { createRefusals, createShortScopes } from './short-scopes.js';
import { type Wanted, WantedBudgets } from './wanted-budgets.js';
import { CandidateRooms, type CandidateRoomsDeps, type Rooms } from './candidate-rooms.js';

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
  /** The same for candidates who are asked about again and again. */
  roomsOf(candidates: readonly Candidate[], now: number): Rooms;
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
  groupBudgets: CandidateRoomsDeps['groupBudgets'] & {
    all(): Iterable<{ id: string; campaignId: string; dailyBudgetMicros: number }>;
  };
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
const mostSuspects = 1000;

export function createBudgetKeeper(options: BudgetKeeperOptions): BudgetKeeper {
  return new NodeBudgets(options);
}

class NodeBudgets implements BudgetKeeper {
  private readonly options: BudgetKeeperOptions;
  private readonly reservations: Reservations;
  private readonly wanted: WantedBudgets;
  private readonly rooms: CandidateRoomsDeps;
  /**
   * Nothing is kept for conversions, which may come weeks later and are charged if there is room
   * then: what their budgets had left at the last look decides whether their ads are served at all.
   */
  private unheldRoom: ReadonlyMap<string, number> = new Map();
  private readonly overdrawn: OverdrawnBudgets;
  private readonly short: ReturnType<typeof createShortScopes>;
  private readonly refused = createRefusals();
  private readonly unheldClicks: ReturnType<typeof createUnheldClicks>;
  private nodes = 1;
  private stocking: Promise<unknown> = Promise.resolve();

  constructor(options: BudgetKeeperOptions) {
    this.options = options;
    this.reservations = createReservations({ unshownShare: options.unshownShare });
    this.wanted = new WantedBudgets({ ...options, groups: () => options.groupBudgets.all() });
    this.rooms = {
      days: options.days,
      groupBudgets: options.groupBudgets,
      reservations: this.reservations,
      room: (candidate, publisherId, now) => this.room(candidate, publisherId, now),
    };
    this.overdrawn = new OverdrawnBudgets(options.db);
    this.short = createShortScopes(options.sharedCounts, options.clock);
    this.unheldClicks = createUnheldClicks(options.holdMs('cpc'));
  }

  room(candidate: Candidate, publisherId: string, now: number): number {
    // The same scopes as `scopesOf`.
    const { charge } = candidate.bid;
    const hold = holdOf(charge);
    const price = hold === 'nothing' ? 0 : expectedPrice(candidate.bid);
    const { campaignId, adGroupId, advertiserId, timeZone, prepaid } = candidate;
    const day = this.options.days.at(timeZone, now).date;
    let room = this.roomIn(campaignId, day, hold, price, publisherId, now);
    if (adGroupId !== null && this.options.groupBudgets.of(adGroupId) !== null)
      room = Math.min(room, this.roomIn(adGroupId, day, hold, price, publisherId, now));
    if (prepaid)
      room = Math.min(room, this.roomIn(advertiserId, creditDay, hold, price, publisherId, now));
    return room;
  }

  roomsOf(candidates: readonly Candidate[], now: number): Rooms {
    return new CandidateRooms(this.rooms, candidates, now);
  }

  private roomIn(
    scopeId: string,
    day: string,
    hold: ReturnType<typeof holdOf>,
    price: number,
    publisherId: string,
    now: number,
  ): number {
    if (hold === 'nothing') return this.unheldRoom.get(keyOf({ scopeId, day })) ?? 0;
    const room = this.reservations.roomFor(publisherId, scopeId, day, price);
    if (room >= price || hold !== 'moment') return room;
    return Math.max(room, this.unheldClickRoom({ scopeId, day }, price, now));
  }

  reserve(
    serveId: string,
    publisherId: string,
    candidate: Candidate,
    charge: BillingModel,
    priceMicros: number,
    now: number,
  ): Holds | null {
    const campaign = this.options.campaignOf(candidate.campaignId);
    const { scopes, holds } = this.scopesOf(candidate, campaign, this.dayOf(campaign, now));
    const nothing = { campaign: false, adGroup: false, advertiser: false };
    if (holdOf(charge) === 'nothing') return nothing;
    const until = now + this.options.holdMs(charge) + graceMs;
    if (this.reservations.reserve(serveId, scopes, priceMicros, until, publisherId)) return holds;
    return holdOf(charge) === 'moment' && this.serveUnheld(scopes, publisherId, priceMicros, now)
      ? nothing
      : null;
  }

  shown(serveId: string): void {
    this.reservations.shown(serveId);
  }

  settle(serveId: string): void {
    this.reservations.settle(serveId);
  }

  reserveLate({ serveId, day, priceMicros, ...ad }: LateAd): Holds | null {
    const campaign = this.options.campaignOf(ad.campaignId);
    // What it kept itself is not over yet: that is asked about when it is.
    if (campaign === undefined || this.reservations.has(serveId)) return null;
    const { scopes, holds } = this.scopesOf(ad, campaign, day);
    const isKept = this.reservations.reserve(lateId(serveId), scopes, priceMicros, Infinity);
    return isKept ? holds : null;
  }

  settleLate(serveId: string, isCharged: boolean): void {
    if (isCharged) this.reservations.settle(lateId(serveId));
    else this.reservations.release(lateId(serveId));
  }

  reserved(scopeId: string, day: string): number {
    return this.reservations.reserved(scopeId, day);
  }

  async stock(now: number): Promise<void> {
    await this.oneByOne(() => this.stockNow(now));
  }

  resync(): Promise<void> {
    return this.oneByOne(async () => {
      const { db, node, settled } = this.options;
      for (const { scopeId, day, available } of this.reservations.surplus())
        this.reservations.withdraw(scopeId, day, available);
      await settled();
      const promised = this.reservations.promised();
      // What was paid before that must have left the hold; what is paid meanwhile stays held.
      await settled();
      await matchHolds(db, node, promised);
    });
  }

  async balance(now: number): Promise<void> {
    const { db, node, impressionWindowMs } = this.options;
    this.reservations.measure();
    await this.expire(now);
    await this.clearSuspects();
    this.nodes = Math.max(1, await this.options.liveNodes());
    const limits = await this.oneByOne(() => this.stockNow(now));
    await returnHolds(db, node, this.takeSurplus(limits, await this.overdrawn.look(limits)));
    await releaseDeadHolds(db, node, new Date(now - impressionWindowMs - 10 * graceMs));
    // Somewhere it may still be yesterday.
    this.reservations.sweep(utcDay(now - dayMs));
  }

  async close(): Promise<void> {
    const { db, node, log } = this.options;
    const left = this.reservations.surplus();
    try {
      await returnHolds(
        db,
        node,
        left.map(({ scopeId, day, available }) => ({ scopeId, day, amountMicros: available })),
      );
    } catch (error) {
      log.warn(errorFields(error), 'holds not returned');
    }
  }

  private dayOf(campaign: CampaignRow | undefined, now: number): string {
    return this.options.days.at(campaign?.timeZone ?? 'UTC', now).date;
  }

  private scopesOf(
    ad: Pick<Candidate, 'campaignId' | 'adGroupId' | 'advertiserId'>,
    campaign: CampaignRow | undefined,
    day: string,
  ): { scopes: Scope[]; holds: Holds } {
    const holds: Holds = {
      campaign: true,
      adGroup: ad.adGroupId !== null && this.options.groupBudgets.of(ad.adGroupId) !== null,
      advertiser: campaign !== undefined && !campaign.billingEnabled,
    };
    return { scopes: payingScopes(ad, day).filter(({ payer }) => holds[payer]), holds };
  }

  /** One at a time, or two would take the same share twice. */
  private oneByOne<T>(work: () => Promise<T>): Promise<T> {
    const next = this.stocking.then(work);
    this.stocking = next.catch(() => undefined);
    return next;
  }

  private async stockNow(now: number): Promise<ReadonlyMap<string, Wanted>> {
    const { held, unheld } = this.wanted.at(now);
    const take: HoldAsked[] = [];
    for (const [key, scope] of held) {
      if (this.isServedUnheld(key, scope)) {
        unheld.set(key, scope);
        continue;
      }
      const asked = askFor({ ...this.stateOf(scope), isShort: this.short.has(key) });
      if (asked === null || asked.amountMicros === 0) continue;
      // Nobody else takes what one node alone leaves: it asks each time, and hears of a refund at
      // once.
      if (this.nodes > 1 && this.refused.isWaiting(key)) continue;
      take.push({ ...scope, ...asked });
    }
    this.refused.keepOnly(held);
    this.unheldClicks.keepOnly(held);
    for (let at = 0; at < take.length; at += 500) await this.takeSome(take.slice(at, at + 500));
    const rooms = await loadRooms(this.options.db, [...unheld.values()]);
    this.unheldRoom = new Map(rooms.map((room) => [keyOf(room), room.amountMicros]));
    for (const [key, { usualMicros }] of held)
      this.unheldClicks.looked(key, this.unheldRoom.get(key) ?? 0, 2 * this.nodes * usualMicros);
    return held;
  }

  private async takeSome(part: readonly HoldAsked[]): Promise<void> {
    const { db, node } = this.options;
    const granted = new Map<string, number>();
    for (const { scopeId, day, amountMicros } of await takeHolds(db, node, part, this.nodes)) {
      this.reservations.grant(scopeId, day, amountMicros);
      granted.set(keyOf({ scopeId, day }), amountMicros);
    }
    for (const asked of part) {
      const key = keyOf(asked);
      const amount = granted.get(key) ?? 0;
      this.refused.answered(key, amount);
      if (amount < asked.needMicros && this.isWanted(asked)) this.short.tell(key);
    }
  }

  /** Takes out of the holds what live campaigns will not need. */
  private takeSurplus(
    limits: ReadonlyMap<string, Wanted>,
    excess: ReadonlyMap<string, number>,
  ): HoldRequest[] {
    const give: HoldRequest[] = [];
    for (const { scopeId, day, available } of this.reservations.surplus()) {
      const key = keyOf({ scopeId, day });
      const keep = this.keptOf(key, limits.get(key), excess.get(key) ?? 0);
      if (available <= keep) continue;
      const amountMicros = this.reservations.withdraw(scopeId, day, available - keep);
      if (amountMicros > 0) give.push({ scopeId, day, amountMicros });
    }
    return give;
  }

  private keptOf(key: string, scope: Wanted | undefined, excessMicros: number): number {
    return scope === undefined || this.isServedUnheld(key, scope)
      ? 0
      : keepOf({ ...this.stateOf(scope), excessMicros, isShort: this.short.has(key) });
  }

  private stateOf({ scopeId, day, limitMicros, usualMicros }: Wanted) {
    return {
      limitMicros,
      usualMicros,
      nodes: this.nodes,
      availableMicros: this.reservations.room(scopeId, day),
      ...this.reservations.need(scopeId, day),
    };
  }

  /** Somebody asked for an ad of it here; a refused share of an idle scope is no want. */
  private isWanted({ scopeId, day }: Scope): boolean {
    return this.reservations.need(scopeId, day).neededMicros > 0;
  }

  /** Pieces of one node alone come together by themselves. */
  private isServedUnheld(key: string, { isPerClick }: Wanted): boolean {
    if (this.nodes === 1 || !isPerClick) return false;
    if (this.short.has(key)) this.unheldClicks.begin(key);
    return this.unheldClicks.has(key);
  }

  /** Of a budget that is nearly spent and paid by clicks alone. */
  private unheldClickRoom(scope: Scope, priceMicros: number, now: number): number {
    return this.nodes === 1
      ? 0
      : this.unheldClicks.room(keyOf(scope), priceMicros, this.nodes, now);
  }

  private serveUnheld(
    scopes: readonly Scope[],
    publisherId: string,
    priceMicros: number,
    now: number,
  ): boolean {
    const isOpen = scopes.every(
      (scope) =>
        this.reservations.roomFor(publisherId, scope.scopeId, scope.day) >= priceMicros ||
        this.unheldClickRoom(scope, priceMicros, now) >= priceMicros,
    );
    if (isOpen) for (const scope of scopes) this.unheldClicks.served(keyOf(scope), now);
    return isOpen;
  }

  /**
   * Reservations whose time is over: paid ones left the hold already, wherever that was recorded;
   * the rest is free again.
   */
  private async expire(now: number): Promise<void> {
    const ids = this.reservations.expired(now);
    if (ids.length === 0) return;
    const settled = await settledServes(this.options.db, this.options.node, ids);
    for (const id of ids) {
      if (settled.has(id)) this.reservations.settle(id);
      else this.reservations.release(id);
    }
  }

  /** Whom we take for one that shows nothing may have shown it through another node. */
  private async clearSuspects(): Promise<void> {
    if (this.nodes === 1) return;
    const { db, node } = this.options;
    const ids = this.reservations.suspects(mostSuspects);
    for (const id of await settledServes(db, node, ids)) this.reservations.settle(id);
  }
}

const lateId = (serveId: string): string => `late ${serveId}`;
