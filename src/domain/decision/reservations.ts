// What this node may still spend. The store grants it holds, per budget scope and budget day; a
// served ad reserves the most it can cost in every scope it is paid from; its beacon settles the
// reservation into spend, a time-out releases it. Money is never in two places: granted = settled +
// reserved + available + given back, for every hold, always.
import { creditDay, type Scope } from '../billing/paying-scopes.js';
import { createExpiryQueue } from './expiry-queue.js';
import { type Hold, HoldSheet } from './hold-sheet.js';

/** What one scope has at hand, and what was asked of it lately. */
export type AtHand = Scope & { available: number };

export type Reservations = {
  /** The store has set this much aside for the node. */
  grant(scopeId: string, day: string, amountMicros: number): void;
  /** Not yet reserved. */
  room(scopeId: string, day: string): number;
  /**
   * The same for one who shows ads: what it has asked for and not shown may take a share of the
   * scope, so that nobody freezes a budget by asking. `wantedMicros` is what an ad may cost, so
   * that a scope with nothing at hand is known to be wanted.
   */
  roomFor(owner: string, scopeId: string, day: string, wantedMicros?: number): number;
  /** The same by the number of the scope, for who asks again and again. */
  roomAt(owner: string, number: number, wantedMicros: number): number;
  /** Holds while `numbering` stays what it is. */
  numberOf(scopeId: string, day: string): number;
  readonly numbering: number;
  /**
   * All scopes or none; false when one has no room, the owner's share is taken by what it has not
   * shown, or the serve id is already held.
   */
  reserve(
    serveId: string,
    scopes: readonly Scope[],
    amountMicros: number,
    expiresAt: number,
    owner?: string,
  ): boolean;
  /** The ad was shown: it stays reserved until it is paid or can no longer be. */
  shown(serveId: string): void;
  /**
   * Up to so many ads of those who get less for what they have not shown, others each time: other
   * nodes may have seen them shown.
   */
  suspects(limit: number): string[];
  /**
   * The reservation became spend and leaves its holds; null when there is none (released, or
   * another node's).
   */
  settle(serveId: string): Settled | null;
  /** Back to the holds; false when there is none. */
  release(serveId: string): boolean;
  /**
   * Reservations whose time is over. They stay until released or settled, so nothing is lost if the
   * caller fails in between.
   */
  expired(now: number): string[];
  /** Whether the ad has a reservation. */
  has(serveId: string): boolean;
  reserved(scopeId: string, day: string): number;
  /**
   * Everything that is not reserved. What is given back must be taken with `withdraw` before the
   * store is told.
   */
  surplus(): AtHand[];
  /** What is reserved, in every scope. */
  promised(): (Scope & { amountMicros: number })[];
  /** Takes up to this much out of a hold and says how much it was. */
  withdraw(scopeId: string, day: string, amountMicros: number): number;
  /** Ends an interval over which need is measured; call it at an even pace. */
  measure(): void;
  /** What the recent pace asks to have at hand, and what ads of it cost. */
  need(scopeId: string, day: string): Need;
  /** Drops empty holds of days before `today`. */
  sweep(today: string): void;
};

export type Need = {
  neededMicros: number;
  /** The most one might have cost that was asked for lately; fades. */
  adMicros: number;
  /** What the last one was reserved for; 0 before the first. */
  lastMicros: number;
};
export type Settled = { scopes: readonly Scope[]; amountMicros: number };
export type ReservationOptions = {
  /** The share of a scope one owner's unshown ads may take; 1 for all of it. */
  unshownShare?: number;
};

type Reservation = {
  serveId: string;
  scopes: readonly Hold[];
  amountMicros: number;
  expiresAt: number;
  live: boolean;
  /** Who has yet to show it; null once shown. */
  owner: string | null;
};

/** Intervals of need that a hold should cover, and ads. */
export const COVER = 4;
/** Unshown ads anybody may have, whatever they cost: a small budget is a few ads. */
const FREE_UNSHOWN = 4;

export function createReservations({ unshownShare = 1 }: ReservationOptions = {}): Reservations {
  return new HeldReservations(unshownShare);
}

class HeldReservations implements Reservations {
  private readonly unshownShare: number;
  private readonly sheet = new HoldSheet();
  private readonly days = new Map<string, Map<string, Hold>>();
  private lastDay = '';
  private lastScopes = new Map<string, Hold>();
  private readonly open = new Map<string, Reservation>();
  private readonly queue = createExpiryQueue<Reservation>();
  /** Told of by `suspects`, until it has told of all. */
  private told = new WeakSet<Reservation>();

  constructor(unshownShare: number) {
    this.unshownShare = unshownShare;
  }

  private known(scopeId: string, day: string): Hold | undefined {
    return this.days.get(day)?.get(scopeId);
  }

  private holdOf(scopeId: string, day: string): Hold {
    const scopes = this.scopesOf(day);
    let hold = scopes.get(scopeId);
    if (hold === undefined) scopes.set(scopeId, (hold = this.sheet.add(scopeId, day)));
    return hold;
  }

  /** A request asks a hundred times in a row for the holds of one day. */
  private scopesOf(day: string): Map<string, Hold> {
    if (day === this.lastDay) return this.lastScopes;
    let scopes = this.days.get(day);
    if (scopes === undefined) this.days.set(day, (scopes = new Map()));
    this.lastDay = day;
    this.lastScopes = scopes;
    return scopes;
  }

  private *holds(): Iterable<Hold> {
    for (const scopes of this.days.values()) yield* scopes.values();
  }

  grant(scopeId: string, day: string, amountMicros: number): void {
    assertAmount(amountMicros);
    this.holdOf(scopeId, day).available += amountMicros;
  }

  withdraw(scopeId: string, day: string, amountMicros: number): number {
    assertAmount(amountMicros);
    const hold = this.known(scopeId, day);
    if (hold === undefined) return 0;
    const taken = Math.min(amountMicros, hold.available);
    hold.available -= taken;
    return taken;
  }

  room(scopeId: string, day: string): number {
    return this.known(scopeId, day)?.available ?? 0;
  }

  reserved(scopeId: string, day: string): number {
    return this.known(scopeId, day)?.reserved ?? 0;
  }

  has(serveId: string): boolean {
    return this.open.has(serveId);
  }

  roomFor(owner: string, scopeId: string, day: string, wantedMicros = 0): number {
    return this.roomAt(owner, this.numberOf(scopeId, day), wantedMicros);
  }

  roomAt(owner: string, number: number, wantedMicros: number): number {
    const room = this.sheet.room(number, wantedMicros);
    return Number.isNaN(room) ? this.roomIn(this.sheet.at(number), owner) : room;
  }

  numberOf(scopeId: string, day: string): number {
    return this.holdOf(scopeId, day).number;
  }

  get numbering(): number {
    return this.sheet.version;
  }

  /** What the owner may still be given of the hold. */
  private roomIn(hold: Hold, owner: string): number {
    const { available, reserved } = hold;
    const own = hold.unshownOf(owner);
    if (own === undefined || own.ads < FREE_UNSHOWN) return available;
    const share = Math.floor(this.unshownShare * (available + reserved));
    return Math.max(0, Math.min(available, share - own.micros));
  }

  reserve(
    serveId: string,
    scopes: readonly Scope[],
    amountMicros: number,
    expiresAt: number,
    owner: string | null = null,
  ): boolean {
    assertAmount(amountMicros);
    if (this.open.has(serveId)) return false;
    const holds = this.ask(scopes, amountMicros, owner);
    if (holds === null) return false;
    for (const hold of holds) {
      hold.available -= amountMicros;
      hold.reserved += amountMicros;
      hold.last = amountMicros;
      if (owner !== null) hold.countUnshown(owner, 1, amountMicros);
    }
    const [hold] = holds;
    const reservation = {
      serveId,
      // Copied, because an array that grew has room to spare, and there is one for every ad not yet
      // seen.
      scopes: hold !== undefined && holds.length === 1 ? hold.alone : holds.slice(),
      amountMicros,
      expiresAt,
      live: true,
      owner,
    };
    this.open.set(serveId, reservation);
    // One that has no end would never leave the queue.
    if (expiresAt !== Infinity) this.queue.push(reservation);
    return true;
  }

  /** The holds of these scopes, all of which now know that they were asked; null without room. */
  private ask(scopes: readonly Scope[], amountMicros: number, owner: string | null): Hold[] | null {
    const holds: Hold[] = [];
    let enough = true;
    for (const { scopeId, day } of scopes) {
      const hold = this.holdOf(scopeId, day);
      // The same scope twice would be checked once and charged twice.
      if (holds.includes(hold)) continue;
      holds.push(hold);
      hold.asked += amountMicros;
      if (amountMicros > hold.dearest) hold.dearest = amountMicros;
      const room = owner === null ? hold.available : this.roomIn(hold, owner);
      if (room < amountMicros) enough = false;
    }
    return enough ? holds : null;
  }

  shown(serveId: string): void {
    const reservation = this.open.get(serveId);
    if (reservation !== undefined) markShown(reservation);
  }

  suspects(limit: number): string[] {
    const held = new Set<string>();
    for (const hold of this.holds())
      for (const owner of hold.owners)
        if (this.roomIn(hold, owner) < hold.available) held.add(owner);
    const found: string[] = [];
    if (held.size === 0) return found;
    for (const reservation of this.open.values()) {
      const { serveId, owner } = reservation;
      if (owner === null || !held.has(owner) || this.told.has(reservation)) continue;
      this.told.add(reservation);
      found.push(serveId);
      if (found.length >= limit) return found;
    }
    this.told = new WeakSet();
    return found;
  }

  settle(serveId: string): Settled | null {
    return this.close(serveId, false);
  }

  release(serveId: string): boolean {
    return this.close(serveId, true) !== null;
  }

  private close(serveId: string, backToHold: boolean): Reservation | null {
    const reservation = this.open.get(serveId);
    if (reservation === undefined) return null;
    this.open.delete(serveId);
    markShown(reservation);
    reservation.live = false;
    for (const hold of reservation.scopes) {
      hold.reserved -= reservation.amountMicros;
      if (backToHold) hold.available += reservation.amountMicros;
    }
    return reservation;
  }

  expired(now: number): string[] {
    return this.queue.due(now).map((reservation) => reservation.serveId);
  }

  surplus(): AtHand[] {
    const idle: AtHand[] = [];
    for (const { scopeId, day, available } of this.holds())
      if (available > 0) idle.push({ scopeId, day, available });
    return idle;
  }

  promised(): (Scope & { amountMicros: number })[] {
    const promised: (Scope & { amountMicros: number })[] = [];
    for (const { scopeId, day, reserved } of this.holds())
      if (reserved !== 0) promised.push({ scopeId, day, amountMicros: reserved });
    return promised;
  }

  measure(): void {
    for (const hold of this.holds()) {
      hold.need = Math.max(hold.asked, Math.floor(hold.need * 0.8));
      hold.asked = 0;
      // Fades, so that one dear ad does not bind money for good.
      hold.dearest = Math.floor(hold.dearest * 0.95);
    }
  }

  need(scopeId: string, day: string): Need {
    const hold = this.known(scopeId, day);
    if (hold === undefined) return { neededMicros: 0, adMicros: 0, lastMicros: 0 };
    const { dearest, last } = hold;
    return {
      neededMicros: COVER * Math.max(hold.need, dearest),
      adMicros: dearest,
      lastMicros: last,
    };
  }

  sweep(today: string): void {
    for (const [day, scopes] of this.days) {
      if (day >= today || day === creditDay) continue;
      for (const hold of scopes.values())
        if (hold.available === 0 && hold.reserved === 0) {
          scopes.delete(hold.scopeId);
          this.sheet.drop(hold);
        }
      if (scopes.size > 0) continue;
      this.days.delete(day);
      if (day === this.lastDay) this.lastDay = '';
    }
  }
}

function markShown(reservation: Reservation): void {
  const { owner, amountMicros } = reservation;
  if (owner === null) return;
  for (const hold of reservation.scopes) hold.countUnshown(owner, -1, -amountMicros);
  reservation.owner = null;
}

function assertAmount(amountMicros: number): void {
  if (!Number.isSafeInteger(amountMicros) || amountMicros < 0)
    throw new RangeError('not an amount of money');
}
