import type { ClickModel } from '../../../domain/decision/click-model.js';
import type { Experiment } from '../../../domain/decision/candidate.js';
import { Sheet } from '../../../domain/decision/contenders.js';
import type { FrequencyCaps } from '../../../domain/decision/frequency-cap.js';
import type { Match } from '../../../domain/matching/match.js';
import type { MatchQuery } from '../../../domain/matching/match-query.js';
import type { PublisherAccount } from '../../../platform/auth/queries.js';
import type { PersonChoices } from '../../../platform/privacy/choices.js';
import type { AdMatcher } from './ad-matcher.js';
import type { BudgetKeeper } from '../budgets/budget-keeper.js';
import { type Decision, decideAds, type DecisionInput } from './decide-ads.js';
import { createLineups, type LineupDeps } from './line-up.js';
import type { Audience } from '../read-request.js';
import type { AdRequest } from '../schema.js';

export interface DeciderDeps extends LineupDeps {
  matcher: AdMatcher;
  model: ClickModel;
  budgets: BudgetKeeper;
  sessionCaps: FrequencyCaps;
  userCaps: FrequencyCaps;
  caps: { session: number; user: number };
  dislikedAds: (publisherId: string, subject: string) => ReadonlySet<string>;
  /** What feedback and clicks taught about the places of a publisher. */
  calibrationOffset: (publisherId: string, placements: readonly string[]) => number;
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
const nobody: readonly Match[] = [];
const noLimit = (): number => Number.MAX_SAFE_INTEGER;

/**
 * Who wins a request, once its conversation is read: from memory, without I/O. A test request
 * ignores everything but fit. Who lost is told until the next request is decided.
 */
export function createDecider(deps: DeciderDeps): (asked: Asked) => Decision {
  const sheet = new Sheet();
  const lineUp = createLineups(deps);
  return (asked) => {
    const { requestId, now, query, publisher, body, audience, subjects, accepts } = asked;
    const { variantOf, choices, dislikers } = asked;
    const isTest = body.testAd === true;
    const placements = body.placements.map(({ placement }) => placement);
    const matches =
      query.refusal === null || isTest
        ? deps.matcher.match(isTest ? { ...query, refusal: null } : query, matchLimit)
        : nobody;
    const lineup = lineUp(matches, now, accepts);
    const input: DecisionInput = {
      now,
      seed: seedOf(requestId),
      audience,
      lineup,
      isForAdults: (slot) => deps.matcher.isForAdults(slot),
      calibrationOffset: isTest ? 0 : deps.calibrationOffset(publisher.id, placements),
      placements,
      minRelevance: isTest ? 0 : (body.relevancy ?? publisher.minRelevance),
      floorCpmMicros: publisher.floorCpmMicros,
      topic: query.topic?.name ?? '',
      category: query.topic?.category ?? null,
      publisherId: publisher.id,
      variantOf: variantOf ?? (() => null),
      excludedAdvertisers: together(
        publisher.blockedAdvertisers.length === 0 ? nothing : new Set(publisher.blockedAdvertisers),
        choices?.advertisers ?? nothing,
      ),
      dislikedAds: dislikers.reduce(
        (all, subject) => together(all, deps.dislikedAds(publisher.id, subject)),
        choices?.ads ?? nothing,
      ),
      sessionCounts: isTest || subjects === null ? null : deps.sessionCaps.of(subjects.session),
      userCounts: isTest || subjects === null ? null : deps.userCaps.of(subjects.user),
      isUncounted: !isTest && subjects === null,
      sessionCap: deps.caps.session,
      userCap: deps.caps.user,
      model: deps.model,
      roomOf: isTest ? noLimit : (index) => lineup.roomOf(index, publisher.id, now),
    };
    return decideAds(input, sheet);
  };
}

const nothing: ReadonlySet<string> = new Set();

/** Mostly there is nothing in one of them. */
function together(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  if (one.size === 0) return other;
  return other.size === 0 ? one : new Set([...one, ...other]);
}

/** Random bits of a UUIDv7 as a number. */
export function seedOf(id: string): number {
  return Number.parseInt(id.slice(28, 36), 16);
}
