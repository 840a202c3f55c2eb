import { createFrequencyCaps, type FrequencyCaps } from '../../../domain/decision/frequency-cap.js';
import { formatUuidV7 } from '../../../domain/uuid.js';
import type { Clock } from '../../../platform/clock.js';
import type { Db } from '../../../platform/db/db.js';
import { loadShowings, loadShowingsElsewhere, type Showing } from './showing-queries.js';

const windowMs = 24 * 3_600_000;
const maxSubjects = 100_000;
/** An ad is in the log a little after it was decided on. */
const overlapMs = 5_000;
const aliveMs = 20_000;

/**
 * Who was shown what lately: on this node at once, on others a moment later, and after a restart
 * what the log still tells.
 */
export interface Showings {
  readonly sessionCaps: FrequencyCaps;
  readonly userCaps: FrequencyCaps;
  /** Counts what was shown before this process began. */
  recall(): Promise<void>;
  /** Counts what the other nodes have shown since the last time. */
  follow(): Promise<void>;
}

export function createShowings({
  db,
  clock,
  node,
}: {
  db: Db;
  clock: Clock;
  node: number;
}): Showings {
  const sessionCaps = createFrequencyCaps({ windowMs, maxSubjects, maxCampaignsPerSubject: 32 });
  const userCaps = createFrequencyCaps({ windowMs, maxSubjects, maxCampaignsPerSubject: 64 });
  const began = clock();
  let since = began;
  /** Ids of the overlap: they are read again. */
  let counted = new Set<string>();

  function count({ publisherId, userId, session, campaignId, at }: Showing): void {
    const subjects = subjectsOf(publisherId, session ?? '', userId);
    if (session !== null) sessionCaps.record(subjects.session, campaignId, at.getTime());
    if (session !== null || userId !== 'anonymous')
      userCaps.record(subjects.user, campaignId, at.getTime());
  }

  return {
    sessionCaps,
    userCaps,
    async recall() {
      // Newest first, because the oldest are the ones to leave out; counted oldest first, because a
      // count begins with the first.
      for (const showing of (
        await loadShowings(db, idAt(began - windowMs), idAt(began), maxSubjects)
      ).reverse())
        count(showing);
    },
    async follow() {
      const now = clock();
      const found = await loadShowingsElsewhere(
        db,
        node,
        new Date(now - aliveMs),
        idAt(since - overlapMs),
      );
      for (const showing of found) if (!counted.has(showing.id)) count(showing);
      counted = new Set(found.map((showing) => showing.id));
      since = now;
    },
  };
}

/** Whose showings are counted: the session, and the user where one is named. */
export function subjectsOf(
  publisherId: string,
  sessionId: string,
  userId: string,
): { session: string; user: string } {
  const session = `${publisherId}:${sessionId}`;
  return { session, user: userId === 'anonymous' ? session : `${publisherId}:${userId}` };
}

/** The least id of an instant. */
function idAt(epochMs: number): string {
  return formatUuidV7(Math.max(0, epochMs), new Uint8Array(16));
}
