import { callService, trimUrl, type CallOptions, type FailureReason } from '../call-service.js';
import type { ConversionEvent, ConversionReport, UserData } from './conversion-event.js';
import { hashEmail, hashName, hashPhone } from './hash-personal-data.js';

export interface ConversionsOptions {
  /** Your advertiser key. Keep it on the server. */
  /** Undefined, as an unset variable is, answers every call with `unauthorized`. */
  apiKey: string | undefined;
  /** The conversion intake host. */
  baseUrl: string;
  /** Longest wait per batch, retries included; 15,000 ms unless told. */
  timeoutMs?: number;
  /**
   * Further attempts per batch; repeats are safe because event ids are de-duplicated. 3 unless
   * told.
   */
  retries?: number;
  fetch?: typeof fetch;
}

export interface SendOptions extends CallOptions {
  /** Validates without storing anything, for example "TEST123". */
  testEventCode?: string;
}

/** The answers of all batches together, and what could not be delivered at all. */
export interface ConversionDelivery extends ConversionReport {
  /** Send these again later; the service has not taken them. */
  undelivered: ConversionEvent[];
  /** Why, for the first batch that failed. */
  reason: FailureReason | null;
}

export interface Conversions {
  /** One or many. */
  sendConversions(
    events: readonly ConversionEvent[] | ConversionEvent,
    options?: SendOptions,
  ): Promise<ConversionDelivery>;
}

const BATCH_EVENTS = 1000;
/** Under the intake's body limit of 8 MiB with room for the envelope. */
const BATCH_BYTES = 7 * 1024 * 1024;

/**
 * Server-side conversions: hashed here, batched by the thousand, retried, never throwing.
 *
 * @example
 * const { sendConversions } = createConversions({ apiKey, baseUrl: 'https://ads.example.com' });
 * await sendConversions([{ event_name: 'Purchase', event_time: 1700000000, event_id: order.id,
 * user_data: { ...capi.user_data, em: [email] } }]);
 */
export function createConversions(options: ConversionsOptions): Conversions {
  const url = `${trimUrl(options.baseUrl)}/gateway/events`;
  const headers = { authorization: `Bearer ${options.apiKey ?? ''}` };

  async function sendConversions(
    events: readonly ConversionEvent[] | ConversionEvent,
    given: SendOptions = {},
  ): Promise<ConversionDelivery> {
    const total: ConversionDelivery = {
      events_received: 0,
      events_processed: 0,
      events_errored: 0,
      results: [],
      test_mode: given.testEventCode !== undefined,
      undelivered: [],
      reason: null,
    };
    const ready = await Promise.all(eventsIn(events).map(hashEvent));
    for (const batch of batches(ready)) {
      const body = {
        ...(given.testEventCode === undefined ? {} : { test_event_code: given.testEventCode }),
        data: batch,
      };
      const outcome = await callService({
        url,
        method: 'POST',
        headers,
        body,
        fetch: options.fetch,
        signal: given.signal,
        timeoutMs: given.timeoutMs ?? options.timeoutMs ?? 15_000,
        retries: given.retries ?? options.retries ?? 3,
      });
      const report = outcome.ok ? readReport(outcome.data) : null;
      if (report === null) {
        total.undelivered.push(...batch);
        total.reason ??= outcome.ok ? 'bad_response' : outcome.reason;
        continue;
      }
      total.events_received += report.events_received;
      total.events_processed += report.events_processed;
      total.events_errored += report.events_errored;
      total.results.push(...report.results);
      total.test_mode = report.test_mode;
    }
    return total;
  }

  return { sendConversions };
}

/**
 * The event with e-mail, phone and names hashed, lists as lists; values hashed already stay as they
 * are.
 *
 * @example
 * await hashEvent({ event_name: 'Lead', event_time, event_id, user_data: { em: 'Ada@Example.com ' }
 * });
 */
export async function hashEvent(event: ConversionEvent): Promise<ConversionEvent> {
  if (event.user_data === undefined || event.user_data === null) return event;
  const { em, ph, fn, ln, external_id: ids, ...rest } = event.user_data;
  const user: UserData = { ...rest };
  if (em !== undefined) user.em = await Promise.all(list(em).map(hashEmail));
  if (ph !== undefined) user.ph = await Promise.all(list(ph).map(hashPhone));
  if (fn !== undefined) user.fn = await hashName(fn);
  if (ln !== undefined) user.ln = await hashName(ln);
  if (ids !== undefined) user.external_id = list(ids);
  return { ...event, user_data: user };
}

/** What a page without types may send: one event, or holes where an order had none. */
function eventsIn(given: readonly ConversionEvent[] | ConversionEvent): ConversionEvent[] {
  // The type leaves nothing else; who has no types is not told by a throw.
  const events = [given].flat() as (ConversionEvent | null | undefined)[];
  return events.filter((event) => typeof event === 'object' && event !== null);
}

function list(value: string | string[]): string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}

function batches(events: readonly ConversionEvent[]): ConversionEvent[][] {
  const all: ConversionEvent[][] = [];
  let current: ConversionEvent[] = [];
  let bytes = 0;
  for (const event of events) {
    // Three bytes cover any UTF-16 unit in UTF-8: cheaper than encoding only to measure.
    const size = JSON.stringify(event).length * 3;
    if (current.length > 0 && (current.length >= BATCH_EVENTS || bytes + size > BATCH_BYTES)) {
      all.push(current);
      current = [];
      bytes = 0;
    }
    current.push(event);
    bytes += size;
  }
  return current.length > 0 ? [...all, current] : all;
}

function readReport(data: unknown): ConversionReport | null {
  const report = data as ConversionReport | null; // checked on the next line
  return typeof report === 'object' && report !== null && Array.isArray(report.results)
    ? report
    : null;
}
