import { Lineup } from '../../../domain/decision/lineup.js';
import type { Match } from '../../../domain/matching/match.js';
import type { BudgetKeeper } from '../budgets/budget-keeper.js';
import type { Rooms } from '../budgets/candidate-rooms.js';
import type { LiveInventory } from '../inventory/follow-inventory.js';
import type { Offer } from '../inventory/inventory.js';

export interface LineupDeps {
  inventory: Pick<LiveInventory, 'offer' | 'version'>;
  budgets: Pick<BudgetKeeper, 'roomsOf'>;
  pacing: {
    multiplier(campaignId: string): number;
    /** What the campaign's own split leaves a group today. */
    groupRoom(adGroupId: string): number;
    /** Another one whenever one of these is another. */
    readonly version: number;
  };
}

/** Ads of the offers that fit a conversation, as inventory, budgets and pacing have them now. */
export class OfferLineup extends Lineup {
  /** In the order of the candidates. */
  readonly slots: readonly number[];
  private readonly rooms: Rooms;
  /** What its campaign's own split leaves each one's group. */
  private readonly splits: Float64Array;
  private readonly offers: readonly Offer[];
  private readonly inventoryVersion: number;
  private readonly pacingVersion: number;

  constructor(
    { inventory, budgets, pacing }: LineupDeps,
    matches: readonly Match[],
    now: number,
    accepts: ((advertiserId: string) => boolean) | undefined,
  ) {
    const fitting = matches.flatMap(({ slot, relevance }) => {
      const offer = inventory.offer(slot);
      if (offer === undefined || accepts?.(offer.campaign.advertiserId) === false) return [];
      return offer.candidates.map((candidate) => ({
        slot,
        offer,
        candidate,
        relevance,
        multiplier: pacing.multiplier(candidate.campaignId),
      }));
    });
    super(fitting);
    this.slots = fitting.map(({ slot }) => slot);
    this.offers = fitting.map(({ offer }) => offer);
    this.rooms = budgets.roomsOf(this.candidates, now);
    this.splits = Float64Array.from(this.candidates, ({ adGroupId }) =>
      adGroupId === null ? Infinity : pacing.groupRoom(adGroupId),
    );
    this.inventoryVersion = inventory.version;
    this.pacingVersion = pacing.version;
  }

  /** Whether it would be the same if it were made now. */
  isOf({ inventory, pacing }: LineupDeps, now: number): boolean {
    return (
      this.inventoryVersion === inventory.version &&
      this.pacingVersion === pacing.version &&
      this.rooms.isOf(now)
    );
  }

  /** What is left to spend for one of them. */
  roomOf(index: number, publisherId: string, now: number): number {
    return Math.min(this.rooms.of(index, publisherId, now), this.splits[index] ?? 0);
  }

  /** The offer an ad belongs to. */
  offerOf(candidate: (typeof this.candidates)[number]): Offer | undefined {
    return this.offers[this.candidates.indexOf(candidate)];
  }
}

/** Remembers those who fit for as long as their matches are: the same conversation comes again. */
export function createLineups(deps: LineupDeps) {
  const known = new WeakMap<readonly Match[], OfferLineup>();
  return (
    matches: readonly Match[],
    now: number,
    accepts?: (advertiserId: string) => boolean,
  ): OfferLineup => {
    // Whom somebody else accepts is not whom this one does.
    if (accepts !== undefined) return new OfferLineup(deps, matches, now, accepts);
    let lineup = known.get(matches);
    if (lineup?.isOf(deps, now) === true) return lineup;
    lineup = new OfferLineup(deps, matches, now, undefined);
    known.set(matches, lineup);
    return lineup;
  };
}
