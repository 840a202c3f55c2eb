import { channels, type ErasureNews, hear } from '../../../platform/channels.js';
import type { Database, Db } from '../../../platform/db/db.js';
import type { EventLog } from '../../../platform/events/event-log.js';
import { errorFields, type Log } from '../../../platform/log.js';
import { eraseJournalled } from './erase-users.js';

export interface FollowDeps {
  db: Db & Pick<Database, 'listen'>;
  log: Log;
  eventLog: Pick<EventLog, 'drain' | 'sweep' | 'forgetServed'>;
}

/**
 * When somebody was erased through any node, each brings in what its own journal still holds of
 * them, and erases once more what that brought back. Resolves to what ends it.
 */
export async function followErasures(deps: FollowDeps): Promise<() => Promise<void>> {
  let last: Promise<unknown> = Promise.resolve();

  async function eraseAgain(news: ErasureNews): Promise<void> {
    deps.eventLog.forgetServed();
    await deps.eventLog.drain();
    await deps.db.transaction((tx) => eraseJournalled(tx, { ...news, viewers: [] }));
    deps.eventLog.forgetServed();
    deps.eventLog.sweep(0);
  }

  // Not by `follow`: an erasure is something to do, so no later load stands in for one not taken.
  const stop = await hear(deps.db, channels.erasures, (news) => {
    if (news === null) return deps.eventLog.forgetServed();
    last = last
      .then(() => eraseAgain(news))
      .catch((error: unknown) => deps.log.warn(errorFields(error), 'not erased a second time'));
  });
  return async () => {
    await stop();
    await last;
  };
}
