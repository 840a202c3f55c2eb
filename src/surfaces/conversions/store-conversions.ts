import type { Db } from '../../platform/db/db.js';
import type { EventRecord } from '../../platform/events/event.js';
import { ingestEvents } from '../../platform/events/ingest-events.js';
import type { Credit } from './crediting/attribute-conversions.js';
import {
  type CreditedConversion,
  type PlannedCharge,
  settleCharges,
} from './crediting/charge-conversions.js';
import { claimFirstOnes } from './crediting/first-ones.js';
import {
  type ClickLink,
  type ConversionRow,
  insertClickLinks,
  insertConversions,
} from './queries.js';
import type { Conversion } from './intake/read-event.js';
import { type ConversionSource, dedupeMs } from './record-conversions.js';

/** A conversion as it was answered, without who made it. */
export type ToldConversion = Pick<
  Conversion,
  | 'key'
  | 'eventName'
  | 'eventId'
  | 'at'
  | 'orderId'
  | 'amountMicros'
  | 'currency'
  | 'pageUrl'
  | 'details'
> & {
  id: string;
  credit: Credit | null;
  planned: PlannedCharge;
  valueMicros: number;
};

/** What the journal carries of one request: everything that was known when it was answered. */
export interface ToldConversions {
  /** Who is told by one of these before it is stored waits for it. */
  ids: readonly string[];
  advertiserId: string;
  source: ConversionSource;
  /** When it was told. */
  now: number;
  orderNames: readonly string[];
  /** No ad is judged by it. */
  isDemo: boolean;
  links: readonly ClickLink[];
  conversions: readonly ToldConversion[];
}

export function toldConversion(
  { id, conversion, credit }: CreditedConversion,
  planned: PlannedCharge = { claims: [], ifFirst: {}, otherwise: {} },
  rates: ReadonlyMap<string, number>,
): ToldConversion {
  return {
    id,
    key: conversion.key,
    eventName: conversion.eventName,
    eventId: conversion.eventId,
    at: conversion.at,
    orderId: conversion.orderId,
    amountMicros: conversion.amountMicros,
    currency: conversion.currency,
    pageUrl: conversion.pageUrl,
    details: conversion.details,
    credit,
    planned,
    valueMicros: Math.round(conversion.amountMicros * (rates.get(conversion.currency) ?? 0)),
  };
}

/**
 * Stores what was answered, each conversion only if it is the first: another node may have been
 * told of it at the same time, and a journal may be read twice. Returns the ads whose clicks are
 * known to convert once this is committed, one for each that teaches.
 */
export async function storeConversions(
  tx: Db,
  told: readonly ToldConversions[],
): Promise<string[]> {
  const taught: string[] = [];
  for (const batch of inOneGo(told)) taught.push(...(await storeBatch(tx, batch)));
  return taught;
}

/** Neighbours of one advertiser and source, together; the order of all of them stays. */
function inOneGo(told: readonly ToldConversions[]): ToldConversions[] {
  const batches: ToldConversions[] = [];
  for (const one of told) {
    const last = batches.at(-1);
    if (
      last?.advertiserId === one.advertiserId &&
      last.source === one.source &&
      last.isDemo === one.isDemo &&
      last.orderNames.length + one.orderNames.length === 0
    )
      batches[batches.length - 1] = {
        ...last,
        now: one.now,
        links: [...last.links, ...one.links],
        conversions: [...last.conversions, ...one.conversions],
      };
    else batches.push(one);
  }
  return batches;
}

async function storeBatch(tx: Db, batch: ToldConversions): Promise<string[]> {
  const { advertiserId, source } = batch;
  await insertClickLinks(tx, advertiserId, batch.links);
  const fresh = await claimFirstOnes({ ...batch, tx, windowMs: dedupeMs }, batch.conversions);
  if (fresh.length === 0) return [];
  const charges = await settleCharges(
    tx,
    batch,
    fresh.map(({ planned }) => planned),
  );
  await insertConversions(tx, advertiserId, source, fresh.map(rowOf));
  await ingestEvents(
    tx,
    fresh.map((one, n) => ({ ...eventOf(one, advertiserId, source), ...charges[n]?.facts })),
  );
  return fresh.flatMap(({ credit }, n) =>
    charges[n]?.teaches === true && !batch.isDemo && credit?.touch.adId != null
      ? [credit.touch.adId]
      : [],
  );
}

function rowOf({ credit, ...conversion }: ToldConversion): ConversionRow {
  return {
    id: conversion.id,
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
    value_micros: conversion.valueMicros,
    order_id: conversion.orderId,
    page_url: conversion.pageUrl,
    details: conversion.details,
  };
}

/** A view-through conversion belongs to the campaign, not to an ad group. */
function eventOf(
  { id, at, eventName, valueMicros, credit }: ToldConversion,
  advertiserId: string,
  source: ConversionSource,
): EventRecord {
  if (credit === null)
    return {
      id,
      kind: 'conversion',
      at,
      advertiserId,
      valueMicros,
      data: { event_type: eventName, source },
    };
  const { publisherId, campaignId, adGroupId, adId, placement, device, country } = credit.touch;
  return {
    id,
    kind: 'conversion',
    at,
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
    data: { event_type: eventName, source, serve: credit.touch.id, evidence: credit.evidence },
  };
}
