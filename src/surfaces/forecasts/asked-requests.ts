import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { AskedRow } from './forecast-delivery.js';
import { loadAsked } from './queries.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
export const forecastDaysBack = 14;
/** What was read stands for this long while somebody types. */
const freshMs = 60_000;

/** The kept requests of the last days, in memory while forecasts are asked for. */
export function createAskedRequests(db: Db, clock: Clock) {
  let rows: AskedRow[] = [];
  let of = '';
  let readAt = -Infinity;
  let reading: Promise<AskedRow[]> | null = null;

  async function refresh(modelId: string): Promise<AskedRow[]> {
    const now = clock();
    const first = now - forecastDaysBack * dayMs;
    // Of another model nothing can be compared; the newest hour may have grown since.
    const kept = of === modelId ? rows.filter((row) => row.hourMs >= first) : [];
    const from = kept.length === 0 ? first : (kept.at(-1)?.hourMs ?? first);
    const next = kept.filter((row) => row.hourMs < from);
    for (let at = from; at <= now; at += dayMs)
      next.push(
        ...(await loadAsked(db, {
          from: new Date(at),
          to: new Date(Math.min(at + dayMs, now + hourMs)),
          modelId,
        })),
      );
    rows = next;
    of = modelId;
    readAt = now;
    return rows;
  }

  return async (modelId: string): Promise<readonly AskedRow[]> => {
    const now = clock();
    if (of === modelId && now >= readAt && now - readAt < freshMs) return rows;
    reading ??= refresh(modelId).finally(() => (reading = null));
    return reading;
  };
}
