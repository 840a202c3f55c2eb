import { type BoundedCache, createBoundedCache } from '../../../platform/bounded-cache.js';
import type { Clock } from '../../../platform/clock.js';
import type { Db } from '../../../platform/db/db.js';
import type { SharedCounts } from '../../../platform/shared-counts.js';
import { AppError } from '../../../platform/errors.js';
import { loadPixelNames } from './pixel-queries.js';
import { dayMs } from '../../../domain/time/utc-day.js';

/** From this part of a day's events on nodes tell each other. */
const toldPart = 256;
/** Names reports are cut by; whatever comes after them is counted together. */
const most = { eventTypes: 100, domains: 100 } as const;
/**
 * Of a pixel's day, for one network: whoever sends more is no visitor, and leaves others theirs.
 */
const networkPart = 20;
const leastOfNetwork = 100;
export const otherName = 'other';

interface Names {
  eventTypes: Set<string>;
  domains: Set<string>;
}

interface PixelBoundsOptions {
  db: Db;
  clock: Clock;
  eventsPerDay: number;
  shared: Pick<SharedCounts, 'space'>;
}

/**
 * Anyone can call a pixel, so what a caller may cause is bounded: so many events a day on all
 * nodes, and so many names of events and sites that the totals are kept by.
 */
export function createPixelBounds(options: PixelBoundsOptions) {
  const { clock, eventsPerDay } = options;
  const taken = createBoundedCache<string, { day: number; events: number }>(50_000);
  const known = createBoundedCache<string, Promise<Names>>(5000);
  const space = options.shared.space('pixels', {
    periodMs: dayMs,
    worth: ([events = 0]) => events >= eventsPerDay / toldPart,
    heard: (pixelId, [events = 0], day) => add(pixelId, day, events),
  });

  function takenOn(pixelId: string, day: number): number {
    const kept = taken.get(pixelId);
    return kept?.day === day ? kept.events : 0;
  }

  function add(pixelId: string, day: number, events: number): void {
    taken.set(pixelId, { day, events: takenOn(pixelId, day) + events });
  }

  return {
    /**
     * Throws `rate_limited` until the next day once the pixel, or one network of it, has had its
     * share of this one. Networks are counted by each node for itself.
     */
    take(pixelId: string, network: string | null, events: number): void {
      const day = Math.floor(clock() / dayMs);
      const ofNetwork = `${pixelId} ${network}`;
      const networkMost = Math.max(leastOfNetwork, eventsPerDay / networkPart);
      if (
        takenOn(pixelId, day) + events > eventsPerDay ||
        (network !== null && takenOn(ofNetwork, day) + events > networkMost)
      )
        throw new AppError('rate_limited', {
          retryAfterSeconds: Math.ceil(((day + 1) * dayMs - clock()) / 1000),
        });
      add(pixelId, day, events);
      if (network !== null) add(ofNetwork, day, events);
      space.add(pixelId, events);
    },
    /** The names an event is counted under. */
    async countedAs<T extends { domain: string; eventType: string }>(
      advertiserId: string,
      events: readonly T[],
    ): Promise<T[]> {
      const names = await namesOf(options, known, advertiserId);
      return events.map((event) => ({
        ...event,
        domain: bounded(names.domains, event.domain, most.domains),
        eventType: bounded(names.eventTypes, event.eventType, most.eventTypes),
      }));
    },
  };
}

function namesOf(
  options: PixelBoundsOptions,
  known: BoundedCache<string, Promise<Names>>,
  advertiserId: string,
): Promise<Names> {
  const kept = known.get(advertiserId);
  if (kept !== undefined) return kept;
  const loading = loadPixelNames(
    options.db,
    advertiserId,
    new Date(options.clock() - 30 * dayMs),
  ).then(({ eventTypes, domains }) => ({
    eventTypes: new Set(eventTypes),
    domains: new Set(domains),
  }));
  known.set(advertiserId, loading);
  // Asked again the next time.
  loading.catch(() => known.delete(advertiserId));
  return loading;
}

function bounded(names: Set<string>, name: string, limit: number): string {
  if (names.has(name)) return name;
  if (names.size >= limit) return otherName;
  names.add(name);
  return name;
}
