import { uuidDay } from '../../domain/uuid.js';

export type EventKind =
  | 'request'
  | 'win'
  | 'impression'
  | 'viewable'
  /** The ad's label was seen to be one, as the page proves it. */
  | 'disclosed'
  | 'click'
  | 'pixel'
  | 'conversion'
  | 'feedback'
  | 'lead'
  | 'impression_reversal'
  | 'viewable_reversal'
  | 'click_reversal'
  | 'conversion_reversal'
  /** A part of a conversion's value given back; the conversion stays. */
  | 'conversion_adjustment';

/** What becomes of an ad that won, in the order it comes. */
export const deliveryKinds = [
  'win',
  'impression',
  'viewable',
  'disclosed',
  'click',
  'conversion',
  'impression_reversal',
  'viewable_reversal',
  'click_reversal',
  'conversion_reversal',
  'conversion_adjustment',
] as const satisfies readonly EventKind[];

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
  /**
   * The served ad, where the id is not its own: beacons that do not count have an id of their own,
   * so that one that counts can still come.
   */
  readonly serveId?: string;
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
  /** What the publisher calls this user, sealed: for the user's row, not for the event's. */
  readonly userName?: string;
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
  /**
   * Stored later than this, the node that served the ad has given its holds to other ads: it claims
   * budget as if there were none.
   */
  readonly holdsUntil?: number;
  /**
   * Spend that no hold covers: charged only if every budget has room, otherwise counted unbilled.
   */
  readonly claimsBudget?: boolean;
  /**
   * When the promise was made that this is claimed for: a budget lowered since then still binds.
   */
  readonly budgetAt?: number;
  /** Of a win: the request it answers. */
  readonly requestId?: string | null;
  /** Of a request: who took part and why the others lost, in base64 (`decision-record`). */
  readonly record?: string | null;
  readonly data?: Readonly<Record<string, unknown>> | null;
}

/**
 * The row as the insert statement reads it. What is absent stays absent: the statement knows the
 * defaults, and short rows are cheap.
 */
export function eventRow(event: EventRecord): Record<string, unknown> {
  const row: Record<string, unknown> = {
    day: uuidDay(event.id),
    id: event.id,
    kind: event.kind,
    at: new Date(event.at).toISOString(),
  };
  if (event.serveId !== undefined && event.serveId !== event.id) row['serve_id'] = event.serveId;
  if (event.publisherId != null) row['publisher_id'] = event.publisherId;
  if (event.advertiserId != null) row['advertiser_id'] = event.advertiserId;
  if (event.campaignId != null) row['campaign_id'] = event.campaignId;
  if (event.adGroupId != null) row['ad_group_id'] = event.adGroupId;
  if (event.adId != null) row['ad_id'] = event.adId;
  if (event.placement != null) row['placement'] = event.placement;
  if (event.device != null) row['device'] = event.device;
  if (event.country != null) row['country'] = event.country;
  if (event.userId != null) row['user_id'] = event.userId;
  if (event.test === true) row['test'] = true;
  if (event.invalid != null) row['invalid'] = event.invalid;
  if (event.unbilled != null) row['unbilled'] = event.unbilled;
  if (event.attribution != null) row['attribution'] = event.attribution;
  if (event.spendMicros) row['spend_micros'] = event.spendMicros;
  if (event.revenueMicros) row['revenue_micros'] = event.revenueMicros;
  if (event.valueMicros) row['value_micros'] = event.valueMicros;
  if (event.node != null) row['node'] = event.node;
  if (event.budgetDay != null) row['budget_day'] = event.budgetDay;
  if (event.holds?.campaign === true) row['held_campaign'] = true;
  if (event.holds?.adGroup === true) row['held_ad_group'] = true;
  if (event.holds?.advertiser === true) row['held_advertiser'] = true;
  if (event.claimsBudget === true) row['claimed'] = true;
  if (event.requestId != null) row['request_id'] = event.requestId;
  if (event.record != null) row['record'] = event.record;
  if (event.data != null) row['data'] = event.data;
  return row;
}
