import type { MatchQuery } from '../../../domain/matching/match-query.js';
import { signsOf } from '../../../domain/matching/sign-vectors.js';
import type { Clock } from '../../../platform/clock.js';
import type { Db } from '../../../platform/db/db.js';
import { type AskedRequest, forgetAskedRequests, insertAskedRequests } from './asked-queries.js';
import type { Decision } from '../deciding/decide-ads.js';

/** What is known of a request when it was decided. */
export interface DecidedRequest {
  now: number;
  /** Random bits of the request. */
  seed: number;
  query: MatchQuery;
  decision: Decision;
  country: string | null;
  device: string | null;
  shift: number;
  minRelevance: number;
  floorCpmMicros: number;
  places: number;
  /** Whether what was asked may be kept at all, even like this. */
  mayKeep: boolean;
}

const hourMs = 3_600_000;
const keptMs = 15 * 24 * hourMs;
/** A quiet installation keeps every request, a busy one about two a minute. */
const mostWaiting = 240;
const perMinute = 2;
const mostScores = 6;

/**
 * A fair sample of the requests somebody's ad could have answered, for forecasts. What is kept of
 * one names no person, no publisher, no word and no minute.
 */
export function createAskedSample(db: Db, clock: Clock, modelId: () => string) {
  let room = mostWaiting;
  let filledAt = clock();
  let seen = 0;
  let keepable = 0;
  let kept: Omit<AskedRequest, 'weight'>[] = [];
  let forgottenAt = -Infinity;

  function refill(now: number): void {
    room = Math.min(mostWaiting, room + (perMinute * Math.max(0, now - filledAt)) / 60_000);
    filledAt = now;
  }

  return {
    note(request: DecidedRequest): void {
      const { query, mayKeep, seed } = request;
      if (query.refusal !== null || query.reading === null) return;
      seen += 1;
      if (!mayKeep) return;
      keepable += 1;
      const size = Math.max(1, Math.floor(room));
      const at = kept.length < size ? kept.length : seed % keepable;
      if (at < size) kept[at] = rowOf(request, query.reading, modelId());
    },
    async save(): Promise<void> {
      const now = clock();
      const [rows, counted] = [kept, seen];
      kept = [];
      seen = 0;
      keepable = 0;
      room = Math.max(0, room - rows.length);
      refill(now);
      const weight = rows.length === 0 ? 0 : counted / rows.length;
      await insertAskedRequests(
        db,
        rows.map((row) => ({ ...row, weight })),
      );
      if (now - forgottenAt < hourMs) return;
      forgottenAt = now;
      await forgetAskedRequests(db, new Date(now - keptMs));
    },
  };
}

function rowOf(
  request: DecidedRequest,
  reading: NonNullable<MatchQuery['reading']>,
  modelId: string,
): Omit<AskedRequest, 'weight'> {
  const { bits, reach } = signsOf(reading.vector);
  const best = bestScores(request.decision);
  return {
    hour: new Date(Math.floor(request.now / hourMs) * hourMs),
    modelId,
    country: request.country,
    device: request.device,
    topic: request.query.topic?.name ?? '',
    signs: bits,
    reach,
    need: reading.need,
    never: reading.never,
    trade: reading.trade,
    shift: request.shift,
    minRelevance: request.minRelevance,
    floorCpmMicros: request.floorCpmMicros,
    places: request.places,
    advertiserIds: best.map(([id]) => id),
    scores: best.map(([, score]) => Math.round(score)),
  };
}

function bestScores({ winners, losers }: Decision): [advertiserId: string, score: number][] {
  const best = new Map<string, number>();
  for (const { entry, score } of [...winners, ...losers]) {
    const { advertiserId } = entry.candidate;
    if (score > (best.get(advertiserId) ?? 0)) best.set(advertiserId, score);
  }
  return [...best].sort((a, b) => b[1] - a[1]).slice(0, mostScores);
}
