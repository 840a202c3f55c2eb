import { channels } from '../../../platform/channels.js';
import type { Database } from '../../../platform/db/db.js';
import { follow } from '../../../platform/follow.js';
import type { Log } from '../../../platform/log.js';
import { loadDislikes } from '../queries.js';

/** Ads people rejected, in memory, following every node's feedback. */
export interface Dislikes {
  of(publisherId: string, subject: string): ReadonlySet<string>;
  close(): Promise<void>;
}

const nothing: ReadonlySet<string> = new Set();
/** All of them are many, and a vote nobody heard of shows one ad too many. */
const resyncMs = 10 * 60_000;

export async function createDislikes(db: Database, log: Log): Promise<Dislikes> {
  const bySubject = new Map<string, Set<string>>();
  const add = (publisherId: string, subject: string, adId: string): void => {
    const key = `${publisherId}:${subject}`;
    const ads = bySubject.get(key);
    if (ads === undefined) bySubject.set(key, new Set([adId]));
    else ads.add(adId);
  };
  const follower = await follow({
    db,
    log,
    what: 'dislikes',
    channel: channels.dislikes,
    async load() {
      for (const row of await loadDislikes(db)) add(row.publisherId, row.subject, row.adId);
    },
    take(news) {
      for (const { publisherId, subject, adId } of news) add(publisherId, subject, adId);
    },
    resyncMs,
  });
  return {
    of: (publisherId, subject) =>
      bySubject.size === 0 ? nothing : (bySubject.get(`${publisherId}:${subject}`) ?? nothing),
    close: follower.close,
  };
}
