import type { Db } from '../../../platform/db/db.js';
import { touchSession } from './pixel-queries.js';
import { type ClickLink, insertClickLinks } from '../queries.js';

/**
 * What the journal carries of a page view: whose click it came with, and that they are still there.
 */
export interface PixelVisit {
  /** Who is told by one of these before it is stored waits for it. */
  ids: readonly string[];
  advertiserId: string;
  visitor: string | null;
  /** Null when it need not be kept awake. */
  sessionId: string | null;
  now: number;
  links: readonly ClickLink[];
}

export async function storeVisits(tx: Db, visits: readonly PixelVisit[]): Promise<void> {
  for (const { advertiserId, visitor, sessionId, now, links } of visits) {
    await insertClickLinks(tx, advertiserId, links);
    if (visitor !== null && sessionId !== null)
      await touchSession(tx, advertiserId, visitor, sessionId, now);
  }
}
