import type { Clock } from '../clock.js';
import type { Db } from '../db/db.js';
import { errorFields, type Log } from '../log.js';
import type { Node } from '../nodes.js';
import type { EventLog } from './event-log.js';
import { releaseUnpromised } from './release-unpromised.js';

/**
 * A process that was killed leaves its holds behind. Waiting until no ad of it can be paid would leave campaigns without ads for
 * half an hour; its successor in the same folder knows better: once the spool it inherited is stored, every ad served is known.
 */
export async function freeAfterCrash({ db, clock, log, eventLog, node, windowMs }: { db: Db; clock: Clock; log: Log; eventLog: Pick<EventLog, 'drain'>; node: Node; windowMs: number }): Promise<void> {
  if (node.predecessors.length === 0) return;
  try {
    await eventLog.drain();
    await releaseUnpromised(db, node.predecessors, new Date(clock() - windowMs));
    node.forgetPredecessors();
  } catch (error) {
    log.warn(errorFields(error), 'holds of the process before not freed: they wait until none of its ads can be paid');
  }
}
