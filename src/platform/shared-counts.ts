import { type CountNews, channels, hear } from './channels.js';
import type { Clock } from './clock.js';
import type { Database } from './db/db.js';
import { errorFields, type Log } from './log.js';

/**
 * What nodes count of callers, told to each other, so that a limit is one for all nodes and not one
 * for each. Counting itself stays in memory: nothing is asked or written for a request. Only what
 * matters is told, at most ten times a second: `worth` says from which amount on. So a limit is
 * exceeded by what each node keeps to itself and by what comes within a tenth of a second, and by
 * no more; while the database is away each node counts alone.
 */
export interface SharedCounts {
  space(name: string, options: SpaceOptions): CountSpace;
  /** Tells the others what is due; what tests call instead of waiting. */
  tell(): Promise<void>;
  start(): void;
  close(): Promise<void>;
}

export interface SpaceOptions {
  /** Amounts are of such a period and forgotten with it. */
  periodMs: number;
  worth(amounts: readonly number[], key: string): boolean;
  /** What another node counted in the current period and had not told yet. */
  heard(key: string, amounts: readonly number[], period: number): void;
}

export interface CountSpace {
  /** Counted here. */
  add(key: string, ...amounts: number[]): void;
  /** What was counted of this here is wanted now, whether or not it was worth telling. */
  due(key: string): void;
}

interface Space extends SpaceOptions {
  readonly name: string;
  period: number;
  untold: Map<string, number[]>;
  readonly waiting: Set<string>;
}

const tellEveryMs = 100;
/** Beyond that the rest waits for its turn: what is told costs every node. */
const mostMessages = 20;
/** A notification has at most 8,000 bytes. */
const mostBytes = 7_000;
const mostUntold = 100_000;

/** For a process that is alone, and for tests of one. */
export const countedAlone: Pick<SharedCounts, 'space'> = {
  space: () => ({ add: () => undefined, due: () => undefined }),
};

export async function createSharedCounts(options: {
  db: Database;
  clock: Clock;
  log: Log;
  nodeId: string;
}): Promise<SharedCounts> {
  const { db, clock, log, nodeId } = options;
  const spaces = new Map<string, Space>();
  // An embedded store has one process.
  if (db.engine === 'embedded')
    return {
      ...countedAlone,
      tell: async () => undefined,
      start: () => undefined,
      close: async () => undefined,
    };

  const turn = (space: Space): void => turnTo(space, clock());
  const stopHearing = await hear(db, channels.counts, (news) => {
    const space = news === null || news.node === nodeId ? undefined : spaces.get(news.space);
    if (news === null || space === undefined) return;
    turn(space);
    if (news.period !== space.period) return;
    for (const [key, ...amounts] of news.counts) space.heard(key, amounts, news.period);
  });

  /** Everything due, in as few messages as it takes. */
  function collect(): string[] {
    const messages: string[] = [];
    for (const space of spaces.values()) {
      turn(space);
      takeDue(space, nodeId, messages);
    }
    return messages;
  }

  async function tell(): Promise<void> {
    const messages = collect();
    if (messages.length === 0) return;
    await db.query(`select pg_notify($1, news) from unnest($2::text[]) as news`, [
      channels.counts.name,
      messages,
    ]);
  }

  const regularly = tellRegularly(tell, log);
  return {
    space(name, spaceOptions) {
      const space = openSpace(name, spaceOptions, clock());
      spaces.set(name, space);
      return countIn(space, turn);
    },
    tell,
    start: regularly.start,
    async close() {
      await regularly.stop();
      await stopHearing();
    },
  };
}

/** Ten times a second, never beside itself. */
function tellRegularly(
  tell: () => Promise<void>,
  log: Log,
): { start(): void; stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let telling: Promise<void> = Promise.resolve();
  let isTelling = false;
  return {
    start() {
      timer = setInterval(() => {
        if (isTelling) return;
        isTelling = true;
        telling = tell()
          .catch((error: unknown) => log.debug(errorFields(error), 'counts not told'))
          .finally(() => (isTelling = false));
      }, tellEveryMs).unref();
    },
    async stop() {
      clearInterval(timer);
      await telling;
    },
  };
}

function openSpace(name: string, options: SpaceOptions, now: number): Space {
  const period = Math.floor(now / options.periodMs);
  return { ...options, name, period, untold: new Map(), waiting: new Set() };
}

/** What was counted in another period is forgotten. */
function turnTo(space: Space, now: number): void {
  const period = Math.floor(now / space.periodMs);
  if (period === space.period && space.untold.size < mostUntold) return;
  space.period = period;
  space.untold = new Map();
  space.waiting.clear();
}

function countIn(space: Space, turn: (space: Space) => void): CountSpace {
  return {
    add(key, ...amounts) {
      turn(space);
      const known = space.untold.get(key);
      const sum = known ?? amounts;
      if (known === undefined) space.untold.set(key, amounts);
      else amounts.forEach((amount, at) => (known[at] = (known[at] ?? 0) + amount));
      if (space.worth(sum, key)) space.waiting.add(key);
    },
    due(key) {
      if (space.untold.has(key)) space.waiting.add(key);
    },
  };
}

/** Takes what is due of a space into messages, as long as more of them may be sent. */
function takeDue(space: Space, node: string, messages: string[]): void {
  let counts: CountNews['counts'] = [];
  let bytes = 0;
  const close = (): void => {
    const { name, period } = space;
    if (counts.length > 0)
      messages.push(channels.counts.write({ node, space: name, period, counts }));
    counts = [];
    bytes = 0;
  };
  for (const key of space.waiting) {
    if (messages.length >= mostMessages) break;
    const amounts = space.untold.get(key);
    space.waiting.delete(key);
    space.untold.delete(key);
    // No limit is of so long a name.
    if (amounts === undefined || key.length > 500) continue;
    const size = Buffer.byteLength(JSON.stringify([key, ...amounts])) + 1;
    if (bytes + size > mostBytes) close();
    counts.push([key, ...amounts]);
    bytes += size;
  }
  close();
}
