import { ratio, toDollars } from '../../domain/money.js';
import { costPer, cpm, percent } from '../../domain/report-ratios.js';
import type { Sums } from './sum-queries.js';

/** Which of the sums the rows at hand really have. */
export interface Counted {
  requests: boolean;
  conversions: boolean;
  wins: boolean;
  /** What advertisers spent and sold. */
  spend: boolean;
}

export type Measures = Record<string, number | null>;

export function advertiserMeasuresOf(sums: Sums, counted: Counted): Measures {
  const only = (value: number): number | null => (counted.conversions ? value : null);
  return {
    impressions: sums.impressions,
    clicks: sums.clicks,
    ctr: percent(sums.clicks, sums.impressions),
    spend: toDollars(sums.spendMicros),
    conversions: only(sums.conversions),
    revenue: only(toDollars(sums.valueMicros)),
    cpc: costPer(sums.spendMicros, sums.clicks),
    cpm: cpm(sums.spendMicros, sums.impressions),
    conversion_rate: only(percent(sums.conversions, sums.clicks)),
    cpa: only(costPer(sums.spendMicros, sums.conversions)),
    roas: only(ratio(sums.valueMicros, sums.spendMicros)),
    view_through_conversions: only(sums.viewConversions),
  };
}

export function publisherMeasuresOf(sums: Sums, counted: Counted): Measures {
  return {
    ...requestsOf(sums, counted),
    impressions: sums.impressions,
    clicks: sums.clicks,
    ctr: percent(sums.clicks, sums.impressions),
    revenue: toDollars(sums.payoutMicros),
    cpm: cpm(sums.payoutMicros, sums.impressions),
    cpc: costPer(sums.payoutMicros, sums.clicks),
    conversions: sums.conversions,
  };
}

export function operatorMeasuresOf(sums: Sums, counted: Counted): Measures {
  const only = (value: number): number | null => (counted.spend ? value : null);
  const sold = (value: number): number | null => (counted.conversions ? value : null);
  return {
    ...requestsOf(sums, counted),
    impressions: sums.impressions,
    clicks: sums.clicks,
    ctr: percent(sums.clicks, sums.impressions),
    conversions: sold(sums.conversions),
    spend: only(toDollars(sums.spendMicros)),
    payout: toDollars(sums.payoutMicros),
    margin: only(toDollars(sums.spendMicros - sums.payoutMicros)),
    margin_rate: only(percent(sums.spendMicros - sums.payoutMicros, sums.spendMicros)),
    cpm: only(cpm(sums.spendMicros, sums.impressions)),
    conversion_value: counted.spend ? sold(toDollars(sums.valueMicros)) : null,
  };
}

function requestsOf(sums: Sums, counted: Counted): Measures {
  return {
    requests: counted.requests ? sums.requests : null,
    wins: counted.wins ? sums.wins : null,
    fill_rate: counted.requests ? ratio(sums.wins, sums.requests) : null,
  };
}
