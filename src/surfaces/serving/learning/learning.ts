import { setImmediate } from 'node:timers/promises';
import type { ClickModel } from '../../../domain/decision/click-model.js';
import { announce, channels } from '../../../platform/channels.js';
import type { Database, Db } from '../../../platform/db/db.js';
import { follow } from '../../../platform/follow.js';
import { errorFields, type Log } from '../../../platform/log.js';
import { groupBy } from '../inventory/group-by.js';
import { netCounts } from '../net-counts.js';
import { addClickCounts, type CountRow, loadClickCounts } from '../queries.js';

type Result = 'impressions' | 'clicks' | 'conversions';

export interface Learning {
  /** What this node saw, and its model knows. */
  teach(adId: string, topic: string, what: Result): void;
  /** What it saw of an ad whatever the topic, told to its model too. */
  observe(adId: string, what: Result): void;
  /**
   * Traffic that was taken back goes on teaching nowhere: the shared counts are lowered with the
   * transaction that takes it back, and every node looks at the ads it names again.
   */
  unlearn(tx: Db, lessons: readonly CountRow[]): Promise<void>;
  /** Adds what this node saw since it last did to what all know. */
  save(): Promise<void>;
  close(): Promise<void>;
}

const results = ['impressions', 'clicks', 'conversions'] as const;
/** News of more ads than this says that any may have changed: a notification is short. */
const mostNamed = 200;
/** Put in place in one go; requests are answered in between. */
const adsAtATime = 500;

/** What all nodes counted by ad and topic, in this one's model, and what this one adds to it. */
export async function createLearning(
  db: Database,
  model: ClickModel,
  log: Log,
  options: { resyncMs?: number } = {},
): Promise<Learning> {
  const unsaved = createUnsaved(db);
  const doubts = createDoubts(db, model, unsaved);
  let isRead = false;

  async function load(): Promise<void> {
    if (isRead) {
      doubts.add(null);
      return doubts.resolve();
    }
    const known = groupBy(await loadClickCounts(db, null), (row) => row.adId);
    for (const rows of known.values()) model.addCounts(netCounts(rows));
    isRead = true;
  }

  const follower = await follow({
    db,
    log,
    what: 'lessons',
    channel: channels.lessons,
    load,
    take(news) {
      for (const { adIds } of news) doubts.add(adIds);
      return doubts.resolve();
    },
    resyncMs: options.resyncMs ?? 60_000,
    // Where looking again failed before. All there is would be too much.
    resync: (): Promise<void> => follower.inTurn(doubts.resolve),
  });
  return {
    teach: (adId, topic, what) => unsaved.add(adId, topic, what),
    observe(adId, what) {
      const row = { adId, topic: '', impressions: 0, clicks: 0, conversions: 0, [what]: 1 };
      model.addCounts([row]);
      unsaved.add(adId, '', what);
    },
    unlearn,
    // What is being saved is neither here nor there: nobody looks meanwhile.
    save: () => follower.inTurn(unsaved.save),
    async close() {
      await follower.close();
      await unsaved
        .save()
        .catch((error: unknown) => log.warn(errorFields(error), 'learning not saved'));
    },
  };
}

/** Ads whose counts in the model may be wrong. */
function createDoubts(db: Database, model: ClickModel, unsaved: Unsaved) {
  /** Ads to be looked at again; null: all of them. */
  let doubted: Set<string> | null = new Set();

  function replace(adIds: readonly string[], stored: ReadonlyMap<string, CountRow[]>): void {
    // What was seen since the counts were saved is known here alone.
    const since = groupBy([...unsaved.rows()], (row) => row.adId);
    for (const adId of adIds)
      model.setCounts(adId, netCounts([...(stored.get(adId) ?? []), ...(since.get(adId) ?? [])]));
  }

  async function resolve(): Promise<void> {
    const adIds = doubted === null ? null : [...doubted];
    if (adIds?.length === 0) return;
    doubted = new Set();
    try {
      await unsaved.save();
      const stored = groupBy(await loadClickCounts(db, adIds), (row) => row.adId);
      const doubtful = adIds ?? [...new Set([...model.ads(), ...stored.keys()])];
      for (let first = 0; first < doubtful.length; first += adsAtATime) {
        if (first > 0) await setImmediate();
        replace(doubtful.slice(first, first + adsAtATime), stored);
      }
    } catch (error) {
      const since: Set<string> | null = doubted;
      doubted = adIds === null || since === null ? null : new Set([...since, ...adIds]);
      throw error;
    }
  }

  return {
    /** Null: any of them. */
    add(adIds: readonly string[] | null): void {
      if (adIds === null) doubted = null;
      else for (const adId of adIds) doubted?.add(adId);
    },
    /** Looks at them again. Where that fails they stay doubted. */
    resolve,
  };
}

type Unsaved = ReturnType<typeof createUnsaved>;

/** What this node counted and has not added to what all know. */
function createUnsaved(db: Database) {
  const counts = new Map<string, CountRow>();
  function add(adId: string, topic: string, what: Result, count = 1): void {
    const key = `${adId} ${topic}`;
    const row = counts.get(key) ?? { adId, topic, impressions: 0, clicks: 0, conversions: 0 };
    row[what] += count;
    counts.set(key, row);
  }
  return {
    add,
    rows: () => counts.values(),
    async save(): Promise<void> {
      const rows = [...counts.values()];
      counts.clear();
      try {
        await addClickCounts(db, rows);
      } catch (error) {
        // Kept for the next round.
        for (const row of rows)
          for (const what of results) add(row.adId, row.topic, what, row[what]);
        throw error;
      }
    },
  };
}

async function unlearn(tx: Db, lessons: readonly CountRow[]): Promise<void> {
  if (lessons.length === 0) return;
  await addClickCounts(
    tx,
    lessons.map((lesson) => ({
      ...lesson,
      impressions: -lesson.impressions,
      clicks: -lesson.clicks,
      conversions: -lesson.conversions,
    })),
  );
  const adIds = [...new Set(lessons.map((lesson) => lesson.adId))];
  await announce(tx, channels.lessons, adIds.length > mostNamed ? null : { adIds });
}
