// What is kept of every decision, so that an operator can read later who took part, with which
// numbers, and why the others lost. It is written with each request and was the longest part of it,
// so it is bytes: what a candidate shares with the one before it is not written again.
import { uuidFromBytes, uuidToBytes } from '../uuid.js';
import { ByteReader, ByteWriter } from '../bytes.js';
import { readFormerRecord } from './former-record.js';
import type { AuctionResult, Entry } from './run-auction.js';
import type { Rejected } from './score-candidates.js';

/** How the conversation was read and matched. */
export interface DecidedWith {
  readonly matching: string;
  readonly model: string;
  readonly clicksLearned: number;
  /**
   * Chances in thousandths: need, sensitivity, need of the turn before, fit of the best offer;
   * 'unread' in a language nobody here reads.
   */
  readonly reading: readonly (number | null)[] | 'unread' | null;
}

/** Decisions of the first versions did not say what they were made with. */
export interface DecisionRecord extends Pick<DecidedWith, 'reading'> {
  readonly matching: string | null;
  readonly model: string | null;
  readonly clicksLearned: number | null;
  readonly candidates: Record<string, unknown>[];
}

/** What of a decision is kept. */
type Recorded = Pick<AuctionResult, 'winners' | 'nextBest' | 'bestRelevance'> & {
  readonly rejected: readonly Rejected[];
};

/** The first byte. Other shapes get another number. */
const shape = 1;
/** In place of the best fit, where nobody took part. */
const nobody = 0xff_ff_ff;
const unread = 1;
const wasRead = 2;

/** Words by their place: only ever added to at the end. Place 0 says that the word itself follows. */
const words = ` won low_relevance bid_too_low below_floor outbid same_advertiser advertiser_blocked
  billing_required campaign_archived campaign_inactive not_approved not_deployed
  group_inactive ad_inactive ad_not_approved not_started ended advertiser_excluded
  brand_safety ad_disliked adults_only country_unknown country device_unknown device
  gender age interests session_cap cap_uncounted user_cap budget experiment cpm vcpm
  cpc cpa reserve second_price floor bid lexical semantic words`.split(/\s+/);
const placeOf = new Map(words.map((word, place) => [word, place]));

/** What a candidate that took part has beside its relevance, in the order of the bits. */
const numbers = ['relevance', 'pctr', 'pcvr', 'quality', 'multiplier', 'bid_micros', 'score'];
const shares: ReadonlySet<string> = new Set(numbers.slice(0, 5));
const hasCampaign = 0x80;
const isNoUuid = 0x80;
const uuidBytes = 16;
const bestBytes = 3;
const chances = 4;

/**
 * The winners, then the best of the others, then some that could not take part, as base64. No
 * conversation text.
 */
export function recordDecision(
  decision: Recorded,
  limit: number,
  { matching, model, clicksLearned, reading }: DecidedWith,
): string {
  const to = new ByteWriter();
  to.byte(shape);
  to.threeBytes(bestFit(decision) ?? nobody);
  writeWord(to, matching);
  writeWord(to, model);
  to.number(Math.round(clicksLearned));
  if (reading === 'unread') to.byte(unread);
  else if (reading === null) to.byte(0);
  else {
    to.byte(wasRead);
    for (const chance of reading) to.number(chance ?? -1);
  }
  writeCandidates(to, decision, limit);
  return to.base64();
}

/** The best relevance of all there were, in millionths; null when there was nobody. */
export function bestFit({
  bestRelevance,
  rejected,
}: Pick<Recorded, 'bestRelevance' | 'rejected'>): number | null {
  let best = bestRelevance;
  for (const { relevance } of rejected) best = Math.max(best, relevance);
  return best < 0 ? null : millionths(best);
}

/** What was written last, which the next need not repeat. */
interface Before {
  ad: Uint8Array;
  campaign: Uint8Array;
  numbers: number[];
}

const none = new Uint8Array(0);

function nothingBefore(): Before {
  return { ad: none, campaign: none, numbers: numbers.map(() => 0) };
}

function writeCandidates(to: ByteWriter, decision: Recorded, limit: number): void {
  const { winners, rejected } = decision;
  const before = nothingBefore();
  for (const winner of winners) {
    const { entry, score, placementIndex, priceMicros, charge, basis, runnerUpScore } = winner;
    writeCandidate(to, before, entry.candidate, 'won', numbersOf(entry, score));
    to.number(placementIndex);
    to.number(priceMicros);
    writeWord(to, charge);
    writeWord(to, basis);
    to.number(Math.round(runnerUpScore));
  }
  let left = limit - winners.length;
  for (const { entry, score, reason } of decision.nextBest(left)) {
    writeCandidate(to, before, entry.candidate, reason, numbersOf(entry, score));
    left -= 1;
  }
  for (const { candidate, relevance, reason } of rejected) {
    if (left <= 0) break;
    writeCandidate(to, before, candidate, reason, [millionths(relevance)]);
    left -= 1;
  }
}

/** Which numbers differ from those before, whether there are all, whose campaign; then all that. */
function writeCandidate(
  to: ByteWriter,
  before: Before,
  candidate: Entry['candidate'],
  outcome: string,
  of: readonly number[],
): void {
  writeWord(to, outcome);
  // An ad is of one campaign; an ad unit may run in several.
  const isUnit = candidate.adGroupId === null;
  let differing = isUnit ? hasCampaign : 0;
  of.forEach((value, at) => {
    if (value !== before.numbers[at]) differing |= 1 << at;
  });
  to.byte(of.length);
  to.byte(differing);
  before.ad = writeId(to, before.ad, adBytes(candidate));
  if (isUnit) before.campaign = writeId(to, before.campaign, idBytes(candidate.campaignId));
  of.forEach((value, at) => {
    if (value === before.numbers[at]) return;
    to.number(value);
    before.numbers[at] = value;
  });
}

/** Ids of one time begin alike: how many bytes they share, how many follow, and those. */
function writeId(to: ByteWriter, before: Uint8Array, id: Uint8Array): Uint8Array {
  let same = 0;
  while (same < 15 && same < id.length && id[same] === before[same]) same += 1;
  const isUuid = id.length === uuidBytes;
  to.byte(same | (isUuid ? 0 : isNoUuid));
  if (!isUuid) to.byte(id.length);
  to.bytes(id, same);
  return id;
}

function writeWord(to: ByteWriter, word: string): void {
  const place = placeOf.get(word) ?? 0;
  to.byte(place);
  if (place === 0) to.text(word);
}

/** Candidates stay from request to request; so do the bytes of their ads. */
const knownAds = new WeakMap<Entry['candidate'], Uint8Array>();

function adBytes(candidate: Entry['candidate']): Uint8Array {
  let bytes = knownAds.get(candidate);
  if (bytes === undefined) knownAds.set(candidate, (bytes = idBytes(candidate.adId)));
  return bytes;
}

/** Sixteen bytes of a UUID; of anything else its text, which is never as long. */
function idBytes(id: string): Uint8Array {
  if (id.length !== 36) return Buffer.from(id);
  const bytes = new Uint8Array(uuidBytes);
  uuidToBytes(id, bytes, 0);
  return bytes;
}

/**
 * The record as it is read, with names. `former` is what earlier versions kept with the event
 * instead.
 */
export function readRecord(
  record: Uint8Array | null,
  former: Readonly<Record<string, unknown>> = {},
): DecisionRecord {
  if (record === null) return readFormerRecord(former);
  const from = new ByteReader(record);
  if (from.byte() !== shape) return readFormerRecord({});
  from.skip(bestBytes);
  const [matching, model, clicksLearned] = [readWord(from), readWord(from), from.number()];
  const reading = readReading(from);
  const before = nothingBefore();
  const candidates: Record<string, unknown>[] = [];
  while (!from.isAtEnd()) candidates.push(readCandidate(from, before));
  return { matching, model, clicksLearned, reading, candidates };
}

function readReading(from: ByteReader): DecidedWith['reading'] {
  const kind = from.byte();
  if (kind !== wasRead) return kind === unread ? 'unread' : null;
  return Array.from({ length: chances }, () => from.number()).map((chance) =>
    chance < 0 ? null : chance,
  );
}

function readCandidate(from: ByteReader, before: Before): Record<string, unknown> {
  const outcome = readWord(from);
  const count = from.byte();
  const differing = from.byte();
  before.ad = readId(from, before.ad);
  if ((differing & hasCampaign) !== 0) before.campaign = readId(from, before.campaign);
  for (let at = 0; at < count; at += 1)
    if ((differing & (1 << at)) !== 0) before.numbers[at] = from.number();
  const [relevance, ...rest] = numbers
    .slice(0, count)
    .map((name, at) => [name, (before.numbers[at] ?? 0) / (shares.has(name) ? 1e6 : 1)] as const);
  return {
    ...Object.fromEntries(relevance === undefined ? [] : [relevance]),
    outcome,
    ad_id: idOf(before.ad),
    campaign_id: (differing & hasCampaign) === 0 ? null : idOf(before.campaign),
    ...Object.fromEntries(rest),
    ...(outcome === 'won' ? readPrice(from) : {}),
  };
}

function readPrice(from: ByteReader): Record<string, unknown> {
  return {
    placement: from.number(),
    price_micros: from.number(),
    charge: readWord(from),
    basis: readWord(from),
    runner_up_score: from.number(),
  };
}

function readId(from: ByteReader, before: Uint8Array): Uint8Array {
  const first = from.byte();
  const length = (first & isNoUuid) === 0 ? uuidBytes : from.byte();
  const same = first & ~isNoUuid;
  return Buffer.concat([before.subarray(0, same), from.bytes(length - same)]);
}

function idOf(bytes: Uint8Array): string {
  return bytes.length === uuidBytes ? uuidFromBytes(bytes, 0) : Buffer.from(bytes).toString();
}

function readWord(from: ByteReader): string {
  const place = from.byte();
  return place === 0 ? from.text() : (words[place] ?? '');
}

function numbersOf(
  { relevance, pctr, pcvr, quality, multiplier, bidMicros }: Entry,
  score: number,
): number[] {
  return [
    millionths(relevance),
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
