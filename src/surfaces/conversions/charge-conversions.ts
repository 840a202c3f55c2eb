import { isChargedConversion } from '../../domain/attribution-charge.js';
import { splitRevenue } from '../../domain/money.js';
import type { Db } from '../../platform/db/db.js';
import type { EventRecord } from '../../platform/events/event.js';
import type { Credit } from './attribute-conversions.js';
import type { Conversion } from './read-event.js';
import type { RecordOptions } from './record-conversions.js';
import {
  type ChargeClaim,
  claimCharges,
  claimKey,
  lessonName,
  loadTerms,
  type Terms,
} from './trust-queries.js';

export interface ChargeInput {
  tx: Db;
  advertiserId: string;
  now: number;
  told: Pick<RecordOptions, 'source' | 'isOwnSite' | 'isValid'>;
  shareBpsOf: (publisherId: string) => number;
  isPublisherBlocked: (publisherId: string) => boolean;
  budgetDay: (advertiserId: string, at: number) => string;
}

export interface CreditedConversion {
  id: string;
  conversion: Conversion;
  credit: Credit | null;
}

export interface Charge {
  /** What is added to the event of a conversion: its cost, or why it costs nothing. */
  facts: Partial<EventRecord>;
  /** Whether it says how often clicks on the ad convert. */
  teaches: boolean;
}

/**
 * A campaign billed per conversion pays for the first trusted one of a click and event name, at the
 * price and against the budget of the click. Views are never charged. A pixel's word is paid for
 * only where the advertiser accepts it, from its own site, once a click. What is paid teaches, and
 * where clicks or views are paid the first of a click: an advertiser that tells of one click's
 * conversion a hundred times would else seem to convert like nobody.
 */
export async function chargeConversions(
  input: ChargeInput,
  credited: readonly CreditedConversion[],
): Promise<Charge[]> {
  const terms = await termsOf(input.tx, credited);
  const refusals = credited.map((one) => refusalOf(one, input, terms));
  const claims = credited.map((one, n) => claimsFor(one, refusals[n] ?? null, input, terms));
  const claimed = await claimCharges(
    input.tx,
    input.advertiserId,
    claims.flat(),
    new Date(input.now),
  );
  const isTrusted = input.told.source !== 'pixel';
  return credited.map((one, n) => {
    const refusal = refusals[n];
    const own = claims[n] ?? [];
    const isFirst = own.length > 0 && own.every((claim) => claimed.has(claimKey(claim)));
    const teaches = isTrusted && isFirst;
    if (refusal === 'none') return { facts: {}, teaches };
    if (typeof refusal === 'string') return { facts: { unbilled: refusal }, teaches: false };
    return isFirst
      ? { facts: costOf(one, input), teaches }
      : { facts: { unbilled: 'repeated_conversion' }, teaches: false };
  });
}

function claimsFor(
  one: CreditedConversion,
  refusal: string | null,
  input: ChargeInput,
  termsFor: (credit: Credit) => Terms,
): ChargeClaim[] {
  if (refusal === null) return claimsOf(one, input);
  const { id, conversion, credit } = one;
  return refusal === 'none' &&
    credit?.kind === 'click' &&
    input.told.source !== 'pixel' &&
    isChargedConversion(conversion.eventName, termsFor(credit).type)
    ? [{ serveId: credit.touch.id, conversionId: id, eventName: lessonName }]
    : [];
}

/** What each click's conversions are paid on: settled with the ad, else as the campaign says now. */
async function termsOf(
  tx: Db,
  credited: readonly CreditedConversion[],
): Promise<(credit: Credit) => Terms> {
  const unknown = credited.flatMap(({ credit }) =>
    credit?.kind === 'click' && credit.touch.terms === null && credit.touch.campaignId !== null
      ? [credit.touch.campaignId]
      : [],
  );
  const current = await loadTerms(tx, [...new Set(unknown)]);
  return ({ touch }) =>
    touch.terms ?? current.get(touch.campaignId ?? '') ?? { type: null, trust: null };
}

/** Why it is not paid for; `none` where conversions are not what is paid. Null: it may be. */
function refusalOf(
  { conversion, credit }: CreditedConversion,
  { told, isPublisherBlocked }: ChargeInput,
  termsFor: (credit: Credit) => Terms,
): string | null {
  if (credit === null || credit.kind !== 'click' || credit.touch.charge !== 'cpa') return 'none';
  const { priceMicros, publisherId, wasSeen } = credit.touch;
  if (priceMicros === null || priceMicros <= 0) return 'none';
  const terms = termsFor(credit);
  if (!isChargedConversion(conversion.eventName, terms.type)) return 'other_conversion_type';
  if (told.source === 'pixel') {
    if (terms.trust !== 'pixel') return 'untrusted_source';
    if (told.isOwnSite !== true) return 'other_site';
    if (told.isValid !== true) return 'invalid_traffic';
  }
  if (!wasSeen) return 'no_impression';
  if (publisherId !== null && isPublisherBlocked(publisherId)) return 'publisher_blocked';
  return null;
}

function claimsOf(
  { id, conversion, credit }: CreditedConversion,
  input: ChargeInput,
): ChargeClaim[] {
  if (credit === null) return [];
  const claim = { serveId: credit.touch.id, conversionId: id };
  const named = { ...claim, eventName: conversion.eventName.toLowerCase() };
  return input.told.source === 'pixel' ? [{ ...claim, eventName: '' }, named] : [named];
}

function costOf({ credit }: CreditedConversion, input: ChargeInput): Partial<EventRecord> {
  if (credit === null) return {};
  const { priceMicros, publisherId, at } = credit.touch;
  const spendMicros = priceMicros ?? 0;
  const { revenueMicros } = splitRevenue(
    spendMicros,
    publisherId === null ? 0 : input.shareBpsOf(publisherId),
  );
  return {
    spendMicros,
    revenueMicros,
    budgetDay: input.budgetDay(input.advertiserId, at),
    claimsBudget: true,
    budgetAt: at,
  };
}
