// What is kept of every decision, so that an operator can read later who took part, with which
// numbers, and why the others lost. It is written with each request and was the longest part of it:
// one short text costs a third of what rows of numbers cost the database.
import { uuidFromBytes } from '../uuid.js';
import type { AuctionResult, Entry, Loser } from './run-auction.js';
import type { Rejected } from './score-candidates.js';

/** Shares are in millionths. What was not reached is missing at the end. */
const fields = [
  'relevance',
  'outcome',
  'ad_id',
  'campaign_id',
  'pctr',
  'pcvr',
  'quality',
  'multiplier',
  'bid_micros',
  'score',
  'placement',
  'price_micros',
  'charge',
  'basis',
  'runner_up_score',
] as const;
const shares: ReadonlySet<string> = new Set(['relevance', 'pctr', 'pcvr', 'quality', 'multiplier']);
const ids: ReadonlySet<string> = new Set(['ad_id', 'campaign_id']);
const words: ReadonlySet<string> = new Set(['outcome', 'charge', 'basis']);

type RecordRow = readonly (string | number)[];

/**
 * The winners, then the best of the others, then some that could not take part. No conversation
 * text.
 */
export function recordDecision(
  decision: AuctionResult & { rejected: readonly Rejected[] },
  limit: number,
): string {
  const rows: RecordRow[] = [];
  for (const {
    entry,
    score,
    placementIndex,
    priceMicros,
    charge,
    basis,
    runnerUpScore,
  } of decision.winners) {
    rows.push([
      ...numbersOf(entry, 'won', score),
      placementIndex,
      priceMicros,
      charge,
      basis,
      Math.round(runnerUpScore),
    ]);
  }
  for (const { entry, score, reason } of best(decision.losers, limit - rows.length))
    rows.push(numbersOf(entry, reason, score));
  for (const { candidate, relevance, reason } of decision.rejected) {
    if (rows.length >= limit) break;
    rows.push([millionths(relevance), reason, adOf(candidate), campaignOf(candidate)]);
  }
  return rows.slice(0, limit).map(written).join(';');
}

/** Numbers to the base of 36: shorter, and not to be taken for an id. */
function written(row: RecordRow): string {
  return row.map((value) => (typeof value === 'number' ? value.toString(36) : value)).join(',');
}

/** The campaign of an ad is known by the ad; an ad unit may run in several. */
function campaignOf({ adGroupId, campaignId }: Entry['candidate']): string {
  return adGroupId === null ? shortId(campaignId) : '';
}

/** Candidates stay from request to request; so do the short names of their ads. */
const shortAds = new WeakMap<Entry['candidate'], string>();

function adOf(candidate: Entry['candidate']): string {
  let short = shortAds.get(candidate);
  if (short === undefined) shortAds.set(candidate, (short = shortId(candidate.adId)));
  return short;
}

function shortId(id: string): string {
  return id.length === 36 ? Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url') : id;
}

function longId(id: string): string {
  return id.length === 22 ? uuidFromBytes(Buffer.from(id, 'base64url'), 0) : id;
}

/**
 * The record as it is read, with names. Former versions kept rows, the first ones names from the
 * start.
 */
export function readRecord(rows: unknown): Record<string, unknown>[] {
  if (typeof rows === 'string')
    return rows === '' ? [] : rows.split(';').map((row) => named(readRow(row)));
  if (!Array.isArray(rows)) return [];
  return rows.map((row: unknown) => (Array.isArray(row) ? named(row) : { ...Object(row) }));
}

function readRow(row: string): unknown[] {
  return row.split(',').map((value, at) => {
    const field = fields[at] ?? '';
    if (ids.has(field)) return value === '' ? null : longId(value);
    return words.has(field) ? value : Number.parseInt(value, 36);
  });
}

function named(row: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(
    row.slice(0, fields.length).map((value, at) => {
      const field = fields[at] ?? '';
      return [field, shares.has(field) ? Number(value) / 1e6 : value];
    }),
  );
}

/** The highest scores in order, without sorting everyone for the few that are kept. */
function best(losers: readonly Loser[], count: number): Loser[] {
  const kept: Loser[] = [];
  for (const loser of losers) {
    const least = kept[kept.length - 1];
    if (kept.length >= count && (least === undefined || loser.score <= least.score)) continue;
    let at = kept.length;
    while (at > 0 && (kept[at - 1]?.score ?? 0) < loser.score) at -= 1;
    kept.splice(at, 0, loser);
    if (kept.length > count) kept.pop();
  }
  return kept;
}

function numbersOf(
  { candidate, relevance, pctr, pcvr, quality, multiplier, bidMicros }: Entry,
  outcome: string,
  score: number,
): (string | number)[] {
  return [
    millionths(relevance),
    outcome,
    adOf(candidate),
    campaignOf(candidate),
    millionths(pctr),
    millionths(pcvr),
    millionths(quality),
    millionths(multiplier),
    Math.round(bidMicros),
    Math.round(score),
  ];
}

function millionths(share: number): number {
  return Math.round(share * 1e6);
}
