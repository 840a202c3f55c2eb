// Click rates at three levels: the network, an ad, an ad in a topic. Each level starts from the one
// above and moves to its own counts. A pure function of per-(ad, topic) counts: the order in which
// they came does not matter.
import { createCountTable, createDenseCountTable } from './count-table.js';

export type RateTree = {
  /** Clicks per unit of exposure. */
  rate(ad: number, topic: number): number;
  /** Relative standard deviation of what is not known about that rate. */
  doubt(ad: number, topic: number): number;
  add(ad: number, topic: number, exposure: number, clicks: number): void;
  /** In place of what was added there. */
  set(ad: number, topic: number, exposure: number, clicks: number): void;
  /** Topics in which something was added to the ad. */
  topicsOf(ad: number): readonly number[];
  clicksOf(ad: number): number;
  totalClicks(): number;
  rows(): [ad: number, topic: number, exposure: number, clicks: number][];
};

export const MOST_TOPICS = 65_536;

/**
 * A belief is worth this many impressions, or as many as bring this many clicks, whichever is more:
 * low rates need longer to judge.
 */
const IMPRESSIONS = 150;
const AD_CLICKS = 3;
const CELL_CLICKS = 5;
const NETWORK_IMPRESSIONS = 1000;
/**
 * The average an unknown ad starts from is over ads, not over impressions, or the winners' rate
 * would be promised to every newcomer.
 * So a level's counts go upwards only up to about this much exposure.
 */
const AD_CEILING = 450;
const CELL_CEILING = 1500;

export function createRateTree(priorCtr: number): RateTree {
  const cells = createCountTable();
  /** Sums of cells under the ceiling. */
  const ads = createDenseCountTable();
  const adClicks = createDenseCountTable();
  const topics = new Map<number, number[]>();
  let networkExposure = 0;
  let networkClicks = 0;
  let allClicks = 0;

  const networkRate = () =>
    (NETWORK_IMPRESSIONS * priorCtr + networkClicks) / (NETWORK_IMPRESSIONS + networkExposure);

  function rate(ad: number, topic: number): number {
    const base = networkRate();
    const adWeight = Math.max(IMPRESSIONS, AD_CLICKS / base);
    const own = (adWeight * base + ads.second(ad)) / (adWeight + ads.first(ad));
    const key = ad * MOST_TOPICS + topic;
    const cellWeight = Math.max(IMPRESSIONS, CELL_CLICKS / own);
    return (cellWeight * own + cells.second(key)) / (cellWeight + cells.first(key));
  }

  function doubt(ad: number, topic: number): number {
    const base = networkRate();
    const unseen = CELL_CLICKS / (CELL_CLICKS + cells.first(ad * MOST_TOPICS + topic) * base);
    return Math.sqrt((unseen * unseen) / (AD_CLICKS + ads.first(ad) * base) + unseen / CELL_CLICKS);
  }

  function add(ad: number, topic: number, exposure: number, clicks: number): void {
    const key = ad * MOST_TOPICS + topic;
    const cellBefore = ceiling(cells.first(key), CELL_CEILING);
    const exposureBefore = cells.first(key) * cellBefore;
    const clicksBefore = cells.second(key) * cellBefore;
    if (!cells.has(key)) noteTopic(topics, ad, topic);
    cells.add(key, exposure, clicks);
    const cellAfter = ceiling(cells.first(key), CELL_CEILING);
    const adBefore = ceiling(ads.first(ad), AD_CEILING);
    networkExposure -= ads.first(ad) * adBefore;
    networkClicks -= ads.second(ad) * adBefore;
    ads.add(
      ad,
      cells.first(key) * cellAfter - exposureBefore,
      cells.second(key) * cellAfter - clicksBefore,
    );
    const adAfter = ceiling(ads.first(ad), AD_CEILING);
    networkExposure += ads.first(ad) * adAfter;
    networkClicks += ads.second(ad) * adAfter;
    adClicks.add(ad, clicks, 0);
    allClicks += clicks;
  }

  return {
    rate,
    doubt,
    add,
    topicsOf: (ad) => topics.get(ad) ?? [],
    set(ad, topic, exposure, clicks) {
      const key = ad * MOST_TOPICS + topic;
      const [more, moreClicks] = [exposure - cells.first(key), clicks - cells.second(key)];
      if (more !== 0 || moreClicks !== 0) add(ad, topic, more, moreClicks);
    },
    clicksOf: (ad) => adClicks.first(ad),
    totalClicks: () => allClicks,
    rows: () => cells.rows().map(rowOfCell),
  };
}

function noteTopic(topics: Map<number, number[]>, ad: number, topic: number): void {
  const known = topics.get(ad);
  if (known === undefined) topics.set(ad, [topic]);
  else known.push(topic);
}

function rowOfCell([key, exposure, clicks]: readonly [number, number, number]): [
  ad: number,
  topic: number,
  exposure: number,
  clicks: number,
] {
  return [Math.floor(key / MOST_TOPICS), key % MOST_TOPICS, exposure, clicks];
}

/** Factor that keeps exposure · factor below `most`. */
function ceiling(exposure: number, most: number): number {
  return most / (most + exposure);
}
