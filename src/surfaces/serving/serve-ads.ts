import { isBilledAt, usualModel } from '../../domain/billing/billing-models.js';
import type { Candidate } from '../../domain/decision/candidate.js';
import { recordDecision } from '../../domain/decision/decision-record.js';
import { type NoAdReason, noAdReason } from '../../domain/decision/no-ad-reason.js';
import type { Winner } from '../../domain/decision/run-auction.js';
import type { MatchQuery } from '../../domain/matching/match-query.js';
import type { Placement } from '../../domain/placement.js';
import { chance } from '../../domain/reading/calibration.js';
import { supplyChainOf } from '../../domain/supply-chain.js';
import { nilUuid } from '../../domain/uuid.js';
import type { PrivacyDecision } from '../../domain/privacy/weigh-signals.js';
import { sealToken, type TrackingToken } from '../../domain/tracking-token.js';
import type { PublisherAccount } from '../../platform/auth/queries.js';
import { remember } from '../../platform/bounded-cache.js';
import type { Clock } from '../../platform/clock.js';
import { AppError } from '../../platform/errors.js';
import type { EventRecord } from '../../platform/events/event.js';
import type { EventLog } from '../../platform/events/event-log.js';
import type { MintId } from '../../platform/ids.js';
import type { RandomBytes } from '../../platform/random-bytes.js';
import type { PublicUrls } from '../../platform/public-urls.js';
import type { TrackingKeys } from '../../platform/secrets/tracking-keys.js';
import type { DecidedRequest } from './learning/asked-sample.js';
import { bindPrivacy, linkedIdentity, type PrivacyDeps, privacyRecord } from './bind-privacy.js';
import type { Decision } from './deciding/decide-ads.js';
import { createDecider, type DeciderDeps, seedOf } from './deciding/decide-request.js';
import { choosingPerson, createAdDisclosure, type DisclosingDeps } from './showing/disclose-ad.js';
import { createEnrolment } from './deciding/enrol-people.js';
import { type Creative, creativeOfAd, type Offer } from './inventory/inventory.js';
import type { Audience } from './read-request.js';
import type { AnsweredRequest } from './learning/reading-counts.js';
import { createNaming } from './showing/user-names.js';
import type { AdRequest, ServedAd } from './schema.js';

export interface ServingDeps extends DeciderDeps, DisclosingDeps, PrivacyDeps {
  clock: Clock;
  mintId: MintId;
  nonce: RandomBytes;
  node: { number: number };
  eventLog: Pick<EventLog, 'appendEntry'>;
  /** Of the installation: nobody else can tell who is in which arm. */
  experimentSecret: string;
  trackingKeys: Pick<TrackingKeys, 'current'>;
  urls: PublicUrls;
  onRequest: (now: number) => void;
  onServed: (serveId: string, topic: string, relevance: number, pctr: number) => void;
  onAnswered: (request: AnsweredRequest) => void;
  onDecided: (request: DecidedRequest) => void;
}

export interface AdAnswer {
  ads: ServedAd[];
  /** Why there is none; null when there is one. */
  noAdReason: NoAdReason | null;
  /** What was said of the person's choices and what it allowed. */
  privacy: PrivacyDecision;
}

/**
 * How many candidates of a decision are kept to explain it: the winners, and who came next. They
 * are most of what a request leaves on the disk.
 */
const recorded = 6;
const feedbackEvery = 5;

/**
 * Asks for ads: reads the conversation, decides, reserves, records, answers. Durable before it
 * resolves.
 */
export function createAdServer(deps: ServingDeps): (
  requestId: string,
  publisher: PublisherAccount,
  body: AdRequest,
  audience: Audience,
  /** Whether nobody waits for the answer any more. */
  isGone?: () => boolean,
  accepts?: (advertiserId: string) => boolean,
) => Promise<AdAnswer> {
  const decide = createDecider(deps);
  const enrolment = createEnrolment(deps.experimentSecret);
  const systemDomain = remember((url: string) => new URL(url).hostname, 10);
  const namesOf = createNaming(deps.pseudonyms);

  return async (requestId, publisher, body, asked, isGone, accepts) => {
    const isTest = body.testAd === true;
    const person = bindPrivacy(deps, publisher.id, body, asked);
    const { audience, privacy, subjects } = person;
    const isUnlinked =
      !privacy.permissions.advertiser_sharing || !privacy.permissions.conversion_matching;
    const excluded = [
      ...publisher.excludedTopics,
      ...(body.excludedTopics ?? []),
      ...person.choices.topics,
    ].filter((topic) => topic.trim() !== '');
    const query = await deps.matcher.read(body.messages, excluded, publisher.id);
    // Nothing is reserved or stored for an answer nobody reads.
    if (isGone?.() === true) throw new AppError('request_timeout');
    const now = deps.clock();
    if (!isTest) deps.onRequest(now);
    const topic = query.topic?.name ?? '';
    const choosing = choosingPerson(publisher.id, person);
    // Who wants nothing personal is part of no experiment.
    const armOf =
      isTest || !privacy.permissions.personal_choice || !privacy.permissions.user_reports
        ? undefined
        : enrolment.armsOf(choosing.subject);
    const decision = decide({
      requestId,
      now,
      query,
      publisher,
      body,
      accepts,
      variantOf: armOf,
      ...person,
    });
    const enrolled =
      armOf === undefined
        ? []
        : enrolment.newOf(
            decision,
            {
              unit: choosing.subject,
              viewerOf: (advertiserId) => linkedIdentity(deps, advertiserId, audience),
            },
            armOf,
            now,
          );
    const tell = createAdDisclosure(deps, choosing, audience.languages);
    const schain = supplyChainOf(systemDomain(deps.urls.platform), publisher.id, requestId);
    const events: EventRecord[] = [];
    const ads = isTest
      ? testAds(decision)
      : decision.winners.flatMap((winner) => serve(winner, decision));
    const reason =
      ads.length > 0
        ? null
        : decision.winners.length > 0
          ? 'no_budget'
          : noAdReason(query, decision);
    if (!isTest) {
      deps.onAnswered({
        publisherId: publisher.id,
        now,
        outcome: reason ?? 'served',
        isUnread: query.foreign,
        country: audience.country,
        device: audience.device,
        wins: ads.length,
      });
      deps.onDecided({
        now,
        seed: seedOf(requestId),
        query,
        decision,
        country: audience.country,
        device: audience.device,
        shift: deps.calibrationOffset(
          publisher.id,
          body.placements.map(({ placement }) => placement),
        ),
        minRelevance: body.relevancy ?? publisher.minRelevance,
        floorCpmMicros: publisher.floorCpmMicros,
        places: body.placements.length,
        mayKeep: privacy.permissions.query_storage,
      });
    }
    const summary = {
      topic,
      ...(reason === null ? {} : { need: reason }),
      ...(query.refusal === null ? {} : { why: query.refusal.detail }),
      ...(query.reading === null && !query.foreign ? {} : { reading: readingOf(query, decision) }),
      matching: deps.matcher.mode,
      model: [deps.matcher.version, Math.round(deps.model.clicksLearned())],
      ...bestFit(decision),
      candidates: recordDecision(decision, recorded),
      ...privacyRecord(privacy),
    };
    const named = isTest ? null : namesOf(publisher.id, person.userId, audience.name);
    events.unshift({
      id: requestId,
      kind: 'request',
      at: now,
      publisherId: publisher.id,
      userId: person.userId,
      ...(named === null ? {} : { userName: named }),
      country: audience.country,
      device: audience.device,
      test: isTest,
      data: summary,
    });
    await deps.eventLog.appendEntry({
      events,
      ...(enrolled.length === 0 ? {} : { rows: { experiment_units: enrolled } }),
    });
    return { ads, noAdReason: reason, privacy };

    function serve(winner: Winner, { offerOf }: Decision): ServedAd[] {
      const slot = body.placements[winner.placement];
      const { candidate } = winner.entry;
      const offer = offerOf(candidate.adId);
      const creative = offer === undefined ? undefined : creativeOfAd(offer, candidate.adId);
      if (slot === undefined || offer === undefined || creative === undefined) return [];
      const serveId = deps.mintId(now);
      const holds = deps.budgets.reserve(
        serveId,
        publisher.id,
        candidate,
        winner.charge,
        winner.priceMicros,
        now,
      );
      if (holds === null) return [];
      if (subjects !== null) {
        deps.sessionCaps.record(subjects.session, candidate.campaignId, now);
        deps.userCaps.record(subjects.user, candidate.campaignId, now);
      }
      const token: TrackingToken = {
        serveId,
        advertiserId: candidate.advertiserId,
        campaignId: candidate.campaignId,
        adGroupId: candidate.adGroupId,
        adId: candidate.adId,
        publisherId: publisher.id,
        placement: slot.placement,
        billingModel: winner.charge,
        priceMicros: winner.priceMicros,
        node: deps.node.number,
        test: false,
        holdsAdGroup: holds.adGroup,
        holdsAdvertiser: holds.advertiser,
        ...(isUnlinked ? { unlinked: true } : {}),
        ...(holds.campaign ? {} : { unheld: true }),
      };
      deps.onServed(serveId, topic, winner.entry.relevance, winner.entry.pctr);
      const { conversionType, cpaTrust } = offer.campaign;
      events.push(
        winEvent(token, {
          relevance: millionth(winner.entry.relevance),
          pctr: millionth(winner.entry.pctr),
          ...armFacts(candidate),
          // What a conversion is paid on was settled when the ad was shown.
          ...(isBilledAt(winner.charge, 'conversion')
            ? { terms: { type: conversionType, trust: cpaTrust } }
            : {}),
        }),
      );
      return [
        {
          ...present(token, creative, offer, slot.placement_id),
          ...told(token, creative, candidate),
        },
      ];
    }

    /**
     * Always fills: whatever fits best, else anything, else a house ad. Never reserved, counted or
     * billed.
     */
    function testAds({ winners, offerOf }: Decision): ServedAd[] {
      return body.placements.map((slot, index) => {
        const candidate = winners.find((winner) => winner.placement === index)?.entry.candidate;
        const offer = candidate === undefined ? undefined : offerOf(candidate.adId);
        const creative =
          candidate === undefined || offer === undefined
            ? undefined
            : creativeOfAd(offer, candidate.adId);
        const token: TrackingToken = {
          serveId: deps.mintId(now),
          advertiserId: candidate?.advertiserId ?? nilUuid,
          campaignId: candidate?.campaignId ?? nilUuid,
          adGroupId: candidate?.adGroupId ?? null,
          adId: candidate?.adId ?? nilUuid,
          publisherId: publisher.id,
          placement: slot.placement,
          billingModel: usualModel,
          priceMicros: 0,
          node: deps.node.number,
          test: true,
          holdsAdGroup: false,
          holdsAdvertiser: false,
        };
        events.push(winEvent(token, {}));
        const shown = creative ?? houseAd(deps.urls);
        return {
          ...present(token, shown, offer, slot.placement_id),
          ...told(token, shown, candidate),
        };
      });
    }

    function armFacts({ experiment }: Candidate): Record<string, unknown> {
      const variant = experiment === null ? null : (armOf?.(experiment) ?? null);
      return experiment === null || variant === null
        ? {}
        : { experiment: experiment.id, variant, unit: choosing.subject };
    }

    function told(
      token: TrackingToken,
      { brandName }: Creative,
      candidate: Candidate | undefined,
    ): Pick<ServedAd, 'disclosure' | 'choicesUrl' | 'schain'> {
      const { serveId, advertiserId, test: isTest } = token;
      return { ...tell({ serveId, brandName, advertiserId, candidate, isTest }), schain };
    }

    function winEvent(token: TrackingToken, facts: Record<string, unknown>): EventRecord {
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
        data: {
          ...facts,
          request: requestId,
          topic,
          ...(query.topic === null ? {} : { category: query.topic.category }),
          price_micros: token.priceMicros,
          charge: token.billingModel,
          ...(person.session === null ? {} : { session: person.session }),
          ...(identity === null ? {} : { identity }),
        },
      };
    }
  };

  function present(
    token: TrackingToken,
    creative: Creative,
    offer: Offer | undefined,
    placementId: string,
  ): Omit<ServedAd, 'disclosure' | 'choicesUrl' | 'schain'> {
    const p = sealToken(token, deps.trackingKeys.current(), deps.nonce());
    const form = offer?.campaign.leadForm ?? null;
    return {
      adText: creative.adText,
      title: creative.title,
      cta: creative.cta,
      brandName: creative.brandName,
      url: creative.url,
      ...(creative.favicon === null ? {} : { favicon: creative.favicon }),
      ...(creative.image === null ? {} : { image: creative.image }),
      impUrl: `${deps.urls.api}/ack?p=${p}`,
      clickUrl: `${deps.urls.api}/track/click?p=${p}`,
      campaignId: token.campaignId,
      placement: token.placement satisfies Placement,
      placement_id: placementId,
      ...(seedOf(token.serveId) % feedbackEvery === 0
        ? {
            feedbackPrompt: {
              question: 'Was this ad helpful?',
              reasons: [
                'not_interested',
                'irrelevant',
                'offensive',
                'repetitive',
                'misleading',
                'helpful',
              ],
            },
          }
        : {}),
      ...(form === null ? {} : { leadForm: form }),
    };
  }
}

/** The best relevance of all that took part, in millionths; nothing when nobody did. */
function bestFit({ winners, losers, rejected }: Decision): { best?: number } {
  let best = -1;
  for (const { entry } of winners) best = Math.max(best, entry.relevance);
  for (const { entry } of losers) best = Math.max(best, entry.relevance);
  for (const { relevance } of rejected) best = Math.max(best, relevance);
  return best < 0 ? {} : { best: Math.round(best * 1e6) };
}

/** Chances in thousandths, and nothing of what was said: need, sensitivity, need before, fit. */
function readingOf(
  { reading, foreign }: MatchQuery,
  { winners, losers, rejected }: Decision,
): (number | null)[] | 'unread' | null {
  if (foreign) return 'unread';
  if (reading === null) return null;
  const thousandths = (share: number): number => Math.round(share * 1000);
  const fit = Math.max(
    0,
    ...[...winners, ...losers].map(({ entry }) => entry.relevance),
    ...rejected.map(({ relevance }) => relevance),
  );
  return [
    thousandths(chance(reading.need)),
    thousandths(chance(reading.never)),
    reading.earlier === null ? null : thousandths(chance(reading.earlier)),
    thousandths(fit),
  ];
}

/** As precise as anybody reads it: digits cost room in every row. */
function millionth(share: number): number {
  return Math.round(share * 1e6) / 1e6;
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
