import { bestFit, recordDecision } from '../../domain/decision/decision-record.js';
import { type NoAdReason, noAdReason } from '../../domain/decision/no-ad-reason.js';
import type { MatchQuery } from '../../domain/matching/match-query.js';
import { chance } from '../../domain/reading/calibration.js';
import { supplyChainOf } from '../../domain/supply-chain.js';
import type { PrivacyDecision } from '../../domain/privacy/weigh-signals.js';
import type { PublisherAccount } from '../../platform/auth/queries.js';
import { remember } from '../../platform/bounded-cache.js';
import type { Clock } from '../../platform/clock.js';
import { AppError } from '../../platform/errors.js';
import type { PublicUrls } from '../../platform/public-urls.js';
import type { EventRecord } from '../../platform/events/event.js';
import type { EventLog } from '../../platform/events/event-log.js';
import type { DecidedRequest } from './learning/asked-sample.js';
import { bindPrivacy, type BoundPerson, linkedIdentity, privacyRecord } from './bind-privacy.js';
import type { Decision } from './deciding/decide-ads.js';
import { createDecider, type DeciderDeps, seedOf } from './deciding/decide-request.js';
import { choosingPerson, createAdDisclosure, type DisclosingDeps } from './showing/disclose-ad.js';
import { type Answering, type FillDeps, serveWinner, testAds } from './showing/fill-placements.js';
import { createEnrolment, type Enrolled } from './deciding/enrol-people.js';
import type { Audience } from './read-request.js';
import type { AnsweredRequest } from './learning/reading-counts.js';
import { createNaming } from './showing/user-names.js';
import type { AdRequest, ServedAd } from './schema.js';

export interface ServingDeps extends DeciderDeps, DisclosingDeps, FillDeps {
  clock: Clock;
  urls: PublicUrls;
  eventLog: Pick<EventLog, 'appendEntry'>;
  /** Of the installation: nobody else can tell who is in which arm. */
  experimentSecret: string;
  onRequest: (now: number) => void;
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

export type ServeAds = (
  requestId: string,
  publisher: PublisherAccount,
  body: AdRequest,
  audience: Audience,
  /** Whether nobody waits for the answer any more. */
  isGone?: () => boolean,
  accepts?: (advertiserId: string) => boolean,
) => Promise<AdAnswer>;

/**
 * How many candidates of a decision are kept to explain it: the winners, and who came next. They
 * are most of what a request leaves on the disk.
 */
const recorded = 6;

/**
 * Asks for ads: reads the conversation, decides, reserves, records, answers. Durable before it
 * resolves.
 */
export function createAdServer(deps: ServingDeps): ServeAds {
  const decide = createDecider(deps);
  const enrolment = createEnrolment(deps.experimentSecret);
  const systemDomain = remember((url: string) => new URL(url).hostname, 10);
  const namesOf = createNaming(deps.pseudonyms);

  return async (requestId, publisher, body, asked, isGone, accepts) => {
    const isTest = body.testAd === true;
    const person = bindPrivacy(deps, publisher.id, body, asked);
    const { audience, privacy } = person;
    const query = await deps.matcher.read(
      body.messages,
      excludedTopics(publisher, body, person),
      publisher.id,
    );
    // Nothing is reserved or stored for an answer nobody reads.
    if (isGone?.() === true) throw new AppError('request_timeout');
    const now = deps.clock();
    if (!isTest) deps.onRequest(now);
    const choosing = choosingPerson(publisher.id, person);
    const armOf = isTest || !mayExperiment(person) ? undefined : enrolment.armsOf(choosing.subject);
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
        : enrol(deps, enrolment, decision, choosing.subject, audience, armOf, now);
    const request: Answering = {
      requestId,
      publisher,
      body,
      person,
      query,
      topic: query.topic?.name ?? '',
      now,
      armOf,
      unit: choosing.subject,
      tell: createAdDisclosure(deps, choosing, audience.languages),
      schain: supplyChainOf(systemDomain(deps.urls.platform), publisher.id, requestId),
      events: [],
    };
    const ads = isTest ? testAds(deps, request, decision) : serveWinners(deps, request, decision);
    const reason = ads.length > 0 ? null : reasonFor(query, decision);
    if (!isTest) noteAnswer(deps, request, decision, reason, ads.length);
    const named = isTest ? null : namesOf(publisher.id, person.userId, audience.name);
    const events = [requestEvent(deps, request, decision, reason, named), ...request.events];
    await deps.eventLog.appendEntry({
      events,
      ...(enrolled.length === 0 ? {} : { rows: { experiment_units: enrolled } }),
    });
    return { ads, noAdReason: reason, privacy };
  };
}

function enrol(
  deps: ServingDeps,
  enrolment: ReturnType<typeof createEnrolment>,
  decision: Decision,
  unit: string,
  audience: Audience,
  armOf: NonNullable<Answering['armOf']>,
  now: number,
): Enrolled[] {
  const viewerOf = (advertiserId: string): string | null =>
    linkedIdentity(deps, advertiserId, audience);
  return enrolment.newOf(decision, { unit, viewerOf }, armOf, now);
}

const none: readonly string[] = [];

function excludedTopics(
  publisher: PublisherAccount,
  body: AdRequest,
  person: BoundPerson,
): readonly string[] {
  const { topics } = person.choices;
  const asked = body.excludedTopics ?? none;
  if (publisher.excludedTopics.length + asked.length + topics.size === 0) return none;
  return [...publisher.excludedTopics, ...asked, ...topics].filter((topic) => topic.trim() !== '');
}

/** Who wants nothing personal is part of no experiment. */
function mayExperiment({ privacy: { permissions } }: BoundPerson): boolean {
  return permissions.personal_choice && permissions.user_reports;
}

function serveWinners(deps: ServingDeps, request: Answering, decision: Decision): ServedAd[] {
  const ads: ServedAd[] = [];
  for (const winner of decision.winners) {
    const ad = serveWinner(deps, request, winner, decision);
    if (ad !== null) ads.push(ad);
  }
  return ads;
}

function reasonFor(query: MatchQuery, decision: Decision): NoAdReason {
  return decision.winners.length > 0 ? 'no_budget' : noAdReason(query, decision);
}

/** Tells those who count requests and sample what was asked. */
function noteAnswer(
  deps: ServingDeps,
  { requestId, publisher, body, person, query, now }: Answering,
  decision: Decision,
  reason: NoAdReason | null,
  wins: number,
): void {
  const { country, device } = person.audience;
  deps.onAnswered({
    publisherId: publisher.id,
    now,
    outcome: reason ?? 'served',
    isUnread: query.foreign,
    country,
    device,
    wins,
  });
  deps.onDecided({
    now,
    seed: seedOf(requestId),
    query,
    decision,
    country,
    device,
    shift: decision.calibrationOffset,
    minRelevance: body.relevancy ?? publisher.minRelevance,
    floorCpmMicros: publisher.floorCpmMicros,
    places: body.placements.length,
    mayKeep: person.privacy.permissions.query_storage,
  });
}

function requestEvent(
  deps: ServingDeps,
  { requestId, publisher, body, person, query, topic, now }: Answering,
  decision: Decision,
  reason: NoAdReason | null,
  named: EventRecord['userName'] | null,
): EventRecord {
  return {
    id: requestId,
    kind: 'request',
    at: now,
    publisherId: publisher.id,
    userId: person.userId,
    userName: named ?? undefined,
    country: person.audience.country,
    device: person.audience.device,
    test: body.testAd === true,
    // What there is nothing to say of is left out where it is written.
    data: {
      topic: topic === '' ? undefined : topic,
      need: reason ?? undefined,
      why: query.refusal?.detail,
      privacy: privacyRecord(person.privacy),
    },
    record: recordDecision(decision, recorded, {
      matching: deps.matcher.mode,
      model: deps.matcher.version,
      clicksLearned: deps.model.clicksLearned(),
      reading: readingOf(query, decision),
    }),
  };
}

/** Chances in thousandths, and nothing of what was said: need, sensitivity, need before, fit. */
function readingOf(
  { reading, foreign }: MatchQuery,
  decision: Decision,
): (number | null)[] | 'unread' | null {
  if (foreign) return 'unread';
  if (reading === null) return null;
  const thousandths = (share: number): number => Math.round(share * 1000);
  return [
    thousandths(chance(reading.need)),
    thousandths(chance(reading.never)),
    reading.earlier === null ? null : thousandths(chance(reading.earlier)),
    Math.round((bestFit(decision) ?? 0) / 1000),
  ];
}
