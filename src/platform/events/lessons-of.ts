import { uuidDay } from '../../domain/uuid.js';
import type { Db } from '../db/db.js';
import type { CountedEvent } from './reverse-events.js';

/** What an ad had taught in a topic, to be taken away again. */
export interface Lesson {
  adId: string;
  topic: string;
  impressions: number;
  clicks: number;
  conversions: number;
}

/**
 * What events that were taken back had taught: views and clicks in the topics of their ads, and of
 * the conversions those that taught at all.
 */
export async function lessonsOf(
  tx: Db,
  events: readonly CountedEvent[],
  taught: ReadonlySet<string>,
): Promise<Lesson[]> {
  const topics = await topicsOf(
    tx,
    events.filter((event) => event.kind !== 'conversion').map((event) => event.id),
  );
  const lessons = new Map<string, Lesson>();
  for (const { id, adId, kind } of events) {
    if (kind === 'viewable') continue;
    // Conversions are counted by ad alone.
    const topic = kind !== 'conversion' ? topics.get(id) : taught.has(id) ? '' : undefined;
    if (adId === null || topic === undefined) continue;
    const key = `${adId} ${topic}`;
    const lesson = lessons.get(key) ?? { adId, topic, impressions: 0, clicks: 0, conversions: 0 };
    lesson[`${kind}s`] += 1;
    lessons.set(key, lesson);
  }
  return [...lessons.values()];
}

async function topicsOf(tx: Db, served: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(served)];
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ id: string; topic: string }>(
    `select id, coalesce(data ->> 'topic', '') as topic
     from events
     where day = any($2::date[]) and id = any($1::uuid[]) and kind = 'win'`,
    [ids, [...new Set(ids.map(uuidDay))]],
  );
  return new Map(rows.map((row) => [row.id, row.topic]));
}
