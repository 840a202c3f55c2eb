import { judgePublishers, type TrafficVerdict } from '../../domain/traffic/judge-publishers.js';
import { weighEvidence } from '../../domain/traffic/weigh-evidence.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { type Lesson, lessonsOf } from '../../platform/events/lessons-of.js';
import { reverseEvents } from '../../platform/events/reverse-events.js';
import type { MintId } from '../../platform/ids.js';
import { errorFields, type Log } from '../../platform/log.js';
import { type Credit, insertFinding, saveEvidence } from './finding-queries.js';
import { loadTraffic } from './traffic-queries.js';
import { findStanding } from './queries.js';

export interface QualityDeps {
  db: Db;
  clock: Clock;
  log: Log;
  mintId: MintId;
  /** Told of conversions taken back, in the same transaction; says which of them had taught. */
  onReversed: (tx: Db, conversionIds: readonly string[]) => Promise<ReadonlySet<string>>;
  unlearn: (tx: Db, lessons: readonly Lesson[]) => Promise<void>;
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
  const traffic = await loadTraffic(deps.db, new Date(from), new Date(until));
  const verdicts = judgePublishers(traffic);
  for (const verdict of verdicts) {
    await takeBack(deps, verdict, from, until).catch((error: unknown) =>
      deps.log.error({ ...errorFields(error), publisher: verdict.publisherId }, 'not taken back'),
    );
  }
  if (verdicts.length > 0) await deps.afterRefund();
  const found = new Set(verdicts.map(({ publisherId }) => publisherId));
  await saveEvidence(deps.db, weighEvidence(traffic, found), new Date(until));
  return verdicts;
}

async function takeBack(
  deps: QualityDeps,
  { publisherId, rule, rate, usual }: TrafficVerdict,
  from: number,
  until: number,
): Promise<void> {
  const sums = { events: 0, spendMicros: 0, revenueMicros: 0 };
  const credits = new Map<string, Credit>();
  for (;;) {
    const reversed = await deps.db.transaction(async (tx) => {
      const standing = await findStanding(tx, publisherId, new Date(from), new Date(until), batch);
      const done = await reverseEvents(tx, standing, rule);
      const ids = done.filter((event) => event.kind === 'conversion').map((event) => event.id);
      const taught = await deps.onReversed(tx, ids);
      await deps.unlearn(tx, await lessonsOf(tx, done, taught));
      return done;
    });
    sums.events += reversed.length;
    for (const event of reversed) {
      sums.spendMicros += event.spendMicros;
      sums.revenueMicros += event.revenueMicros;
      if (event.advertiserId !== null) addTo(credits, event.advertiserId, event.spendMicros);
    }
    if (reversed.length < batch) break;
  }
  if (sums.events === 0) return;
  const finding = {
    id: deps.mintId(until),
    publisherId,
    rule,
    foundAt: new Date(until),
    fromAt: new Date(from),
    toAt: new Date(until),
    ...sums,
    details: { rate, usual },
  };
  await deps.db.transaction((tx) => insertFinding(tx, finding, [...credits.values()]));
}

function addTo(credits: Map<string, Credit>, advertiserId: string, spendMicros: number): void {
  const credit = credits.get(advertiserId) ?? { advertiserId, events: 0, spendMicros: 0 };
  credit.events += 1;
  credit.spendMicros += spendMicros;
  credits.set(advertiserId, credit);
}
