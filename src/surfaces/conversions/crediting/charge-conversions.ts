import { isBilledAt } from '../../../domain/billing/billing-models.js';
import { isChargedConversion } from '../../../domain/attribution-charge.js';
import { splitRevenue } from '../../../domain/money.js';
import type { Db } from '../../../platform/db/db.js';
import type { EventRecord } from '../../../platform/events/event.js';
import type { Credit } from './attribute-conversions.js';
import type { Conversion } from '../intake/read-event.js';
import type { RecordOptions } from '../record-conversions.js';
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

/** What is added to the event of a conversion: its cost, or why it costs nothing. */
type Facts = Partial<EventRecord>;

/** What it will cost and teach: the first that claims something of a click gets it. */
export interface PlannedCharge {
  claims: readonly ChargeClaim[];
  ifFirst: Facts;
  otherwise: Facts;
}

export interface Charge {
  facts: Facts;
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
export async function planCharges(
  input: ChargeInput,
  credited: readonly CreditedConversion[],
): Promise<PlannedCharge[]> {
  const terms = await termsOf(input.tx, credited);
  return credited.map((one) => {
    const refusal = refusalOf(one, input, terms);
    const claims = claimsFor(one, refusal, input, terms);
    if (refusal === null)
      return {
        claims,
        ifFirst: costOf(one, input),
        otherwise: { unbilled: 'repeated_conversion' },
      };
    const facts = refusal === 'none' ? {} : { unbilled: refusal };
    return { claims, ifFirst: facts, otherwise: facts };
  });
}

/** What each costs and teaches, now that nobody else can be the first. */
export async function settleCharges(
  tx: Db,
  about: { advertiserId: string; source: RecordOptions['source']; now: number },
  planned: readonly PlannedCharge[],
): Promise<Charge[]> {
  const claimed = await claimCharges(
    tx,
    about.advertiserId,
    planned.flatMap(({ claims }) => claims),
    new Date(about.now),
  );
  return planned.map(({ claims, ifFirst, otherwise }) => {
    const isFirst = claims.length > 0 && claims.every((claim) => claimed.has(claimKey(claim)));
    return isFirst
      ? { facts: ifFirst, teaches: about.source !== 'pixel' }
      : { facts: otherwise, teaches: false };
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

/**
 * What each click's conversions are paid on: settled with the ad, else as the campaign says now.
 */
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
  if (credit === null || credit.kind !== 'click' || !isBilledAt(credit.touch.charge, 'conversion'))
    return 'none';
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
