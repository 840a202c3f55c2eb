import { uuidDay } from '../../domain/uuid.js';

export type EventKind =
  | 'request'
  | 'win'
  | 'impression'
  | 'viewable'
  | 'click'
  | 'pixel'
  | 'conversion'
  | 'feedback'
  | 'lead'
  | 'impression_reversal'
  | 'click_reversal'
  | 'conversion_reversal';

/** Which budget holds of the serving node pay for the event: set when the ad was served. */
export interface Holds {
  readonly campaign: boolean;
  readonly adGroup: boolean;
  readonly advertiser: boolean;
}

/** One fact. `(id, kind)` happens once, however often it is appended. */
export interface EventRecord {
  readonly id: string;
  readonly kind: EventKind;
  /** When it happened, epoch milliseconds; the bucket it counts in. */
  readonly at: number;
  readonly publisherId?: string | null;
  readonly advertiserId?: string | null;
  readonly campaignId?: string | null;
  readonly adGroupId?: string | null;
  readonly adId?: string | null;
  readonly placement?: string | null;
  readonly device?: string | null;
  readonly country?: string | null;
  readonly userId?: string | null;
  readonly test?: boolean;
  /** Why it does not count; absent counts. */
  readonly invalid?: string | null;
  readonly unbilled?: string | null;
  readonly attribution?: 'click' | 'view' | null;
  readonly spendMicros?: number;
  readonly revenueMicros?: number;
  readonly valueMicros?: number;
  readonly node?: number | null;
  readonly budgetDay?: string | null;
  readonly holds?: Holds;
  /** Spend that no hold covers: charged only if every budget has room, otherwise counted unbilled. */
  readonly claimsBudget?: boolean;
  readonly data?: Readonly<Record<string, unknown>> | null;
}

/** The row as the insert statement reads it. */
export function eventRow(event: EventRecord): Record<string, unknown> {
  return {
    day: uuidDay(event.id),
    id: event.id,
    kind: event.kind,
    at: new Date(event.at).toISOString(),
    publisher_id: event.publisherId ?? null,
    advertiser_id: event.advertiserId ?? null,
    campaign_id: event.campaignId ?? null,
    ad_group_id: event.adGroupId ?? null,
    ad_id: event.adId ?? null,
    placement: event.placement ?? null,
    device: event.device ?? null,
    country: event.country ?? null,
    user_id: event.userId ?? null,
    test: event.test ?? false,
    invalid: event.invalid ?? null,
    unbilled: event.unbilled ?? null,
    attribution: event.attribution ?? null,
    spend_micros: event.spendMicros ?? 0,
    revenue_micros: event.revenueMicros ?? 0,
    value_micros: event.valueMicros ?? 0,
    node: event.node ?? null,
    budget_day: event.budgetDay ?? null,
    held_campaign: event.holds?.campaign ?? false,
    held_ad_group: event.holds?.adGroup ?? false,
    held_advertiser: event.holds?.advertiser ?? false,
    claimed: event.claimsBudget ?? false,
    data: event.data ?? null,
  };
}
