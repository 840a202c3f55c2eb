import { judgePublishers, type TrafficVerdict } from '../../domain/traffic/judge-publishers.js';
import { uuidDay } from '../../domain/uuid.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { type CountedEvent, reverseEvents } from '../../platform/events/reverse-events.js';
import type { MintId } from '../../platform/ids.js';
import { errorFields, type Log } from '../../platform/log.js';
import { findStanding, findTopics, insertFinding, loadTraffic } from './queries.js';

/** What an ad had taught in a topic, to be taken away again. */
export interface Unlearned {
  adId: string;
  topic: string;
  impressions: number;
  clicks: number;
  conversions: number;
}

export interface QualityDeps {
  db: Db;
  clock: Clock;
  log: Log;
  mintId: MintId;
  /** Told of conversions that were taken back, in the same transaction. */
  onReversed: (tx: Db, conversionIds: readonly string[]) => Promise<void>;
  unlearn: (counts: readonly Unlearned[]) => void;
  /** After the money of what was taken back went home. */
  afterRefund: () => Promise<void>;
}

const batch = 2000;

/**
 * Looks at every publisher's traffic against the network's. What cannot be people's is taken back:
 * reports of its days are restated, advertisers are credited, and nothing learned from it stays.
 */
export async function judgeNetwork(deps: QualityDeps, spanMs: number): Promise<TrafficVerdict[]> {
  const until = deps.clock();
  const from = until - spanMs;
  const verdicts = judgePublishers(await loadTraffic(deps.db, new Date(from), new Date(until)));
  for (const verdict of verdicts) {
    await takeBack(deps, verdict, from, until).catch((error: unknown) =>
      deps.log.error({ ...errorFields(error), publisher: verdict.publisherId }, 'not taken back'),
    );
  }
  if (verdicts.length > 0) await deps.afterRefund();
  return verdicts;
}

async function takeBack(
  deps: QualityDeps,
  { publisherId, rule, rate, usual }: TrafficVerdict,
  from: number,
  until: number,
): Promise<void> {
  const sums = { events: 0, spendMicros: 0, revenueMicros: 0 };
  for (;;) {
    const { reversed, unlearned } = await deps.db.transaction(async (tx) => {
      const standing = await findStanding(tx, publisherId, new Date(from), new Date(until), batch);
      const done = await reverseEvents(tx, standing, rule);
      const ids = done.filter((event) => event.kind === 'conversion').map((event) => event.id);
      await deps.onReversed(tx, ids);
      return { reversed: done, unlearned: await unlearnedOf(tx, done) };
    });
    deps.unlearn(unlearned);
    sums.events += reversed.length;
    for (const event of reversed) {
      sums.spendMicros += event.spendMicros;
      sums.revenueMicros += event.revenueMicros;
    }
    if (reversed.length < batch) break;
  }
  if (sums.events === 0) return;
  await insertFinding(deps.db, {
    id: deps.mintId(until),
    publisherId,
    rule,
    foundAt: new Date(until),
    fromAt: new Date(from),
    toAt: new Date(until),
    ...sums,
    details: { rate, usual },
  });
}

async function unlearnedOf(tx: Db, events: readonly CountedEvent[]): Promise<Unlearned[]> {
  const served = events.filter((event) => event.kind !== 'conversion' && event.adId !== null);
  const ids = [...new Set(served.map((event) => event.id))];
  if (ids.length === 0) return [];
  const topics = new Map(
    (await findTopics(tx, ids, [...new Set(ids.map(uuidDay))])).map((row) => [row.id, row.topic]),
  );
  const counts = new Map<string, Unlearned>();
  for (const { id, adId, kind } of served) {
    const topic = topics.get(id);
    if (adId === null || topic === undefined) continue;
    const key = `${adId} ${topic}`;
    const row = counts.get(key) ?? { adId, topic, impressions: 0, clicks: 0, conversions: 0 };
    if (kind === 'impression') row.impressions += 1;
    else row.clicks += 1;
    counts.set(key, row);
  }
  return [...counts.values()];
}
