import type { ConversionsAnswer } from '../generated/service.js';

export type StandardEvent =
  | 'Purchase'
  | 'Lead'
  | 'CompleteRegistration'
  | 'Subscribe'
  | 'StartTrial'
  | 'InitiateCheckout'
  | 'AddToCart'
  | 'Contact'
  | 'Schedule';

/**
 * The person behind a conversion. The first four come from `gravityPixel.getCAPIData()`; the rest
 * is hashed before it leaves.
 */
export interface UserData {
  click_id?: string | null;
  visitor_id?: string | null;
  session_id?: string | null;
  client_user_agent?: string | null;
  em?: string | string[];
  ph?: string | string[];
  fn?: string;
  ln?: string;
  external_id?: string | string[];
}

export interface ConversionEvent {
  event_name: StandardEvent | (string & {});
  /** Unix seconds. */
  event_time: number;
  /** Unique per conversion: repeats within 48 hours count once. */
  event_id: string;
  action_source?: string;
  event_source_url?: string;
  user_data?: UserData;
  client_context?: Record<string, unknown> | null;
  custom_data?: {
    value?: number;
    currency?: string;
    order_id?: string;
    contents?: { id?: string; quantity?: number; item_price?: number; title?: string }[];
    content_name?: string;
    content_category?: string;
    predicted_ltv?: number;
    [name: string]: unknown;
  };
  opt_out?: boolean;
}

export type ConversionReport = ConversionsAnswer;
export type ConversionResult = ConversionsAnswer['results'][number];
