import { count, money, percent, times, unitPrice } from '../core/format.js';
import { t } from '../core/language.js';

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
  requests: { id: 'requests', title: t('Requests'), format: count, tone: 'plain' },
  wins: { id: 'wins', title: t('Ads returned'), format: count },
  fill: { id: 'fill_rate', title: t('Fill'), format: share },
  impressions: { id: 'impressions', title: t('Impressions'), format: count },
  clicks: { id: 'clicks', title: t('Clicks'), format: count },
  ctr: { id: 'ctr', title: t('Click rate'), format: fine },
  conversions: { id: 'conversions', title: t('Conversions'), format: count },
} as const satisfies Record<string, Measure>;

export const measures: Record<Role, readonly Measure[]> = {
  advertiser: [
    { id: 'spend', title: t('Spend'), format: money, tone: 'plain' },
    common.impressions,
    common.clicks,
    common.ctr,
    { id: 'cpc', title: t('Cost per click'), format: unitPrice, tone: 'less' },
    common.conversions,
    { id: 'revenue', title: t('Revenue'), format: money },
    { id: 'roas', title: t('Return on ad spend'), format: times },
    { id: 'cpm', title: t('Cost per 1,000'), format: unitPrice, tone: 'less' },
    { id: 'conversion_rate', title: t('Conversion rate'), format: fine },
    { id: 'cpa', title: t('Cost per conversion'), format: unitPrice, tone: 'less' },
    { id: 'view_through_conversions', title: t('View-through'), format: count, tone: 'plain' },
  ],
  publisher: [
    { id: 'revenue', title: t('Revenue'), format: money },
    common.requests,
    common.wins,
    common.fill,
    common.impressions,
    common.clicks,
    common.ctr,
    { id: 'cpm', title: t('Per 1,000 impressions'), format: unitPrice },
    { id: 'cpc', title: t('Per click'), format: unitPrice },
    common.conversions,
  ],
  operator: [
    { id: 'spend', title: t('Spend'), format: money },
    { id: 'payout', title: t('To publishers'), format: money, tone: 'plain' },
    { id: 'margin', title: t('Margin'), format: money },
    { id: 'margin_rate', title: t('Margin rate'), format: fine },
    common.requests,
    common.wins,
    common.fill,
    common.impressions,
    common.clicks,
    common.ctr,
    common.conversions,
    { id: 'cpm', title: t('Cost per 1,000'), format: unitPrice, tone: 'plain' },
    { id: 'conversion_value', title: t('Conversion value'), format: money },
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
    ['day', t('Day')],
    ['campaign', t('Campaign')],
    ['ad_group', t('Ad group')],
    ['ad', t('Ad')],
    ['country', t('Country')],
    ['device', t('Device')],
    ['placement', t('Placement')],
    ['publisher', t('Publisher')],
    ['topic', t('Topic')],
  ],
  publisher: [
    ['day', t('Day')],
    ['advertiser', t('Advertiser')],
    ['placement', t('Placement')],
    ['country', t('Country')],
    ['device', t('Device')],
    ['no_ad_reason', t('Why no ad')],
  ],
  operator: [
    ['day', t('Day')],
    ['publisher', t('Publisher')],
    ['advertiser', t('Advertiser')],
    ['campaign', t('Campaign')],
    ['ad_group', t('Ad group')],
    ['ad', t('Ad')],
    ['country', t('Country')],
    ['device', t('Device')],
    ['placement', t('Placement')],
    ['topic', t('Topic')],
    ['no_ad_reason', t('Why no ad')],
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
  campaign_id: t('Campaign'),
  ad_group_id: t('Ad group'),
  ad_id: t('Ad'),
  country: t('Country'),
  device: t('Device'),
  placement: t('Placement'),
  publisher_id: t('Publisher'),
  advertiser_id: t('Advertiser'),
};

/** What became of a request, in words. */
export const outcomeWords: Record<string, string> = {
  served: t('An ad was returned'),
  no_need: t('No need expressed in the conversation'),
  sensitive: t('Sensitive conversation, so no ad'),
  no_fit: t('No ad was a good enough fit'),
  excluded: t('The topic is excluded'),
  capped: t('Frequency cap reached for this person'),
  no_budget: t('Matching ads were out of budget'),
  not_approved_inventory: t('Matching ads are not approved'),
  consent: t('No consent'),
};
