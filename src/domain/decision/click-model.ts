// How likely an ad is clicked, and a click converts. Everything learned is a sum of counts, so it
// can be saved, added up across nodes and rebuilt from totals. Only valid traffic may be shown to
// it: bots, test ads and marked events are the caller's to keep out.
import { type Placement, placements } from '../placement.js';
import { createDenseCountTable } from './count-table.js';
import { createRateTree, MOST_TOPICS, type RateTree } from './rate-tree.js';
import { normalAt } from './seeded-random.js';
import { createShapeFactors, type ShapeFactors } from './shape-factors.js';

export type Shown = { adIndex: number; topicIndex: number; relevance: number; placement: string };

export type ClickModel = {
  /**
   * These numbers are stable while the process lives: look them up when the inventory snapshot is
   * built.
   */
  adIndex(adId: string): number;
  topicIndex(topic: string): number;
  /**
   * Chance of a click when shown in a placement of factor 1. The best estimate, never the exploring
   * draw.
   */
  pctr(adIndex: number, topicIndex: number, relevance: number): number;
  /** How much a placement is clicked compared to the usual one. */
  placementFactor(placement: string): number;
  /** Chance that a click converts. */
  pcvr(adIndex: number): number;
  networkPcvr(): number;
  /** How many clicks it has learned from, which tells its states apart. */
  clicksLearned(): number;
  /**
   * `pctr` moved at random inside what is not known yet: rank by this. The same (seed, ad) gives
   * the same draw.
   */
  explore(pctr: number, adIndex: number, topicIndex: number, seed: number): number;
  observeImpression(shown: Shown): void;
  observeClick(shown: Shown): void;
  observeConversion(adIndex: number): void;
  /** Counts from elsewhere, such as the store's totals. Additive. */
  addCounts(rows: readonly CountRow[]): void;
  /** All there is to know of an ad, in place of what was known. */
  setCounts(adId: string, rows: readonly CountRow[]): void;
  /** Every ad it was told of. */
  ads(): Iterable<string>;
  snapshot(): ClickModelSnapshot;
  /**
   * Adds a snapshot to what is known: into a fresh model it restores, into a used one it merges.
   */
  restore(snapshot: ClickModelSnapshot): void;
};

export type CountRow = {
  adId: string;
  topic: string;
  impressions: number;
  clicks: number;
  conversions?: number;
};

export type ClickModelSnapshot = {
  version: 1;
  ads: string[];
  topics: string[];
  cells: [adIndex: number, topicIndex: number, exposure: number, clicks: number][];
  conversions: [adIndex: number, conversions: number][];
  /** Flat rows of (expected clicks, clicks) per step of relevance, per placement, and over all. */
  relevance: number[];
  placements: number[];
  calibration: number[];
};

export type ClickModelOptions = {
  /** Before anything is known. */
  priorCtr: number;
  priorCvr: number;
  /** How far a draw goes, in standard deviations of what is unknown; 0 never explores. */
  exploration: number;
};

export const CLICK_MODEL_DEFAULTS: ClickModelOptions = {
  priorCtr: 0.01,
  priorCvr: 0.05,
  exploration: 0.2,
};

/** Clicks that the starting shapes of relevance and placement are worth. */
const SHAPE_WEIGHT = 20;
const CALIBRATION_WEIGHT = 200;
/**
 * Expected clicks after which older ones count half: what is being corrected changes as the model
 * learns.
 */
const CALIBRATION_MEMORY = 4000;
const CVR_CLICKS = 20;
const NETWORK_CVR_CLICKS = 200;
const STEPS = 10;

/** How much a placement is clicked compared to one below the answer, until learned. */
const PLACEMENT_PRIORS: Readonly<Record<Placement, number>> = {
  above_response: 0.9,
  below_response: 1,
  inline_response: 1.1,
  left_response: 0.7,
  right_response: 0.7,
  search_result: 1.2,
  top_page: 0.8,
  bottom_page: 0.5,
  center_page: 0.9,
  left_page: 0.5,
  right_page: 0.5,
};
const placementNames: readonly string[] = placements;
/** Stands behind the others for any that is none of them. */
const OTHER_PLACEMENT_PRIOR = 1;

export function createClickModel(options: Partial<ClickModelOptions> = {}): ClickModel {
  return new CountingClickModel({ ...CLICK_MODEL_DEFAULTS, ...options });
}

class CountingClickModel implements ClickModel {
  private readonly priorCvr: number;
  private readonly exploration: number;
  private readonly adIndexes = new Map<string, number>();
  private readonly topicIndexes = new Map<string, number>();
  private readonly rates: RateTree;
  private readonly byRelevance = createShapeFactors(
    Array.from({ length: STEPS }, (_, i) => relevancePrior((i + 0.5) / STEPS)),
    SHAPE_WEIGHT,
  );
  private readonly byPlacement = createShapeFactors(
    [...placements.map((placement) => PLACEMENT_PRIORS[placement]), OTHER_PLACEMENT_PRIOR],
    SHAPE_WEIGHT,
  );
  private readonly calibration = { expected: 0, clicks: 0 };
  private readonly conversions = createDenseCountTable();
  private allConversions = 0;

  constructor({ priorCtr, priorCvr, exploration }: ClickModelOptions) {
    this.rates = createRateTree(priorCtr);
    this.priorCvr = priorCvr;
    this.exploration = exploration;
  }

  adIndex(adId: string): number {
    return indexIn(this.adIndexes, adId);
  }

  topicIndex(topic: string): number {
    return Math.min(indexIn(this.topicIndexes, topic), MOST_TOPICS - 1);
  }

  ads(): Iterable<string> {
    return this.adIndexes.keys();
  }

  pctr(ad: number, topic: number, relevance: number): number {
    return Math.min(
      0.95,
      this.rates.rate(ad, topic) * relevanceFactor(this.byRelevance, relevance) * this.correction(),
    );
  }

  /** Bounded: a backlog that brings many impressions before their clicks must not throw it off. */
  private correction(): number {
    const { clicks, expected } = this.calibration;
    return Math.min(
      1.4,
      Math.max(0.7, (CALIBRATION_WEIGHT + clicks) / (CALIBRATION_WEIGHT + expected)),
    );
  }

  placementFactor(placement: string): number {
    return this.byPlacement.factor(placementNumber(placement));
  }

  pcvr(ad: number): number {
    return Math.min(
      1,
      (CVR_CLICKS * this.networkPcvr() + this.conversions.first(ad)) /
        (CVR_CLICKS + this.rates.clicksOf(ad)),
    );
  }

  networkPcvr(): number {
    return Math.min(
      1,
      (NETWORK_CVR_CLICKS * this.priorCvr + this.allConversions) /
        (NETWORK_CVR_CLICKS + this.rates.totalClicks()),
    );
  }

  clicksLearned(): number {
    return this.rates.totalClicks();
  }

  explore(pctr: number, ad: number, topic: number, seed: number): number {
    if (this.exploration === 0) return pctr;
    const step = this.exploration * normalAt(seed, ad) * this.rates.doubt(ad, topic);
    return pctr * Math.max(0.1, 1 + step);
  }

  observeImpression(shown: Shown): void {
    const rate = this.rates.rate(shown.adIndex, shown.topicIndex);
    const relevance = relevanceFactor(this.byRelevance, shown.relevance);
    const index = placementNumber(shown.placement);
    const placement = this.byPlacement.factor(index);
    this.byRelevance.observe(stepOf(shown.relevance), rate * placement, 0);
    this.byPlacement.observe(index, rate * relevance, 0);
    this.calibrate(rate * relevance * placement, 0);
    this.rates.add(shown.adIndex, shown.topicIndex, relevance * placement, 0);
  }

  observeClick(shown: Shown): void {
    this.byRelevance.observe(stepOf(shown.relevance), 0, 1);
    this.byPlacement.observe(placementNumber(shown.placement), 0, 1);
    this.calibrate(0, 1);
    this.rates.add(shown.adIndex, shown.topicIndex, 0, 1);
  }

  private calibrate(expected: number, clicks: number): void {
    const { calibration } = this;
    calibration.expected += expected;
    calibration.clicks += clicks;
    if (calibration.expected < CALIBRATION_MEMORY) return;
    calibration.expected /= 2;
    calibration.clicks /= 2;
  }

  observeConversion(ad: number): void {
    this.addConversions(ad, 1);
  }

  private addConversions(ad: number, count: number): void {
    this.conversions.add(ad, count, 0);
    this.allConversions += count;
  }

  addCounts(rows: readonly CountRow[]): void {
    for (const { adId, topic, impressions, clicks, conversions } of rows) {
      this.rates.add(this.adIndex(adId), this.topicIndex(topic), impressions, clicks);
      if (conversions !== undefined) this.addConversions(this.adIndex(adId), conversions);
    }
  }

  setCounts(adId: string, rows: readonly CountRow[]): void {
    const ad = this.adIndex(adId);
    const byTopic = new Map(rows.map((row) => [this.topicIndex(row.topic), row]));
    for (const topic of new Set([...this.rates.topicsOf(ad), ...byTopic.keys()])) {
      const row = byTopic.get(topic);
      this.rates.set(ad, topic, row?.impressions ?? 0, row?.clicks ?? 0);
    }
    const converted = rows.reduce((sum, row) => sum + (row.conversions ?? 0), 0);
    this.addConversions(ad, converted - this.conversions.first(ad));
  }

  snapshot(): ClickModelSnapshot {
    return {
      version: 1,
      ads: [...this.adIndexes.keys()],
      topics: [...this.topicIndexes.keys()],
      cells: this.rates.rows(),
      conversions: this.conversions.rows().map(([ad, count]) => [ad, count]),
      relevance: this.byRelevance.rows(),
      placements: this.byPlacement.rows(),
      calibration: [this.calibration.expected, this.calibration.clicks],
    };
  }

  restore(saved: ClickModelSnapshot): void {
    const ads = saved.ads.map((adId) => this.adIndex(adId));
    const topics = saved.topics.map((topic) => this.topicIndex(topic));
    for (const [ad, topic, exposure, clicks] of saved.cells)
      this.rates.add(ads[ad] ?? 0, topics[topic] ?? 0, exposure, clicks);
    for (const [ad, count] of saved.conversions) this.addConversions(ads[ad] ?? 0, count);
    restoreShape(this.byRelevance, saved.relevance);
    restoreShape(this.byPlacement, saved.placements);
    this.calibrate(saved.calibration[0] ?? 0, saved.calibration[1] ?? 0);
  }
}

/** A relevant ad is clicked more, and a middling one about as often as the network's average. */
function relevancePrior(relevance: number): number {
  return (0.15 + 0.85 * relevance) / 0.7;
}

/** Linear between the middles of the steps. */
function relevanceFactor(shape: ShapeFactors, relevance: number): number {
  const at = Math.min(STEPS - 1, Math.max(0, relevance * STEPS - 0.5));
  const low = Math.min(STEPS - 2, Math.floor(at));
  return shape.factor(low) + (at - low) * (shape.factor(low + 1) - shape.factor(low));
}

function stepOf(relevance: number): number {
  return Math.min(STEPS - 1, Math.max(0, Math.floor(relevance * STEPS)));
}

function placementNumber(placement: string): number {
  const index = placementNames.indexOf(placement);
  return index < 0 ? placementNames.length : index;
}

function indexIn(known: Map<string, number>, name: string): number {
  const index = known.get(name);
  if (index !== undefined) return index;
  known.set(name, known.size);
  return known.size - 1;
}

function restoreShape(shape: ShapeFactors, rows: readonly number[]): void {
  for (let i = 0; 2 * i + 1 < rows.length; i++)
    shape.observe(i, rows[2 * i] ?? 0, rows[2 * i + 1] ?? 0);
}
