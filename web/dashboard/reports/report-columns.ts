import { count, money, percent, times } from '../core/format.js';

export type Role = 'advertiser' | 'publisher' | 'operator';

export interface Measure {
  id: string;
  title: string;
  format: (value: number) => string;
  /** More is neither good nor bad, or is bad. */
  tone?: 'plain' | 'less';
}

const fine = (value: number): string => percent(value, 2);
const share = (value: number): string => percent(value * 100, 1);
const common = {
  requests: { id: 'requests', title: 'Requests', format: count, tone: 'plain' },
  wins: { id: 'wins', title: 'Ads returned', format: count },
  fill: { id: 'fill_rate', title: 'Fill', format: share },
  impressions: { id: 'impressions', title: 'Impressions', format: count },
  clicks: { id: 'clicks', title: 'Clicks', format: count },
  ctr: { id: 'ctr', title: 'Click rate', format: fine },
  conversions: { id: 'conversions', title: 'Conversions', format: count },
} as const satisfies Record<string, Measure>;

export const measures: Record<Role, readonly Measure[]> = {
  advertiser: [
    { id: 'spend', title: 'Spend', format: money, tone: 'plain' },
    common.impressions,
    common.clicks,
    common.ctr,
    { id: 'cpc', title: 'Cost per click', format: money, tone: 'less' },
    common.conversions,
    { id: 'revenue', title: 'Revenue', format: money },
    { id: 'roas', title: 'Return on spend', format: times },
    { id: 'cpm', title: 'Cost per 1,000', format: money, tone: 'less' },
    { id: 'conversion_rate', title: 'Conversion rate', format: fine },
    { id: 'cpa', title: 'Cost per conversion', format: money, tone: 'less' },
    { id: 'view_through_conversions', title: 'After a view only', format: count, tone: 'plain' },
  ],
  publisher: [
    { id: 'revenue', title: 'Revenue', format: money },
    common.requests,
    common.wins,
    common.fill,
    common.impressions,
    common.clicks,
    common.ctr,
    { id: 'cpm', title: 'Per 1,000 shown', format: money },
    { id: 'cpc', title: 'Per click', format: money },
    common.conversions,
  ],
  operator: [
    { id: 'spend', title: 'Spend', format: money },
    { id: 'payout', title: 'To publishers', format: money, tone: 'plain' },
    { id: 'margin', title: 'Margin', format: money },
    { id: 'margin_rate', title: 'Margin rate', format: fine },
    common.requests,
    common.wins,
    common.fill,
    common.impressions,
    common.clicks,
    common.ctr,
    common.conversions,
    { id: 'cpm', title: 'Cost per 1,000', format: money, tone: 'plain' },
    { id: 'conversion_value', title: 'Conversion value', format: money },
  ],
};

/** Shown until somebody chooses. */
export const firstColumns: Record<Role, readonly string[]> = {
  advertiser: ['spend', 'impressions', 'clicks', 'ctr', 'cpc', 'conversions', 'revenue', 'roas'],
  publisher: ['revenue', 'requests', 'fill_rate', 'impressions', 'clicks', 'ctr', 'cpm'],
  operator: ['spend', 'margin', 'margin_rate', 'requests', 'fill_rate', 'impressions', 'clicks'],
};

export const dimensions: Record<Role, readonly (readonly [id: string, title: string])[]> = {
  advertiser: [
    ['day', 'Day'],
    ['campaign', 'Campaign'],
    ['ad_group', 'Ad group'],
    ['ad', 'Ad'],
    ['country', 'Country'],
    ['device', 'Device'],
    ['placement', 'Placement'],
    ['publisher', 'Publisher'],
    ['topic', 'Topic'],
  ],
  publisher: [
    ['day', 'Day'],
    ['advertiser', 'Advertiser'],
    ['placement', 'Placement'],
    ['country', 'Country'],
    ['device', 'Device'],
    ['no_ad_reason', 'Why no ad'],
  ],
  operator: [
    ['day', 'Day'],
    ['publisher', 'Publisher'],
    ['advertiser', 'Advertiser'],
    ['campaign', 'Campaign'],
    ['country', 'Country'],
    ['device', 'Device'],
    ['placement', 'Placement'],
    ['no_ad_reason', 'Why no ad'],
  ],
};

/** Which parameter narrows to a row of this kind, and what is worth seeing next. */
export const narrowing: Record<string, { field: string; next: string } | undefined> = {
  campaign: { field: 'campaign_id', next: 'ad_group' },
  ad_group: { field: 'ad_group_id', next: 'ad' },
  ad: { field: 'ad_id', next: 'day' },
  country: { field: 'country', next: 'day' },
  device: { field: 'device', next: 'day' },
  placement: { field: 'placement', next: 'day' },
  publisher: { field: 'publisher_id', next: 'day' },
  advertiser: { field: 'advertiser_id', next: 'campaign' },
};

export const filterTitles: Record<string, string> = {
  campaign_id: 'Campaign',
  ad_group_id: 'Ad group',
  ad_id: 'Ad',
  country: 'Country',
  device: 'Device',
  placement: 'Placement',
  publisher_id: 'Publisher',
  advertiser_id: 'Advertiser',
};

/** What became of a request, in words. */
export const outcomeWords: Record<string, string> = {
  served: 'An ad was returned',
  no_need: 'Nothing was wanted in the conversation',
  sensitive: 'No ad belongs beside such a conversation',
  no_fit: 'No ad fitted well enough',
  excluded: 'The topic is excluded',
  capped: 'Shown often enough to this person',
  no_budget: 'Fitting ads had no budget left',
  not_approved_inventory: 'Fitting ads are not approved',
  consent: 'No consent',
};
