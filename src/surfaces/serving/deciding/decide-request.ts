import type { ClickModel } from '../../../domain/decision/click-model.js';
import type { Experiment } from '../../../domain/decision/candidate.js';
import { Sheet } from '../../../domain/decision/contenders.js';
import type { FrequencyCaps } from '../../../domain/decision/frequency-cap.js';
import type { MatchQuery } from '../../../domain/matching/match-query.js';
import type { PublisherAccount } from '../../../platform/auth/queries.js';
import type { PersonChoices } from '../../../platform/privacy/choices.js';
import type { AdMatcher } from './ad-matcher.js';
import type { BudgetKeeper } from '../budgets/budget-keeper.js';
import { type Decision, decideAds, type DecisionInput } from './decide-ads.js';
import type { LiveInventory } from '../inventory/follow-inventory.js';
import type { Audience } from '../read-request.js';
import type { AdRequest } from '../schema.js';

export interface DeciderDeps {
  matcher: AdMatcher;
  inventory: LiveInventory;
  model: ClickModel;
  budgets: BudgetKeeper;
  sessionCaps: FrequencyCaps;
  userCaps: FrequencyCaps;
  caps: { session: number; user: number };
  dislikedAds: (publisherId: string, subject: string) => ReadonlySet<string>;
  multiplier: (campaignId: string) => number;
  /** What feedback and clicks taught about the places of a publisher. */
  calibrationOffset: (publisherId: string, placements: readonly string[]) => number;
  /** What the campaign's own split leaves a group today. */
  groupRoom: (adGroupId: string) => number;
}

export interface Asked {
  requestId: string;
  now: number;
  /** The conversation as the matcher read it. */
  query: MatchQuery;
  publisher: PublisherAccount;
  body: AdRequest;
  audience: Audience;
  /** Whose showings are counted; null: nobody's may be. */
  subjects: { session: string; user: string } | null;
  /** Under which names dislikes were given. */
  dislikers: readonly string[];
  /** What the person decided not to see. */
  choices?: Pick<PersonChoices, 'advertisers' | 'ads'>;
  /** The arm of an experiment the person is in; without it nobody is in any. */
  variantOf?: ((experiment: Experiment) => string | null) | undefined;
  /** Whose ads may take part, where that is not everybody's. */
  accepts?: ((advertiserId: string) => boolean) | undefined;
}

const matchLimit = 48;
const noLimit = Number.MAX_SAFE_INTEGER;

/**
 * Who wins a request, once its conversation is read: from memory, without I/O. A test request
 * ignores everything but fit. Who lost is told until the next request is decided.
 */
export function createDecider(deps: DeciderDeps): (asked: Asked) => Decision {
  const sheet = new Sheet();
  return (asked) => {
    const { requestId, now, query, publisher, body, audience, subjects, accepts } = asked;
    const { variantOf, choices, dislikers } = asked;
    const isTest = body.testAd === true;
    const placements = body.placements.map(({ placement }) => placement);
    const input: DecisionInput = {
      now,
      seed: seedOf(requestId),
      audience,
      matches:
        query.refusal === null || isTest
          ? deps.matcher.match(isTest ? { ...query, refusal: null } : query, matchLimit)
          : [],
      offerOf: (slot) => {
        const offer = deps.inventory.offer(slot);
        return offer === undefined || accepts?.(offer.campaign.advertiserId) === false
          ? undefined
          : offer;
      },
      isForAdults: (slot) => deps.matcher.isForAdults(slot),
      calibrationOffset: isTest ? 0 : deps.calibrationOffset(publisher.id, placements),
      placements,
      minRelevance: isTest ? 0 : (body.relevancy ?? publisher.minRelevance),
      floorCpmMicros: publisher.floorCpmMicros,
      topic: query.topic?.name ?? '',
      category: query.topic?.category ?? null,
      publisherId: publisher.id,
      variantOf: variantOf ?? (() => null),
      excludedAdvertisers: new Set([
        ...publisher.blockedAdvertisers,
        ...(choices?.advertisers ?? []),
      ]),
      dislikedAds: union([
        ...dislikers.map((subject) => deps.dislikedAds(publisher.id, subject)),
        choices?.ads ?? nothing,
      ]),
      sessionCounts: isTest || subjects === null ? null : deps.sessionCaps.of(subjects.session),
      userCounts: isTest || subjects === null ? null : deps.userCaps.of(subjects.user),
      isUncounted: !isTest && subjects === null,
      sessionCap: deps.caps.session,
      userCap: deps.caps.user,
      model: deps.model,
      room: (candidate) =>
        isTest
          ? noLimit
          : Math.min(
              deps.budgets.room(candidate, publisher.id, now),
              candidate.adGroupId === null ? noLimit : deps.groupRoom(candidate.adGroupId),
            ),
      multiplier: (candidate) => deps.multiplier(candidate.campaignId),
    };
    return decideAds(input, sheet);
  };
}

const nothing: ReadonlySet<string> = new Set();

function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const some = sets.filter((set) => set.size > 0);
  return some.length <= 1 ? (some[0] ?? nothing) : new Set(some.flatMap((set) => [...set]));
}

/** Random bits of a UUIDv7 as a number. */
export function seedOf(id: string): number {
  return Number.parseInt(id.slice(28, 36), 16);
}
