// Does the click model find the ads worth showing? One stream of requests, decided by the real
// scoring and auction, clicked by a hidden truth.
import {
  type ClickModel,
  type ClickModelOptions,
  createClickModel,
} from '../../src/domain/decision/click-model.js';
import { type Entry, runAuction } from '../../src/domain/decision/run-auction.js';
import { scoreCandidates, type Found } from '../../src/domain/decision/score-candidates.js';
import { createRandom } from '../../src/domain/decision/seeded-random.js';
import { makeCandidate, makeRequest, perClick } from './make-candidate.js';

export type LearnOptions = {
  seed: number;
  ads: number;
  topics: number;
  /** Impressions after which to report. */
  checkpoints: number[];
  model?: Partial<ClickModelOptions>;
};

export type LearnReport = {
  impressions: number;
  /**
   * Value lost against always showing the best ad, since the start; value is bid times true click
   * chance.
   */
  regret: number;
  /** The same for ranking by bid times relevance. */
  baselineRegret: number;
  /** Predicted clicks over clicks, since the last checkpoint. */
  calibration: number;
};

export function learnClicks(options: LearnOptions): LearnReport[] {
  const random = createRandom(options.seed);
  const world = createWorld(options, random);
  const model = createClickModel(options.model);
  const candidates = world.bids.map((bid, ad) =>
    makeCandidate(`ad-${ad}`, model.adIndex(`ad-${ad}`), perClick(bid)),
  );
  const reports: LearnReport[] = [];
  const sum = { best: 0, shown: 0, baseline: 0, predicted: 0, clicks: 0 };
  const last = Math.max(...options.checkpoints);
  for (let impression = 1; impression <= last; impression++) {
    const topic = world.nextTopic(random);
    const topicIndex = model.topicIndex(`topic-${topic}`);
    const found: Found[] = [];
    let best = 0;
    let baseline = 0;
    let baselineScore = 0;
    for (const [ad, affinity] of world.byTopic[topic] ?? []) {
      const candidate = candidates[ad];
      if (candidate === undefined) continue;
      const relevance = clamp(affinity + 0.1 * gauss(random), 0.05, 1);
      found.push({ candidate, relevance });
      const value = (world.bids[ad] ?? 0) * world.ctr(ad, topic, relevance);
      best = Math.max(best, value);
      const score = (world.bids[ad] ?? 0) * relevance;
      if (score > baselineScore) [baselineScore, baseline] = [score, value];
    }
    const seed = Math.floor(random() * 2 ** 31);
    const entry = winnerOf(found, model, topicIndex, seed);
    if (entry === undefined) continue;
    const ad = candidates.indexOf(entry.candidate);
    const truth = world.ctr(ad, topic, entry.relevance);
    sum.best += best;
    sum.baseline += baseline;
    sum.shown += (world.bids[ad] ?? 0) * truth;
    sum.predicted += entry.pctr;
    const shown = {
      adIndex: entry.candidate.adIndex,
      topicIndex,
      relevance: entry.relevance,
      placement: 'below_response',
    };
    model.observeImpression(shown);
    if (random() < truth) {
      model.observeClick(shown);
      sum.clicks++;
    }
    if (options.checkpoints.includes(impression)) {
      reports.push({
        impressions: impression,
        regret: 1 - sum.shown / sum.best,
        baselineRegret: 1 - sum.baseline / sum.best,
        calibration: sum.predicted / sum.clicks,
      });
      sum.predicted = 0;
      sum.clicks = 0;
    }
  }
  return reports;
}

const request = makeRequest();

function winnerOf(
  found: Found[],
  model: ClickModel,
  topicIndex: number,
  seed: number,
): Entry | undefined {
  const { entries } = scoreCandidates(found, {
    request,
    model,
    topicIndex,
    minRelevance: 0,
    room: () => Infinity,
    multiplier: () => 1,
    seed,
  });
  const { winners } = runAuction({
    entries,
    placements: [{ factor: 1, floorCpmMicros: 0 }],
    minRelevance: 0,
    reserveCpmMicros: 0,
    seed,
  });
  return winners[0]?.entry;
}

/**
 * The hidden truth: ads differ in appeal, ads differ by topic, and relevance matters in a shape the
 * model does not start with.
 */
function createWorld({ ads, topics }: LearnOptions, random: () => number) {
  const bids = Array.from({ length: ads }, () =>
    Math.round(1_000_000 * Math.exp(0.5 * gauss(random))),
  );
  const appeal = Array.from({ length: ads }, () => Math.exp(0.5 * gauss(random)));
  const fit = Array.from({ length: ads * topics }, () => Math.exp(0.3 * gauss(random)));
  const byTopic: [ad: number, affinity: number][][] = Array.from({ length: topics }, () => []);
  for (let ad = 0; ad < ads; ad++) {
    const home = Math.floor(random() * topics);
    byTopic[home]?.push([ad, 0.6 + 0.35 * random()]);
    for (let other = 0; other < 2; other++) {
      const topic = Math.floor(random() * topics);
      if (topic !== home) byTopic[topic]?.push([ad, 0.25 + 0.4 * random()]);
    }
  }
  const popularity = Array.from({ length: topics }, (_, i) => 1 / Math.sqrt(i + 1));
  const total = popularity.reduce((sum, p) => sum + p, 0);
  return {
    bids,
    byTopic,
    ctr: (ad: number, topic: number, relevance: number) =>
      Math.min(0.5, 0.025 * (appeal[ad] ?? 1) * (fit[ad * topics + topic] ?? 1) * relevance ** 1.4),
    nextTopic(next: () => number): number {
      let left = next() * total;
      for (let topic = 0; topic < topics; topic++) {
        left -= popularity[topic] ?? 0;
        if (left < 0) return topic;
      }
      return topics - 1;
    },
  };
}

function gauss(random: () => number): number {
  return Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}
