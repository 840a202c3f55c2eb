import { createBudgetDays } from '../../domain/decision/budget-day.js';
import { splitBudget } from '../../domain/decision/budget-split.js';
import { createClickModel } from '../../domain/decision/click-model.js';
import { createFrequencyCaps } from '../../domain/decision/frequency-cap.js';
import { nextMultiplier } from '../../domain/decision/pacing.js';
import { createTrafficCurve } from '../../domain/decision/traffic-curve.js';
import type { TrackingToken } from '../../domain/tracking-token.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/db/db.js';
import type { Embedder } from '../../platform/embedding/embedder.js';
import type { EventRecord } from '../../platform/events/event.js';
import { errorFields, type Log } from '../../platform/log.js';
import { createAdMatcher } from './ad-matcher.js';
import { createBudgetKeeper } from './budget-keeper.js';
import { createDislikes } from './dislikes.js';
import { followInventory, type LiveInventory } from './follow-inventory.js';
import type { Offer } from './inventory.js';
import { addClickCounts, countLiveNodes, type CountRow, type GroupRow, loadClickCounts, loadGroupResults, loadSpent, loadTraffic } from './queries.js';
import { createAdServer, type ServingDeps } from './serve-ads.js';
import { createStoredEmbeddings } from '../../platform/embedding/stored-embeddings.js';

export interface ServingOptions extends Pick<ServingDeps, 'clock' | 'mintId' | 'node' | 'eventLog' | 'trackingKeys' | 'urls' | 'caps'> {
  db: Database;
  log: Log;
  clock: Clock;
  embedder: Embedder;
  impressionWindowMs: number;
}

/**
 * Most clicks follow within seconds. Keeping a whole click's price aside for longer starves campaigns that pay per click:
 * in the market simulator they used 72 % of their budget with half an hour and 97 % with half a minute. A later click is
 * charged if there is room.
 */
const clickHoldMs = 30_000;
const balanceEveryMs = 500;
const paceEveryMs = 60_000;

/** Everything that stands behind the ad route: inventory, matching, budgets, pacing and what was learned, in memory and kept up to date. */
export async function startServing(options: ServingOptions) {
  const { db, log, clock, embedder } = options;
  const days = createBudgetDays();
  const model = createClickModel();
  model.addCounts(await loadClickCounts(db));
  const curve = createTrafficCurve();
  for (const { bucket, requests } of await loadTraffic(db, new Date(clock() - 8 * 86_400_000))) curve.observe(bucket.getTime(), requests);
  const today = (): string => new Date(clock()).toISOString().slice(0, 10);
  const matcher = createAdMatcher({ embedder, embedStored: createStoredEmbeddings(db, embedder, today), log });
  const dislikes = await createDislikes(db, log);
  const holdMs = (charge: string): number => (charge === 'cpc' ? Math.min(clickHoldMs, options.impressionWindowMs) : options.impressionWindowMs);

  const groupBudgets = new Map<string, { id: string; campaignId: string; dailyBudgetMicros: number }>();
  const slotGroups = new Map<number, string>();
  function noteBudget(slot: number, { group }: Offer): void {
    forgetBudget(slot);
    if (group === null || group.dailyBudgetMicros === null) return;
    groupBudgets.set(group.id, { id: group.id, campaignId: group.campaignId, dailyBudgetMicros: group.dailyBudgetMicros });
    slotGroups.set(slot, group.id);
  }
  function forgetBudget(slot: number): void {
    const group = slotGroups.get(slot);
    if (group !== undefined) groupBudgets.delete(group);
    slotGroups.delete(slot);
  }
  let rebalance = (): void => undefined;
  const inventory: LiveInventory = await followInventory(
    db,
    model,
    {
      added(slot, offer) {
        matcher.set(slot, offer);
        noteBudget(slot, offer);
      },
      updated: noteBudget,
      removed(slot) {
        matcher.remove(slot);
        forgetBudget(slot);
      },
      changed: () => rebalance(),
    },
    log,
  );
  const budgets = createBudgetKeeper({
    db,
    log,
    node: options.node.number,
    days,
    holdMs,
    campaigns: inventory.campaigns,
    campaignOf: inventory.campaign,
    groupBudgetOf: (id) => groupBudgets.get(id)?.dailyBudgetMicros ?? null,
    groups: () => groupBudgets.values(),
    liveNodes: () => countLiveNodes(db, new Date(clock() - 20_000)),
    impressionWindowMs: options.impressionWindowMs,
  });

  const multipliers = new Map<string, number>();
  const learned = new Map<string, CountRow>();
  const groupRoom = new Map<string, number>();
  const shownShare = createShownShare();

  /** One balancing at a time; changes during one cause exactly one more. */
  let balancing: Promise<void> | null = null;
  let again = false;
  function balance(): Promise<void> {
    if (balancing !== null) {
      again = true;
      return balancing;
    }
    balancing = budgets.balance(clock()).finally(() => {
      balancing = null;
      if (!again) return;
      again = false;
      rebalance();
    });
    return balancing;
  }
  rebalance = () => void balance().catch((error: unknown) => log.warn(errorFields(error), 'budgets not balanced'));
  await balance();

  async function pace(): Promise<void> {
    const now = clock();
    const spent = new Map((await loadSpent(db, new Date(now - 2 * 86_400_000).toISOString().slice(0, 10))).map((row) => [`${row.scopeId} ${row.day}`, row.spentMicros]));
    for (const campaign of inventory.campaigns()) {
      const day = days.at(campaign.timeZone, now);
      multipliers.set(
        campaign.id,
        nextMultiplier(multipliers.get(campaign.id) ?? 1, {
          budgetMicros: campaign.dailyBudgetMicros,
          share: curve.share(day.start, day.end, now),
          spentMicros: spent.get(`${campaign.id} ${day.date}`) ?? 0,
          reservedMicros: campaign.billingModel === 'cpm' ? budgets.reserved(campaign.id, day.date) * shownShare.of() : 0,
        }),
      );
    }
    await splitGroupBudgets(now, spent);
    await saveLearned();
  }

  /** `auto_optimize_budget`: what each group of a campaign may still spend today, by how cheap its results were lately. */
  async function splitGroupBudgets(now: number, spent: ReadonlyMap<string, number>): Promise<void> {
    groupRoom.clear();
    const groups = new Map<string, GroupRow[]>();
    for (const group of inventory.groups()) groups.set(group.campaignId, [...(groups.get(group.campaignId) ?? []), group]);
    const shared = [...groups].filter(([, own]) => own.length > 1 && own.some((group) => group.autoOptimizeBudget));
    if (shared.length === 0) return;
    const results = new Map((await loadGroupResults(db, shared.map(([id]) => id), new Date(now - 7 * 86_400_000))).map((row) => [row.groupId, row]));
    for (const [campaignId, own] of shared) {
      const campaign = inventory.campaign(campaignId);
      if (campaign === undefined) continue;
      const day = days.at(campaign.timeZone, now).date;
      const result = (id: string): number => {
        const row = results.get(id);
        return (campaign.objective === 'conversions' ? row?.conversions : campaign.objective === 'clicks' ? row?.clicks : row?.impressions) ?? 0;
      };
      const split = splitBudget(campaign.dailyBudgetMicros, own.map((group) => ({ ...group, auto: group.autoOptimizeBudget, spentMicros: results.get(group.id)?.spentMicros ?? 0, results: result(group.id) })));
      for (const [groupId, amount] of split) groupRoom.set(groupId, amount - (spent.get(`${groupId} ${day}`) ?? 0));
    }
  }

  async function saveLearned(): Promise<void> {
    const rows = [...learned.values()];
    learned.clear();
    try {
      await addClickCounts(db, rows);
    } catch (error) {
      // Kept for the next round.
      for (const row of rows) for (const what of ['impressions', 'clicks', 'conversions'] as const) teach(row.adId, row.topic, what, row[what]);
      throw error;
    }
  }

  function teach(adId: string, topic: string, what: 'impressions' | 'clicks' | 'conversions', count = 1): void {
    const key = `${adId} ${topic}`;
    const row = learned.get(key) ?? { adId, topic, impressions: 0, clicks: 0, conversions: 0 };
    row[what] += count;
    learned.set(key, row);
  }

  /** Recently served ads: what a beacon's token does not say and the click model wants to know. */
  const shownFacts = createShownFacts();

  const serveAds = createAdServer({
    ...options,
    matcher,
    inventory,
    model,
    budgets,
    sessionCaps: createFrequencyCaps({ windowMs: 24 * 3_600_000, maxSubjects: 100_000, maxCampaignsPerSubject: 32 }),
    userCaps: createFrequencyCaps({ windowMs: 24 * 3_600_000, maxSubjects: 100_000, maxCampaignsPerSubject: 64 }),
    dislikedAds: dislikes.of,
    multiplier: (campaignId) => multipliers.get(campaignId) ?? 1,
    onRequest: (now) => curve.observe(now, 1),
    groupRoom: (adGroupId) => groupRoom.get(adGroupId) ?? Number.MAX_SAFE_INTEGER,
    onServed(serveId, topic, relevance) {
      shownFacts.remember(serveId, topic, relevance);
      shownShare.served();
    },
  });

  const timers: NodeJS.Timeout[] = [];
  return {
    serveAds,
    inventory,
    matcher,
    model,
    holdMs,
    /** A counted impression or click: settles its reservation and teaches the click model. */
    onCounted(event: EventRecord, token: TrackingToken): void {
      if (event.holds !== undefined) budgets.settle(token.serveId);
      const facts = shownFacts.of(token.serveId);
      if (facts === undefined) return;
      const shown = { adSlot: model.adSlot(token.adId), topicSlot: model.topicSlot(facts.topic), relevance: facts.relevance, placement: token.placement };
      if (event.kind === 'impression') {
        shownShare.shown();
        model.observeImpression(shown);
      } else model.observeClick(shown);
      teach(token.adId, facts.topic, event.kind === 'impression' ? 'impressions' : 'clicks');
    },
    onConversion(adId: string): void {
      model.observeConversion(model.adSlot(adId));
      teach(adId, '', 'conversions');
    },
    balance,
    pace,
    start(): void {
      const every = (ms: number, work: () => Promise<void>, what: string): void => {
        const timer = setInterval(() => void work().catch((error: unknown) => log.warn(errorFields(error), what)), ms);
        timer.unref();
        timers.push(timer);
      };
      every(balanceEveryMs, balance, 'budgets not balanced');
      every(paceEveryMs, pace, 'pacing not updated');
    },
    async close(): Promise<void> {
      for (const timer of timers) clearInterval(timer);
      await inventory.close();
      await dislikes.close();
      await balancing?.catch(() => undefined);
      await saveLearned().catch((error: unknown) => log.warn(errorFields(error), 'learning not saved'));
      await budgets.close();
    },
  };
}

export type Serving = Awaited<ReturnType<typeof startServing>>;

/** Which share of served ads is seen, so that pacing expects what reservations will really cost. */
function createShownShare() {
  let served = 100;
  let shown = 80;
  return {
    of: () => Math.min(1, shown / served),
    served(): void {
      served += 1;
      if (served < 20_000) return;
      served /= 2;
      shown /= 2;
    },
    shown: (): void => void (shown += 1),
  };
}

function createShownFacts() {
  const limit = 200_000;
  const facts = new Map<string, { topic: string; relevance: number }>();
  return {
    of: (serveId: string) => facts.get(serveId),
    remember(serveId: string, topic: string, relevance: number): void {
      facts.set(serveId, { topic, relevance });
      if (facts.size <= limit) return;
      const oldest = facts.keys().next();
      if (oldest.done !== true) facts.delete(oldest.value);
    },
  };
}
