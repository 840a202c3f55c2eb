import { isBilledAt, usualModel } from '../../../domain/billing/billing-models.js';
import type { Candidate, Experiment } from '../../../domain/decision/candidate.js';
import type { Winner } from '../../../domain/decision/run-auction.js';
import type { MatchQuery } from '../../../domain/matching/match-query.js';
import type { Placement } from '../../../domain/placement.js';
import type { TrackingToken } from '../../../domain/tracking-token.js';
import { nilUuid } from '../../../domain/uuid.js';
import type { PublisherAccount } from '../../../platform/auth/queries.js';
import type { EventRecord } from '../../../platform/events/event.js';
import type { MintId } from '../../../platform/ids.js';
import type { PublicUrls } from '../../../platform/public-urls.js';
import type { TrackingTokens } from '../../../platform/secrets/tracking-tokens.js';
import { type BoundPerson, linkedIdentity, type PrivacyDeps } from '../bind-privacy.js';
import type { Decision } from '../deciding/decide-ads.js';
import { type DeciderDeps, seedOf } from '../deciding/decide-request.js';
import { type Creative, creativeOfAd, type Offer } from '../inventory/inventory.js';
import type { AdRequest, ServedAd } from '../schema.js';
import type { createAdDisclosure } from './disclose-ad.js';

export interface FillDeps
  extends PrivacyDeps, Pick<DeciderDeps, 'budgets' | 'sessionCaps' | 'userCaps'> {
  mintId: MintId;
  node: { number: number };
  trackingTokens: Pick<TrackingTokens, 'seal'>;
  urls: PublicUrls;
  onServed: (serveId: string, topic: string, relevance: number, pctr: number) => void;
}

/** One request while it is answered. */
export interface Answering {
  readonly requestId: string;
  readonly publisher: PublisherAccount;
  readonly body: AdRequest;
  readonly person: BoundPerson;
  readonly query: MatchQuery;
  readonly topic: string;
  readonly now: number;
  /** The person's arm in each experiment; undefined for who is part of none. */
  readonly armOf: ((experiment: Experiment) => string | null) | undefined;
  /** Under which name the person is in an arm. */
  readonly unit: string;
  readonly tell: ReturnType<typeof createAdDisclosure>;
  readonly schain: ServedAd['schain'];
  /** What this request leaves behind; each ad adds its own. */
  readonly events: EventRecord[];
}

const feedbackEvery = 5;

/** Null where no money can be held for it any more. */
export function serveWinner(
  deps: FillDeps,
  request: Answering,
  winner: Winner,
  decision: Decision,
): ServedAd | null {
  const { body, publisher, now, person } = request;
  const place = body.placements[winner.placementIndex];
  const { candidate } = winner.entry;
  const offer = decision.offerOf(candidate);
  const creative = offer === undefined ? undefined : creativeOfAd(offer, candidate.adId);
  if (place === undefined || offer === undefined || creative === undefined) return null;
  const serveId = deps.mintId(now);
  const holds = deps.budgets.reserve(
    serveId,
    publisher.id,
    candidate,
    winner.charge,
    winner.priceMicros,
    now,
  );
  if (holds === null) return null;
  if (person.subjects !== null) {
    deps.sessionCaps.record(person.subjects.session, candidate.campaignId, now);
    deps.userCaps.record(person.subjects.user, candidate.campaignId, now);
  }
  const { permissions } = person.privacy;
  const token: TrackingToken = {
    serveId,
    advertiserId: candidate.advertiserId,
    campaignId: candidate.campaignId,
    adGroupId: candidate.adGroupId,
    adId: candidate.adId,
    publisherId: publisher.id,
    placement: place.placement,
    billingModel: winner.charge,
    priceMicros: winner.priceMicros,
    node: deps.node.number,
    test: false,
    holdsAdGroup: holds.adGroup,
    holdsAdvertiser: holds.advertiser,
    unlinked: permissions.advertiser_sharing && permissions.conversion_matching ? undefined : true,
    unheld: holds.campaign ? undefined : true,
  };
  deps.onServed(serveId, request.topic, winner.entry.relevance, winner.entry.pctr);
  request.events.push(winEvent(deps, request, token, factsOf(request, winner, offer)));
  return present(deps, request, { token, creative, offer, candidate, id: place.placement_id });
}

/**
 * Always fills: whatever fits best, else anything, else a house ad. Never reserved, counted or
 * billed.
 */
export function testAds(deps: FillDeps, request: Answering, decision: Decision): ServedAd[] {
  return request.body.placements.map((place, index) => {
    const candidate = decision.winners.find(({ placementIndex }) => placementIndex === index)?.entry
      .candidate;
    const offer = candidate === undefined ? undefined : decision.offerOf(candidate);
    const creative =
      candidate === undefined || offer === undefined
        ? undefined
        : creativeOfAd(offer, candidate.adId);
    const token: TrackingToken = {
      serveId: deps.mintId(request.now),
      advertiserId: candidate?.advertiserId ?? nilUuid,
      campaignId: candidate?.campaignId ?? nilUuid,
      adGroupId: candidate?.adGroupId ?? null,
      adId: candidate?.adId ?? nilUuid,
      publisherId: request.publisher.id,
      placement: place.placement,
      billingModel: usualModel,
      priceMicros: 0,
      node: deps.node.number,
      test: true,
      holdsAdGroup: false,
      holdsAdvertiser: false,
    };
    request.events.push(winEvent(deps, request, token, {}));
    const shown = creative ?? houseAd(deps.urls);
    return present(deps, request, {
      token,
      creative: shown,
      offer,
      candidate,
      id: place.placement_id,
    });
  });
}

/** What the win of an ad is recorded with, beside what every win tells. */
interface WinFacts {
  readonly experiment?: string | undefined;
  readonly variant?: string | undefined;
  readonly unit?: string | undefined;
  readonly terms?: { readonly type: string | null; readonly trust: string } | undefined;
}

/** How well it fitted and what was expected of it stands in the record of its request. */
function factsOf(
  { armOf, unit }: Answering,
  { entry, charge }: Winner,
  { campaign }: Offer,
): WinFacts {
  const { experiment } = entry.candidate;
  const variant = experiment === null ? null : (armOf?.(experiment) ?? null);
  const isEnrolled = experiment !== null && variant !== null;
  return {
    experiment: isEnrolled ? experiment.id : undefined,
    variant: isEnrolled ? variant : undefined,
    unit: isEnrolled ? unit : undefined,
    // What a conversion is paid on was settled when the ad was shown.
    terms: isBilledAt(charge, 'conversion')
      ? { type: campaign.conversionType, trust: campaign.cpaTrust }
      : undefined,
  };
}

function winEvent(
  deps: FillDeps,
  { requestId, publisher, person, query, topic, now }: Answering,
  token: TrackingToken,
  { experiment, variant, unit, terms }: WinFacts,
): EventRecord {
  const { audience } = person;
  const identity = linkedIdentity(deps, token.advertiserId, audience);
  return {
    id: token.serveId,
    kind: 'win',
    at: now,
    publisherId: publisher.id,
    advertiserId: token.advertiserId,
    campaignId: token.campaignId,
    adGroupId: token.adGroupId,
    adId: token.adId,
    placement: token.placement,
    device: audience.isDeviceNamed ? audience.device : null,
    country: audience.country,
    userId: person.userId,
    test: token.test,
    node: token.node,
    requestId,
    // What there is nothing to say of is left out where it is written.
    data: {
      experiment,
      variant,
      unit,
      terms,
      topic: topic === '' ? undefined : topic,
      category: query.topic?.category,
      price_micros: token.priceMicros,
      charge: token.billingModel,
      session: person.session ?? undefined,
      identity: identity ?? undefined,
    },
  };
}

interface Shown {
  readonly token: TrackingToken;
  readonly creative: Creative;
  readonly offer: Offer | undefined;
  readonly candidate: Candidate | undefined;
  /** The publisher's name for the place. */
  readonly id: string;
}

/**
 * All of one shape, with what is absent undefined: answers put together piece by piece are each of
 * a kind of their own, which costs more to make, to write and to forget.
 */
function present(
  deps: FillDeps,
  { tell, schain }: Answering,
  { token, creative, offer, candidate, id }: Shown,
): ServedAd {
  const p = deps.trackingTokens.seal(token);
  const { serveId, advertiserId, test: isTest } = token;
  const { brandName } = creative;
  const { disclosure, choicesUrl } = tell({ serveId, brandName, advertiserId, candidate, isTest });
  return {
    adText: creative.adText,
    title: creative.title,
    cta: creative.cta,
    brandName,
    url: creative.url,
    favicon: creative.favicon ?? undefined,
    image: creative.image ?? undefined,
    impUrl: `${deps.urls.api}/ack?p=${p}`,
    clickUrl: `${deps.urls.api}/track/click?p=${p}`,
    campaignId: token.campaignId,
    placement: token.placement satisfies Placement,
    placement_id: id,
    feedbackPrompt: seedOf(serveId) % feedbackEvery === 0 ? feedbackPrompt() : undefined,
    leadForm: offer?.campaign.leadForm ?? undefined,
    disclosure,
    choicesUrl,
    schain,
  };
}

function feedbackPrompt(): NonNullable<ServedAd['feedbackPrompt']> {
  return {
    question: 'Was this ad helpful?',
    reasons: ['not_interested', 'irrelevant', 'offensive', 'repetitive', 'misleading', 'helpful'],
  };
}

function houseAd(urls: PublicUrls): Creative {
  return {
    title: 'Sidelight test ad',
    brandName: 'Sidelight',
    adText: 'This is a test ad. It works end to end and is never counted or billed.',
    cta: 'See the docs',
    url: `${urls.platform}/docs`,
    favicon: null,
    image: null,
  };
}
