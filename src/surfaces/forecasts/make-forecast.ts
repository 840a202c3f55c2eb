import { limitOf } from '../../domain/decision/candidate.js';
import type { ClickModel } from '../../domain/decision/click-model.js';
import { planBid } from '../../domain/decision/derive-bid.js';
import { negativePhrases } from '../../domain/matching/match-document.js';
import { createNearness } from '../../domain/matching/sign-vectors.js';
import { toDollars } from '../../domain/money.js';
import type { Calibration } from '../../domain/reading/calibration.js';
import { forecastDaysBack } from './asked-requests.js';
import {
  type AskedRow,
  forecastDays,
  type ForecastOffer,
  type Market,
} from './forecast-delivery.js';
import type { PlannedCampaign, PlannedGroup } from './queries.js';
import type { OutlookView } from './schema.js';
import { type Outlook, type Range, stateOutlook } from './state-outlook.js';
import { dayMs } from '../../domain/time/utc-day.js';

/** With fewer a range would be a guess. */
const leastMatching = 10;

/** A campaign as it is, or as it would be. */
export interface Plan {
  advertiserId: string;
  campaign: PlannedCampaign;
  groups: readonly PlannedGroup[];
}

export interface ForecastInput {
  rows: readonly AskedRow[];
  now: number;
  /** False where conversations are matched by words only. */
  isRead: boolean;
  vectorOf: (text: string) => Float32Array | undefined;
  model: Pick<ClickModel, 'pctr' | 'pcvr' | 'adIndex' | 'topicIndex'>;
  calibration: Calibration;
  shownShare: number;
}

/** Every text of a plan whose meaning is needed. */
export function textsOf(groups: readonly PlannedGroup[]): string[] {
  return groups.flatMap((group) => [
    group.context.trim(),
    ...negativePhrases(group.negativeContext ?? ''),
  ]);
}

export function makeForecast(plan: Plan, input: ForecastInput): OutlookView {
  const { campaign } = plan;
  const { rows, now } = input;
  const days = watchedDays(rows, now);
  const offers = plan.groups.flatMap((group) => offerOf(group, campaign, input));
  const whyNot = !input.isRead
    ? 'not_read'
    : (campaign.endTime?.getTime() ?? Infinity) <= now
      ? 'ended'
      : rows.length === 0
        ? 'nothing_asked'
        : days < 1
          ? 'too_new'
          : offers.length === 0
            ? 'no_description'
            : null;
  if (whyNot !== null) return nothing(whyNot, 0);
  const played = forecastDays(
    rows,
    { advertiserId: plan.advertiserId, offers, dailyBudgetMicros: campaign.dailyBudgetMicros },
    marketOf(plan, input),
    { now, days },
  );
  const outlook = stateOutlook(played, campaign.dailyBudgetMicros);
  const kept = played.reduce((sum, day) => sum + day.matchingKept, 0);
  if (kept === 0) return nothing('nothing_fits', 0);
  if (kept < leastMatching) return nothing('too_few', outlook.matchingPerDay);
  return show(outlook, runDays(campaign, now));
}

/** Whole days that were watched; the first one rarely is. */
export function watchedDays(rows: readonly AskedRow[], now: number): number {
  const first = rows[0]?.hourMs;
  return first === undefined ? 0 : Math.min(forecastDaysBack, Math.floor((now - first) / dayMs));
}

function offerOf(
  group: PlannedGroup,
  campaign: PlannedCampaign,
  { vectorOf }: ForecastInput,
): ForecastOffer[] {
  const vector = vectorOf(group.context.trim());
  if (vector === undefined || vector.length === 0) return [];
  const upper = (code: string): string => code.toUpperCase();
  const lower = (name: string): string => name.toLowerCase();
  return [
    {
      near: createNearness(vector),
      vetoes: negativePhrases(group.negativeContext ?? '').flatMap((phrase) => {
        const meaning = vectorOf(phrase);
        return meaning === undefined || meaning.length === 0 ? [] : [createNearness(meaning)];
      }),
      countries: both(campaign.allowedCountries, group.allowedCountries, upper),
      devices: both(campaign.allowedDevices, group.allowedDevices, lower),
      bid: planBid({ ...campaign, groupMaxCpcMicros: group.maxCpcMicros }),
    },
  ];
}

/** Limits of the campaign and of the group both hold. */
function both(
  one: readonly string[],
  other: readonly string[],
  fold: (value: string) => string,
): ReadonlySet<string> | null {
  const [a, b] = [limitOf(one, fold), limitOf(other, fold)];
  if (a === null || b === null) return a ?? b;
  return new Set([...a].filter((value) => b.has(value)));
}

function marketOf(plan: Plan, { model, calibration, shownShare }: ForecastInput): Market {
  // An ad nobody has seen is expected to be clicked as its topic is.
  const adIndex = model.adIndex(plan.groups.find(({ adId }) => adId !== null)?.adId ?? 'forecast');
  return {
    calibration,
    pctr: (topic, relevance) => model.pctr(adIndex, model.topicIndex(topic), relevance),
    pcvr: model.pcvr(adIndex),
    shownShare,
  };
}

/** From the start, or now, to the end. */
function runDays({ startTime, endTime }: PlannedCampaign, now: number): number | null {
  return endTime === null
    ? null
    : Math.max(0, endTime.getTime() - Math.max(now, startTime?.getTime() ?? 0)) / dayMs;
}

const none: Range = { low: 0, expected: 0, high: 0 };

function nothing(reason: string, matchingPerDay: number): OutlookView {
  return {
    enough_data: false,
    reason,
    matching_requests_per_day: rounded(matchingPerDay, 1),
    won_share: 0,
    limited_by: null,
    per_day: { impressions: none, clicks: none, spend: none },
    run: null,
  };
}

function show(outlook: Outlook, days: number | null): OutlookView {
  const perDay = (factor: number) => ({
    impressions: scaled(outlook.impressions, factor, 1),
    clicks: scaled(outlook.clicks, factor, 2),
    spend: scaled(outlook.spendMicros, toDollars(factor), 4),
  });
  return {
    enough_data: true,
    reason: null,
    matching_requests_per_day: rounded(outlook.matchingPerDay, 1),
    won_share: rounded(outlook.wonShare, 4),
    limited_by: outlook.limitedBy,
    per_day: perDay(1),
    run: days === null ? null : { days: rounded(days, 2), ...perDay(days) },
  };
}

function scaled({ low, expected, high }: Range, factor: number, decimals: number): Range {
  return {
    low: rounded(low * factor, decimals),
    expected: rounded(expected * factor, decimals),
    high: rounded(high * factor, decimals),
  };
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
