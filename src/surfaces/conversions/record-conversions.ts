import type { AttributionWindows } from '../../domain/attribution.js';
import { uuidDay } from '../../domain/uuid.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { EventRecord } from '../../platform/events/event.js';
import type { EventLog } from '../../platform/events/event-log.js';
import { ingestEvents } from '../../platform/events/ingest-events.js';
import type { Partitions } from '../../platform/events/partitions.js';
import type { MintId } from '../../platform/ids.js';
import {
  attributeConversions,
  type Credit,
  type FindOtherClicks,
} from './attribute-conversions.js';
import { chargeConversions, type CreditedConversion } from './charge-conversions.js';
import { firstOnes } from './first-ones.js';
import {
  type ConversionRow,
  findOptOuts,
  hasOptOuts,
  insertConversions,
  loadRates,
} from './queries.js';
import { type Conversion, readEvent } from './read-event.js';
import { BadEvent, isObject } from './read-fields.js';
import type { ConversionReport, ConversionResult } from './schema.js';
import { findCreditedKeys } from './trust-queries.js';

export interface ConversionDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  partitions: Partitions;
  eventLog: Pick<EventLog, 'settled'>;
  windows: AttributionWindows;
  shareBpsOf: (publisherId: string) => number;
  isPublisherBlocked: (publisherId: string) => boolean;
  /** The advertiser's local day at an instant, as 'YYYY-MM-DD'. */
  budgetDay: (advertiserId: string, at: number) => string;
  /** Told once for each conversion that teaches, after it is durable. */
  onConversion: (adId: string) => void;
  otherClicks?: FindOtherClicks;
}

export type ConversionSource = 'capi' | 'pixel' | 'storefront';

export interface RecordOptions {
  /** The advertiser's server and its verified shop are trusted; anybody can speak as its pixel. */
  source: ConversionSource;
  /** Of a shop: every name its order goes by; the page may have told of it under another. */
  orderNames?: readonly string[];
  /** Of a pixel: the page that sent it is on the pixel's own site. */
  isOwnSite?: boolean;
  /** Of a pixel: it came from what looks like a person's browser. */
  isValid?: boolean;
  /** Checks and attributes, stores nothing. */
  test?: boolean;
}

/**
 * Takes conversion events of an advertiser as they were sent. Resolves when every `ok` is durable.
 */
export type RecordConversions = (
  advertiserId: string,
  events: readonly unknown[],
  options: RecordOptions,
) => Promise<ConversionReport>;

export const dedupeMs = 48 * 3_600_000;

type Outcome = Pick<ConversionResult, 'status' | 'attributed'>;
const outcome = (status: ConversionResult['status'], attributed: boolean): Outcome => ({
  status,
  attributed,
});

export function createConversionRecorder(deps: ConversionDeps): RecordConversions {
  // What was sent is read at once and let go: kept over the waits below, it would cost more to
  // collect than to read.
  return (advertiserId, events, options) => {
    const now = deps.clock();
    return run(
      advertiserId,
      events.map((event) => readSafely(event, now)),
      events.map(eventIdOf),
      now,
      options,
    );
  };

  async function run(
    advertiserId: string,
    read: readonly (Conversion | string)[],
    eventIds: readonly (string | null)[],
    now: number,
    options: RecordOptions,
  ): Promise<ConversionReport> {
    const test = options.test === true;
    await deps.partitions.ensure([uuidDay(deps.mintId(now))]);
    // A click may be in the journal still.
    await deps.eventLog.settled(
      read.flatMap((one) => (typeof one === 'string' || one.clickId === null ? [] : [one.clickId])),
    );
    const processed = await deps.db.transaction((tx) =>
      process(tx, advertiserId, read, { ...options, now, test }),
    );
    for (const adId of processed.taught) deps.onConversion(adId);
    return report(eventIds, read, processed.results, test);
  }

  async function process(
    tx: Db,
    advertiserId: string,
    read: readonly (Conversion | string)[],
    options: RecordOptions & { now: number; test: boolean },
  ): Promise<{ results: Map<Conversion, Outcome>; taught: string[] }> {
    const { now, test } = options;
    const results = new Map<Conversion, Outcome>();
    const valid = read.filter((one) => typeof one !== 'string');
    const wanted = test ? valid : await withoutOptOuts(tx, advertiserId, valid, results);
    const ids = new Map(wanted.map((conversion) => [conversion, deps.mintId(now)]));
    const idOf = (conversion: Conversion): string => ids.get(conversion) ?? deps.mintId(now);
    // What is left out is a repeat, and said to be one.
    const fresh = test
      ? wanted
      : await firstOnes({ tx, advertiserId, ...options, windowMs: dedupeMs, idOf }, wanted);
    const credits =
      fresh.length === 0
        ? []
        : await attributeConversions({
            ...deps,
            tx,
            advertiserId,
            conversions: fresh,
            now,
            source: options.source,
            learns: !test,
          });
    fresh.forEach((conversion, n) =>
      results.set(conversion, outcome(test ? 'test_ok' : 'ok', credits[n] !== null)),
    );
    const taught =
      test || fresh.length === 0
        ? []
        : await store(
            tx,
            advertiserId,
            fresh.map((conversion, n) => ({
              id: idOf(conversion),
              conversion,
              credit: credits[n] ?? null,
            })),
            options,
          );
    if (options.source !== 'pixel') await repeatCredits(tx, advertiserId, wanted, results);
    return { results, taught };
  }

  /** Returns the ads whose clicks are known to convert now. */
  async function store(
    tx: Db,
    advertiserId: string,
    credited: readonly CreditedConversion[],
    options: RecordOptions & { now: number },
  ): Promise<string[]> {
    const { now, source } = options;
    const rates = await loadRates(tx, [
      ...new Set(credited.map(({ conversion }) => conversion.currency)),
    ]);
    const charges = await chargeConversions(
      { ...deps, tx, advertiserId, now, told: options },
      credited,
    );
    const rows: ConversionRow[] = [];
    const records: EventRecord[] = [];
    credited.forEach(({ id, conversion, credit }, n) => {
      const valueMicros = Math.round(
        conversion.amountMicros * (rates.get(conversion.currency) ?? 0),
      );
      rows.push(rowOf(conversion, id, credit, valueMicros));
      const fact = eventOf(conversion, { id, advertiserId, source, valueMicros }, credit);
      records.push({ ...fact, ...charges[n]?.facts });
    });
    await insertConversions(tx, advertiserId, source, rows);
    await ingestEvents(tx, records);
    return credited.flatMap(({ credit }, n) =>
      charges[n]?.teaches === true && credit?.touch.adId != null ? [credit.touch.adId] : [],
    );
  }
}

/** A repeat is told what was said of the first: a client that lost that answer asks for it again. */
async function repeatCredits(
  tx: Db,
  advertiserId: string,
  wanted: readonly Conversion[],
  results: Map<Conversion, Outcome>,
): Promise<void> {
  const repeats = wanted.filter((conversion) => !results.has(conversion));
  if (repeats.length === 0) return;
  const credited = await findCreditedKeys(
    tx,
    advertiserId,
    repeats.map((conversion) => conversion.key),
  );
  for (const conversion of repeats)
    results.set(conversion, outcome('duplicate', credited.has(conversion.key)));
}

function readSafely(event: unknown, now: number): Conversion | string {
  try {
    return readEvent(event, now);
  } catch (error) {
    if (error instanceof BadEvent) return error.message;
    throw error;
  }
}

async function withoutOptOuts(
  tx: Db,
  advertiserId: string,
  valid: readonly Conversion[],
  results: Map<Conversion, Outcome>,
): Promise<readonly Conversion[]> {
  // Most advertisers have none: then thousands of identities need not travel.
  const listed = (await hasOptOuts(tx, advertiserId))
    ? await findOptOuts(tx, advertiserId, valid.flatMap(identitiesOf))
    : new Set<string>();
  const refused = new Set(
    valid.filter(
      (conversion) =>
        conversion.optOut ||
        (listed.size > 0 && identitiesOf(conversion).some((identity) => listed.has(identity))),
    ),
  );
  if (refused.size === 0) return valid;
  for (const conversion of refused) results.set(conversion, outcome('skipped', false));
  return valid.filter((conversion) => !refused.has(conversion));
}

function identitiesOf({ visitor, people }: Conversion): string[] {
  return visitor === null ? people : [visitor, ...people];
}

function rowOf(
  conversion: Conversion,
  id: string,
  credit: Credit | null,
  valueMicros: number,
): ConversionRow {
  return {
    id,
    at: conversion.at,
    event_name: conversion.eventName,
    event_id: conversion.eventId,
    attribution: credit?.kind ?? null,
    evidence: credit?.evidence ?? null,
    serve_id: credit?.touch.id ?? null,
    campaign_id: credit?.touch.campaignId ?? null,
    ad_group_id: credit?.kind === 'click' ? credit.touch.adGroupId : null,
    amount_micros: conversion.amountMicros,
    currency: conversion.currency,
    value_micros: valueMicros,
    order_id: conversion.orderId,
    page_url: conversion.pageUrl,
    details: conversion.details,
  };
}

/** A view-through conversion belongs to the campaign, not to an ad group. */
function eventOf(
  conversion: Conversion,
  about: { id: string; advertiserId: string; source: string; valueMicros: number },
  credit: Credit | null,
): EventRecord {
  const { id, advertiserId, source, valueMicros } = about;
  if (credit === null)
    return {
      id,
      kind: 'conversion',
      at: conversion.at,
      advertiserId,
      valueMicros,
      data: { event_type: conversion.eventName, source },
    };
  const { publisherId, campaignId, adGroupId, adId, placement, device, country } = credit.touch;
  return {
    id,
    kind: 'conversion',
    at: conversion.at,
    advertiserId,
    publisherId,
    campaignId,
    adGroupId: credit.kind === 'click' ? adGroupId : null,
    adId,
    placement,
    device,
    country,
    attribution: credit.kind,
    valueMicros,
    data: {
      event_type: conversion.eventName,
      source,
      serve: credit.touch.id,
      evidence: credit.evidence,
    },
  };
}

/** Repeated in the answer as it was sent, if it was a text. */
function eventIdOf(event: unknown): string | null {
  const given = isObject(event) ? event['event_id'] : null;
  return typeof given === 'string' ? given.slice(0, 500) : null;
}

function report(
  eventIds: readonly (string | null)[],
  read: readonly (Conversion | string)[],
  outcomes: ReadonlyMap<Conversion, Outcome>,
  test: boolean,
): ConversionReport {
  const results = read.map((one, n): ConversionResult => {
    const eventId = eventIds[n] ?? null;
    if (typeof one === 'string')
      return { event_id: eventId, status: 'error', attributed: false, error: one };
    const { status, attributed } = outcomes.get(one) ?? outcome('duplicate', false);
    return { event_id: eventId, status, attributed };
  });
  const errored = results.filter((result) => result.status === 'error').length;
  return {
    events_received: read.length,
    events_processed: read.length - errored,
    events_errored: errored,
    results,
    test_mode: test,
  };
}
