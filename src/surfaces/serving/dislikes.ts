import { channels, hear } from '../../platform/channels.js';
import type { Database } from '../../platform/db/db.js';
import { errorFields, type Log } from '../../platform/log.js';
import { loadDislikes } from './queries.js';

/** Ads people rejected, in memory, following every node's feedback. */
export interface Dislikes {
  of(publisherId: string, subject: string): ReadonlySet<string>;
  close(): Promise<void>;
}

const nothing: ReadonlySet<string> = new Set();

export async function createDislikes(db: Database, log: Log): Promise<Dislikes> {
  const bySubject = new Map<string, Set<string>>();
  const add = (publisherId: string, subject: string, adId: string): void => {
    const key = `${publisherId}:${subject}`;
    const ads = bySubject.get(key);
    if (ads === undefined) bySubject.set(key, new Set([adId]));
    else ads.add(adId);
  };
  const reload = async (): Promise<void> => {
    for (const row of await loadDislikes(db)) add(row.publisherId, row.subject, row.adId);
  };
  await reload();
  const stopListening = await hear(db, channels.dislikes, (news) => {
    if (news === null)
      return void reload().catch((error: unknown) =>
        log.warn(errorFields(error), 'dislikes not reloaded'),
      );
    add(news.publisherId, news.subject, news.adId);
  });
  return {
    of: (publisherId, subject) => bySubject.get(`${publisherId}:${subject}`) ?? nothing,
    close: stopListening,
  };
}
