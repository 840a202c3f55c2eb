import type { Clock } from '../clock.js';
import type { Db } from '../db/db.js';
import { errorFields, type Log } from '../log.js';
import type { Node } from '../nodes.js';
import type { EventLog } from '../events/event-log.js';
import { keepsForClicks, releaseUnpromised } from './release-unpromised.js';

interface AfterCrash {
  db: Db;
  clock: Clock;
  log: Log;
  eventLog: Pick<EventLog, 'drain'>;
  node: Node;
  windowMs: number;
  /**
   * Every served ad holds the price of a click, and few are clicked: kept as long as for
   * impressions it would leave such campaigns without ads.
   */
  clickWindowMs: number;
}

/**
 * A process that was killed leaves its holds behind. Waiting until no ad of it can be paid would
 * leave campaigns without ads for
 * half an hour; its successor in the same folder knows better: once the spool it inherited is
 * stored, every ad served is known.
 */
export async function freeAfterCrash(options: AfterCrash): Promise<void> {
  const { log, eventLog, node, clickWindowMs } = options;
  if (node.predecessors.length === 0) return;
  try {
    await eventLog.drain();
    if (await freeHolds(options, node.predecessors)) return node.forgetPredecessors();
    setTimeout(() => void freeAfterCrash(options), clickWindowMs + 1000).unref();
  } catch (error) {
    log.warn(
      errorFields(error),
      'holds of the process before not freed: they wait until none of its ads can be paid',
    );
  }
}

/**
 * Frees what these nodes, which have ended and whose events are all stored, hold for nobody. False
 * while some is kept for clicks that may still come: then there is something to free later.
 */
export async function freeHolds(
  { db, clock, windowMs, clickWindowMs }: Omit<AfterCrash, 'log' | 'eventLog' | 'node'>,
  nodes: readonly number[],
): Promise<boolean> {
  if (nodes.length === 0) return true;
  const since = {
    impressions: new Date(clock() - windowMs),
    clicks: new Date(clock() - clickWindowMs),
  };
  await releaseUnpromised(db, nodes, since);
  return !(await keepsForClicks(db, nodes, since));
}
