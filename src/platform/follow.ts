import { type Channel, hear } from './channels.js';
import type { Database } from './db/db.js';
import { errorFields, type Log } from './log.js';

export interface FollowOptions<News> {
  db: Pick<Database, 'listen'>;
  log: Log;
  /** For the log: "<what> not refreshed". */
  what: string;
  channel: Channel<News>;
  /** Reads everything there is. */
  load: () => Promise<void>;
  /** Reads only what was told of. Without it any news means to read everything. */
  take?: (news: readonly News[]) => Promise<void> | void;
  /** News are gathered for so long, so that a burst of changes is read once. */
  gatherMs?: number;
  /** News can be lost: how often to look without any. */
  resyncMs: number;
  /** That look, where reading everything at once would be too much; runs beside other turns. */
  resync?: () => Promise<void>;
}

/** Something in memory that is kept as it is in the database, whichever node changes it. */
export interface Follower {
  /** Reads everything. Whoever asks before it has begun shares it; later, there is another one. */
  refresh(): Promise<void>;
  /** The same for those who do not wait. */
  refreshSoon(): void;
  /** Work on what is followed, never beside a load: an older look must not undo a newer one. */
  inTurn(work: () => Promise<void> | void): Promise<void>;
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>;
}

/**
 * Resolves when everything is read once. It listens before that, or a change between the two would
 * be seen by neither.
 */
export async function follow<News>(options: FollowOptions<News>): Promise<Follower> {
  const { log, what, load, take, gatherMs = 0 } = options;
  let tail: Promise<void> = Promise.resolve();
  let isClosed = false;
  /** A load that has not begun: it will see whatever is told until then. */
  let coming: Promise<void> | null = null;
  let told: News[] = [];
  let gathering: NodeJS.Timeout | null = null;
  let looking: NodeJS.Timeout | null = null;
  let look: Promise<void> = Promise.resolve();

  function inTurn(work: () => Promise<void> | void): Promise<void> {
    const next = tail.then(() => (isClosed ? undefined : work()));
    tail = next.catch(() => undefined);
    return next;
  }

  function refresh(): Promise<void> {
    coming ??= inTurn(() => {
      coming = null;
      told = [];
      return load();
    });
    return coming;
  }

  const soon = (work: Promise<void>): void =>
    void work.catch((error: unknown) => {
      if (!isClosed) log.warn(errorFields(error), `${what} not refreshed`);
    });
  const refreshSoon = (): void => {
    if (!isClosed) soon(refresh());
  };

  function takeTold(): void {
    gathering = null;
    soon(
      inTurn(async () => {
        const news = told;
        told = [];
        if (news.length > 0) await take?.(news);
      }),
    );
  }

  function onNews(news: News | null): void {
    if (isClosed) return;
    if (news === null || take === undefined) return refreshSoon();
    told.push(news);
    if (gatherMs === 0) takeTold();
    else gathering ??= setTimeout(takeTold, gatherMs);
  }

  function lookLater(): void {
    looking = setTimeout(() => {
      look = (options.resync ?? refresh)().catch((error: unknown) => {
        if (!isClosed) log.warn(errorFields(error), `${what} not looked at again`);
      });
      void look.finally(() => void (isClosed || lookLater()));
    }, options.resyncMs).unref();
  }

  const stopListening = await hear(options.db, options.channel, onNews);
  try {
    await refresh();
  } catch (error) {
    isClosed = true;
    await stopListening();
    throw error;
  }
  lookLater();

  return {
    refresh,
    refreshSoon,
    inTurn,
    async close() {
      isClosed = true;
      if (gathering !== null) clearTimeout(gathering);
      if (looking !== null) clearTimeout(looking);
      await stopListening();
      await look;
      await tail;
    },
  };
}
