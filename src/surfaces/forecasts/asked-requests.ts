import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { AskedRow } from './forecast-delivery.js';
import { loadAsked } from './queries.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
export const forecastDaysBack = 14;
/** What was read stands for this long while somebody types. */
const freshMs = 60_000;
/**
 * A page keeps nobody else waiting for the store; nor do all of them, one right after the other.
 */
const pageMs = 6 * hourMs;
const restMs = 50;

/** The kept requests of the last days, in memory. */
export function createAskedRequests(db: Db, clock: Clock) {
  let rows: AskedRow[] = [];
  let of = '';
  let readAt = -Infinity;
  let reading: Promise<AskedRow[]> | null = null;
  let isAwaited = false;
  let isClosed = false;

  async function refresh(modelId: string): Promise<AskedRow[]> {
    const now = clock();
    const first = now - forecastDaysBack * dayMs;
    // Of another model nothing can be compared; the newest hour may have grown since.
    const kept = of === modelId ? rows.filter((row) => row.hourMs >= first) : [];
    const from = kept.length === 0 ? first : (kept.at(-1)?.hourMs ?? first);
    const next = kept.filter((row) => row.hourMs < from);
    for (let at = from; at <= now && !isClosed; at += pageMs) {
      const to = new Date(Math.min(at + pageMs, now + hourMs));
      next.push(...(await loadAsked(db, { from: new Date(at), to, modelId })));
      if (!isAwaited) await pause(restMs);
    }
    rows = next;
    of = modelId;
    return rows;
  }

  const read = (modelId: string): Promise<AskedRow[]> =>
    (reading ??= refresh(modelId).finally(() => (reading = null)));

  return {
    async recent(modelId: string): Promise<readonly AskedRow[]> {
      const now = clock();
      if (of === modelId && now >= readAt && now - readAt < freshMs) return rows;
      isAwaited = true;
      try {
        await read(modelId);
      } finally {
        isAwaited = false;
      }
      readAt = now;
      return rows;
    },
    /**
     * Reads what the first forecast will need, at leisure: that one then only reads what came
     * since.
     */
    async readAhead(modelId: string): Promise<void> {
      await read(modelId);
    },
    async close(): Promise<void> {
      isClosed = true;
      await reading;
    },
  };
}
