import { chargeRate } from '../../domain/billing/billing-models.js';
import { bidFor, type BidPlan } from '../../domain/decision/derive-bid.js';
import { quality } from '../../domain/decision/quality.js';
import { reserveCpmMicros } from '../../domain/decision/run-auction.js';
import type { Signs } from '../../domain/matching/sign-vectors.js';
import { type Calibration, relevanceOf, shifted } from '../../domain/reading/calibration.js';
import { dayMs } from '../../domain/time/utc-day.js';

/** A request that was really asked, as far as it is kept. */
export interface AskedRow extends Signs {
  hourMs: number;
  country: string | null;
  device: string | null;
  topic: string;
  need: number;
  never: number;
  trade: number | null;
  shift: number;
  minRelevance: number;
  floorCpmMicros: number;
  places: number;
  advertiserIds: readonly string[];
  scores: readonly number[];
  weight: number;
}

/** One ad group in the eyes of a forecast. */
export interface ForecastOffer {
  near: (signs: Signs) => number;
  /** What it must not stand beside. */
  vetoes: readonly ((signs: Signs) => number)[];
  countries: ReadonlySet<string> | null;
  devices: ReadonlySet<string> | null;
  bid: BidPlan;
}

export interface ForecastPlan {
  advertiserId: string;
  offers: readonly ForecastOffer[];
  dailyBudgetMicros: number;
}

export interface Market {
  calibration: Calibration;
  /** Chance of a click in a conversation about a topic. */
  pctr: (topic: string, relevance: number) => number;
  pcvr: number;
  /** Which share of ads that win is seen. */
  shownShare: number;
}

/** What one day would have brought. */
export interface ForecastDay {
  /** Requests with a need, and those of them that fit; how many kept rows tell of the latter. */
  asked: number;
  matching: number;
  matchingKept: number;
  won: number;
  impressions: number;
  clicks: number;
  spendMicros: number;
  isBudgetSpent: boolean;
}

/** The requests of each of the last days played again, with the campaign among the bidders. */
export function forecastDays(
  rows: readonly AskedRow[],
  plan: ForecastPlan,
  market: Market,
  { now, days }: { now: number; days: number },
): ForecastDay[] {
  const sums = Array.from({ length: days }, emptyDay);
  for (const row of rows) {
    const day = sums[Math.floor((now - row.hourMs) / dayMs)];
    if (day === undefined) continue;
    day.asked += row.weight;
    const best = bestOffer(row, plan.offers, market.calibration);
    if (best === null) continue;
    day.matching += row.weight;
    day.matchingKept += 1;
    const won = priceOf(row, best, plan.dailyBudgetMicros, plan, market);
    if (won === null) {
      // A bid is cut to what a day may cost: where only that loses, the budget is what limits it.
      day.isBudgetSpent ||= priceOf(row, best, Infinity, plan, market) !== null;
      continue;
    }
    const seen = row.weight * market.shownShare;
    day.won += row.weight;
    day.impressions += seen;
    day.clicks += seen * won.pctr;
    day.spendMicros += seen * won.costMicros;
  }
  return sums.map((day) => withinBudget(day, plan.dailyBudgetMicros));
}

function emptyDay(): ForecastDay {
  return {
    asked: 0,
    matching: 0,
    matchingKept: 0,
    won: 0,
    impressions: 0,
    clicks: 0,
    spendMicros: 0,
    isBudgetSpent: false,
  };
}

/** The group that fits best of those that may run there. */
function bestOffer(
  row: AskedRow,
  offers: readonly ForecastOffer[],
  calibration: Calibration,
): { offer: ForecastOffer; relevance: number } | null {
  let best: { offer: ForecastOffer; relevance: number } | null = null;
  const weighed = { need: row.need, never: row.never, earlier: null, trade: row.trade };
  for (const offer of offers) {
    if (!isInside(offer.countries, row.country) || !isInside(offer.devices, row.device)) continue;
    const stated = relevanceOf(calibration, weighed, offer.near(row));
    const relevance = shifted(stated, row.shift);
    if (relevance < row.minRelevance || (best !== null && relevance <= best.relevance)) continue;
    if (offer.vetoes.some((near) => near(row) >= calibration.excludedNearness)) continue;
    best = { offer, relevance };
  }
  return best;
}

/** A limit that is not known to be met is not met. */
function isInside(limit: ReadonlySet<string> | null, value: string | null): boolean {
  return limit === null || (value !== null && limit.has(value));
}

/**
 * What an impression of it costs on average, or null where another wins. As the auction does it.
 */
function priceOf(
  row: AskedRow,
  { offer: { bid }, relevance }: { offer: ForecastOffer; relevance: number },
  mostMicros: number,
  plan: ForecastPlan,
  market: Market,
): { pctr: number; costMicros: number } | null {
  const pctr = market.pctr(row.topic, relevance);
  const { pcvr } = market;
  const offer = Math.min(bidFor(bid, pctr, pcvr, pcvr), mostMicros);
  const rate = chargeRate(bid.charge, pctr, pcvr);
  if (offer < 1 || rate <= 0 || offer * rate * 1000 < row.floorCpmMicros) return null;
  const worth = 1000 * rate * quality(relevance, 1);
  const others = row.scores.filter((_, at) => row.advertiserIds[at] !== plan.advertiserId);
  const bar = others[row.places - 1] ?? 0;
  if (offer * worth <= bar) return null;
  const least = Math.max(row.floorCpmMicros, reserveCpmMicros) / 1000 / rate;
  const price = Math.min(offer, Math.max(bar / worth, least));
  return { pctr, costMicros: price * rate };
}

/** Pacing spends the budget and no more; what it would have cost beyond that is not bought. */
function withinBudget(day: ForecastDay, budgetMicros: number): ForecastDay {
  if (day.spendMicros <= budgetMicros) return day;
  const share = budgetMicros / day.spendMicros;
  return {
    ...day,
    impressions: day.impressions * share,
    clicks: day.clicks * share,
    spendMicros: budgetMicros,
    isBudgetSpent: true,
  };
}
