import { createBoundedCache } from '../../platform/bounded-cache.js';
import type { SharedCounts } from '../../platform/shared-counts.js';

/** Ads paid by click that were seen through another node; the click may come to this one. */
export interface SeenElsewhere {
  tell(serveId: string, at: number): void;
  at(serveId: string): number | undefined;
}

/**
 * A click is paid when its ad was seen. That is in the database some tenths of a second after the
 * impression; a click at another node may come sooner.
 */
export function createSeenElsewhere(shared: Pick<SharedCounts, 'space'>): SeenElsewhere {
  const seen = createBoundedCache<string, number>(100_000);
  const space = shared.space('seen', {
    periodMs: 60_000,
    worth: () => true,
    heard: (serveId, [at = 0]) => seen.set(serveId, at),
  });
  return { tell: (serveId, at) => space.add(serveId, at), at: (serveId) => seen.get(serveId) };
}
