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
  let isClosed = false;
  const { inTurn, settled } = oneAfterTheOther(() => isClosed);
  /** A load that has not begun: it will see whatever is told until then. */
  let coming: Promise<void> | null = null;
  const gathered = gather<News>(gatherMs, takeTold);

  function refresh(): Promise<void> {
    coming ??= inTurn(() => {
      coming = null;
      gathered.take();
      return load();
    });
    return coming;
  }

  const warn = (message: string) => (error: unknown) => {
    if (!isClosed) log.warn(errorFields(error), `${what} ${message}`);
  };
  const soon = (work: Promise<void>): void => void work.catch(warn('not refreshed'));
  const refreshSoon = (): void => {
    if (!isClosed) soon(refresh());
  };

  function takeTold(): void {
    soon(
      inTurn(async () => {
        const news = gathered.take();
        if (news.length > 0) await take?.(news);
      }),
    );
  }

  function onNews(news: News | null): void {
    if (isClosed) return;
    if (news === null || take === undefined) return refreshSoon();
    gathered.add(news);
  }

  const stopListening = await hear(options.db, options.channel, onNews);
  try {
    await refresh();
  } catch (error) {
    isClosed = true;
    await stopListening();
    throw error;
  }
  const looking = lookAgain(
    () => (options.resync ?? refresh)().catch(warn('not looked at again')),
    options.resyncMs,
  );

  return {
    refresh,
    refreshSoon,
    inTurn,
    async close() {
      isClosed = true;
      gathered.stop();
      looking.stop();
      await stopListening();
      await looking.last();
      await settled();
    },
  };
}

/** Work in the order it was asked for; what has not begun when it closes does not begin. */
function oneAfterTheOther(isClosed: () => boolean): {
  inTurn: Follower['inTurn'];
  settled(): Promise<void>;
} {
  let tail: Promise<void> = Promise.resolve();
  return {
    inTurn(work) {
      const next = tail.then(() => (isClosed() ? undefined : work()));
      tail = next.catch(() => undefined);
      return next;
    },
    settled: () => tail,
  };
}

/** What was told and not taken yet; `onReady` is called some time after the first of it. */
function gather<News>(
  ms: number,
  onReady: () => void,
): { add(news: News): void; take(): News[]; stop(): void } {
  let told: News[] = [];
  let timer: NodeJS.Timeout | null = null;
  return {
    add(news) {
      told.push(news);
      if (ms === 0) return onReady();
      timer ??= setTimeout(() => {
        timer = null;
        onReady();
      }, ms);
    },
    take() {
      const news = told;
      told = [];
      return news;
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** Looks from time to time, one look after the other; `look` never rejects. */
function lookAgain(
  look: () => Promise<void>,
  everyMs: number,
): { stop(): void; last(): Promise<void> } {
  let isOver = false;
  let last: Promise<void> = Promise.resolve();
  let timer = setTimeout(turn, everyMs).unref();
  function turn(): void {
    last = look();
    void last.finally(() => {
      if (!isOver) timer = setTimeout(turn, everyMs).unref();
    });
  }
  return {
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
    last: () => last,
  };
}
