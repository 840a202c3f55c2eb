import { type BillingModel, holdOf } from '../../domain/billing/billing-models.js';
import { createBudgetDays } from '../../domain/decision/budget-day.js';
import { createClickModel } from '../../domain/decision/click-model.js';
import { createTrafficCurve } from '../../domain/decision/traffic-curve.js';
import type { TrackingToken } from '../../domain/tracking-token.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/db/db.js';
import type { EventLog } from '../../platform/events/event-log.js';
import { readMatchingLists } from '../../platform/catalog-folder/read-matching-lists.js';
import type { Reader } from '../../platform/embedding/create-reader.js';
import type { EventRecord } from '../../platform/events/event.js';
import type { SharedCounts } from '../../platform/shared-counts.js';
import { errorFields, type Log } from '../../platform/log.js';
import type { Metrics } from '../../platform/metrics.js';
import { oneAtATime } from '../../platform/one-at-a-time.js';
import { createAdMatcher } from './deciding/ad-matcher.js';
import { createBudgetKeeper, type LateAd } from './budgets/budget-keeper.js';
import { createDecider, type DeciderDeps } from './deciding/decide-request.js';
import { createDislikes } from './showing/dislikes.js';
import { followInventory } from './inventory/follow-inventory.js';
import { createGroupBudgets } from './budgets/group-budgets.js';
import { createCalibrationLearning } from './learning/learn-calibration.js';
import { createLearning } from './learning/learning.js';
import { createPacer } from './budgets/pacer.js';
import { createAskedSample } from './learning/asked-sample.js';
import { countLiveNodes, loadTraffic } from './queries.js';
import { createReadingCounts } from './learning/reading-counts.js';
import { createAdServer, type ServingDeps } from './serve-ads.js';
import { createShowings } from './showing/showings.js';
import { createShownFacts, createShownShare } from './showing/shown-ads.js';
import { createStoredEmbeddings } from '../../platform/embedding/stored-embeddings.js';
import { utcDay } from '../../domain/time/utc-day.js';

export interface ServingOptions extends Pick<
  ServingDeps,
  | 'clock'
  | 'mintId'
  | 'node'
  | 'trackingKeys'
  | 'trackingTokens'
  | 'urls'
  | 'caps'
  | 'disclosure'
  | 'directory'
  | 'choices'
  | 'pseudonyms'
  | 'experimentSecret'
> {
  db: Database;
  log: Log;
  clock: Clock;
  reader: Reader;
  metrics: Metrics;
  impressionWindowMs: number;
  /** The share of a budget that what one publisher has not shown may take. */
  unshownShare: number;
  sharedCounts: Pick<SharedCounts, 'space'>;
  /** Only processes that serve ads hold money. */
  holdsBudgets: boolean;
  eventLog: Pick<EventLog, 'appendEntry' | 'drain' | 'onRewound'>;
}

/**
 * Most clicks follow within seconds. Keeping a whole click's price aside for longer starves
 * campaigns that pay per click:
 * in the market simulator they used 72 % of their budget with half an hour and 97 % with half a
 * minute. A later click is
 * charged if there is room.
 */
const clickHoldMs = 30_000;
const balanceEveryMs = 500;
const paceEveryMs = 60_000;
const followEveryMs = 1_000;

/**
 * Everything that stands behind the ad route: inventory, matching, budgets, pacing and what was
 * learned, in memory and kept up to date.
 */
export async function startServing(options: ServingOptions) {
  const { db, log, clock } = options;
  const days = createBudgetDays();
  const learned = await startLearning(options);
  const { model, curve, calibration, counts, shownFacts, shownShare } = learned;
  const { matcher, lists } = startMatching(options);
  const dislikes = await createDislikes(db, log);
  const holdMs = createHoldTime(options.impressionWindowMs);
  const held = await startBudgets(options, { days, model, matcher, holdMs });
  const { inventory, budgets } = held;
  const asked = createAskedSample(db, clock, () => matcher.version);
  const pacer = createPacer({
    db,
    clock,
    days,
    curve,
    inventory,
    budgets,
    shownShare: shownShare.of,
  });
  const showings = createShowings({ db, clock, node: options.node.number });
  const deciding: DeciderDeps = {
    matcher,
    inventory,
    model,
    budgets,
    caps: options.caps,
    sessionCaps: showings.sessionCaps,
    userCaps: showings.userCaps,
    dislikedAds: dislikes.of,
    pacing: pacer,
    calibrationOffset: calibration.offset,
  };
  const serveAds = createAdServer({
    ...options,
    ...deciding,
    onRequest: (now) => curve.observe(now, 1),
    onAnswered: counts.count,
    onDecided: asked.note,
    onServed(serveId, topic, relevance, pctr) {
      shownFacts.remember(serveId, topic, relevance, pctr);
      shownShare.served();
    },
  });
  return {
    serveAds,
    /** The decision alone, for benches: nothing is reserved or recorded. */
    decide: createDecider(deciding),
    inventory,
    matcher,
    /** Of conversations, as advertisers and publishers name them. */
    categories: lists.categories,
    holdMs,
    showings,
    ...lessons(learned, budgets),
    ...rounds(options, { ...held, learned, dislikes, asked, pacer, showings }),
  };
}

/** How long the price of an ad is kept aside for it. */
const createHoldTime =
  (impressionWindowMs: number) =>
  (charge: BillingModel): number =>
    holdOf(charge) === 'moment' ? Math.min(clickHoldMs, impressionWindowMs) : impressionWindowMs;

const warning = (log: Log, what: string) => (error: unknown) => log.warn(errorFields(error), what);

/** What past traffic taught, and what counts the present one. */
async function startLearning({ db, log, clock, metrics }: ServingOptions) {
  const model = createClickModel();
  const learning = await createLearning(db, model, log);
  const curve = createTrafficCurve();
  for (const { bucket, requests } of await loadTraffic(db, new Date(clock() - 8 * 86_400_000)))
    curve.observe(bucket.getTime(), requests);
  const calibration = createCalibrationLearning(db, clock);
  await calibration.load();
  return {
    model,
    learning,
    curve,
    calibration,
    counts: createReadingCounts(db, metrics),
    shownFacts: createShownFacts(),
    shownShare: createShownShare(),
  };
}

type Learned = Awaited<ReturnType<typeof startLearning>>;

function startMatching({ db, log, clock, reader }: ServingOptions) {
  const today = (): string => utcDay(clock());
  const lists = readMatchingLists();
  const embedStored = createStoredEmbeddings(db, reader, today);
  return { lists, matcher: createAdMatcher({ reader, lists, embedStored, log }) };
}

/** The inventory, and money held for what is in it: each change of one is told to the other. */
async function startBudgets(
  options: ServingOptions,
  of: {
    days: ReturnType<typeof createBudgetDays>;
    model: Learned['model'];
    matcher: ReturnType<typeof createAdMatcher>;
    holdMs: (charge: BillingModel) => number;
  },
) {
  const { db, log, clock, holdsBudgets } = options;
  const groupBudgets = createGroupBudgets();
  let rebalance = (): void => undefined;
  const inventory = await followInventory(
    db,
    of.model,
    {
      added(slot, offer) {
        of.matcher.set(slot, offer.text);
        groupBudgets.note(slot, offer);
      },
      updated: groupBudgets.noteLive,
      removed(slot) {
        of.matcher.remove(slot);
        groupBudgets.forget(slot);
      },
      changed: () => rebalance(),
    },
    log,
  );
  const budgets = createBudgetKeeper({
    db,
    log,
    clock,
    sharedCounts: options.sharedCounts,
    settled: options.eventLog.drain,
    node: options.node.number,
    days: of.days,
    holdMs: of.holdMs,
    campaigns: inventory.campaigns,
    campaignOf: inventory.campaign,
    groupBudgets,
    liveNodes: () => countLiveNodes(db, new Date(clock() - 20_000)),
    impressionWindowMs: options.impressionWindowMs,
    unshownShare: options.unshownShare,
  });
  const balance = oneAtATime(async () => {
    if (holdsBudgets) await groupBudgets.bindAfter(() => budgets.balance(clock()));
  });
  // What is new is stocked at once, without waiting for a balancing under way.
  const stock = async (): Promise<void> => {
    if (holdsBudgets) await groupBudgets.bindAfter(() => budgets.stock(clock()));
  };
  rebalance = () => void stock().then(balance).catch(warning(log, 'budgets not balanced'));
  await balance();
  if (holdsBudgets)
    options.eventLog.onRewound(
      () => void budgets.resync().then(rebalance).catch(warning(log, 'holds not told anew')),
    );
  return { inventory, budgets, balance };
}

type Budgets = Awaited<ReturnType<typeof startBudgets>>;

/** What becomes of an ad that was served, as far as it is paid for or teaches something. */
function lessons(
  { model, learning, calibration, counts, shownFacts, shownShare }: Learned,
  budgets: Budgets['budgets'],
) {
  return {
    model,
    calibration,
    counts,
    /** A payment from the ad's hold is durable: its reservation is settled. */
    onPaid: (serveId: string): void => budgets.settle(serveId),
    reserveLate: (ad: LateAd) => budgets.reserveLate(ad),
    settleLate: (serveId: string, isCharged: boolean) => budgets.settleLate(serveId, isCharged),
    /** A counted impression or click teaches the click model. */
    onCounted(event: EventRecord, token: TrackingToken): void {
      if (event.kind === 'impression') budgets.shown(token.serveId);
      const facts = shownFacts.of(token.serveId);
      const what = event.kind === 'impression' ? 'impressions' : 'clicks';
      // Served by another node, or before this one started: it teaches about the ad alone.
      if (facts === undefined) return learning.observe(token.adId, what);
      const shown = {
        adIndex: model.adIndex(token.adId),
        topicIndex: model.topicIndex(facts.topic),
        relevance: facts.relevance,
        placement: token.placement,
      };
      if (event.kind === 'impression') {
        shownShare.shown();
        model.observeImpression(shown);
      } else model.observeClick(shown);
      calibration.teach(
        token.publisherId,
        token.placement,
        { kind: event.kind === 'impression' ? 'seen' : 'clicked', expected: facts.pctr },
        facts.relevance,
      );
      learning.teach(token.adId, facts.topic, what);
    },
    unlearn: learning.unlearn,
    /** One vote of a person about an ad. */
    onFeedback(token: TrackingToken, sentiment: 'thumbs_up' | 'thumbs_down'): void {
      calibration.teach(
        token.publisherId,
        token.placement,
        { kind: sentiment === 'thumbs_up' ? 'helpful' : 'hidden' },
        shownFacts.of(token.serveId)?.relevance,
      );
    },
    onConversion(adId: string): void {
      learning.observe(adId, 'conversions');
    },
  };
}

/** What comes round by itself while ads are served, and the end of it. */
function rounds(
  { log, eventLog, holdsBudgets }: ServingOptions,
  parts: Budgets & {
    learned: Learned;
    dislikes: { close: () => Promise<void> };
    asked: { save: () => Promise<void> };
    pacer: { pace: () => Promise<void> };
    showings: ReturnType<typeof createShowings>;
  },
) {
  const { learned, inventory, budgets, balance, dislikes, asked, pacer, showings } = parts;
  const { learning, calibration, counts } = learned;
  const timers: NodeJS.Timeout[] = [];
  const every = (ms: number, work: () => Promise<void>, what: string): void => {
    const timer = setInterval(() => void work().catch(warning(log, what)), ms);
    timer.unref();
    timers.push(timer);
  };
  const pace = async (): Promise<void> => {
    await pacer.pace();
    await learning.save();
    await calibration.save();
    await counts.save();
    await asked.save();
  };
  return {
    balance,
    pace,
    start(): void {
      every(paceEveryMs, pace, 'pacing not updated');
      if (!holdsBudgets) return;
      every(balanceEveryMs, balance, 'budgets not balanced');
      // What the process before left in the journal is part of what was shown.
      void eventLog
        .drain()
        .then(showings.recall)
        .catch(warning(log, 'earlier showings not recalled'));
      every(followEveryMs, showings.follow, 'showings of other nodes not counted');
    },
    async close(): Promise<void> {
      for (const timer of timers) clearInterval(timer);
      await inventory.close();
      await dislikes.close();
      await learning.close();
      await balance.pending()?.catch(() => undefined);
      await Promise.all([calibration.save(), counts.save(), asked.save()]).catch(
        warning(log, 'learning not saved'),
      );
      await budgets.close();
    },
  };
}

export type Serving = Awaited<ReturnType<typeof startServing>>;
