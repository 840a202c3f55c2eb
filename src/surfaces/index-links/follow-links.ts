import { formatUuidV7 } from '../../domain/uuid.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { errorFields, type Log } from '../../platform/log.js';
import type { IndexLinks } from './index-links.js';
import { loadLinksSince } from './queries.js';

const everyMs = 2_000;
/**
 * Longer than a journal is usually behind, so that what was minted before and stored later is met.
 */
const overlapMs = 6_000;
/** Read at the start: what people may follow soon. */
const firstMs = 10 * 60_000;

/**
 * Keeps a copy of the links other nodes minted lately, so that they lead on while the database is
 * away. What is older is looked up.
 */
export function followLinks(deps: {
  db: Db;
  clock: Clock;
  log: Log;
  links: Pick<IndexLinks, 'targets'>;
}) {
  const { db, clock, log, links } = deps;
  let backMs = firstMs;
  let timer: NodeJS.Timeout | undefined;

  async function follow(): Promise<void> {
    const since = formatUuidV7(clock() - backMs, Buffer.alloc(16));
    for (const { id, ...target } of await loadLinksSince(db, since)) links.targets.set(id, target);
    backMs = overlapMs;
  }

  return {
    follow,
    start(): void {
      // An embedded store has one process, which knows its own.
      if (db.engine === 'embedded') return;
      let isFollowing = false;
      timer = setInterval(() => {
        if (isFollowing) return;
        isFollowing = true;
        follow()
          .catch((error: unknown) => log.debug(errorFields(error), 'links not followed'))
          .finally(() => (isFollowing = false));
      }, everyMs).unref();
    },
    close: (): void => clearInterval(timer),
  };
}
