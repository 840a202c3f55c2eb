import { createEventLog, type EventLog, type EventLogOptions } from './event-log.js';
import { type Disk, openJournal } from './journal/journal.js';
import { loadPosition } from './journal/position-queries.js';
import { takeOverSpool } from './journal/take-over-spool.js';

/** The event log over the journal in a node's folder, from where the database has come. */
export async function openEventLog(
  nodeDir: string,
  options: Omit<EventLogOptions, 'journal' | 'position' | 'refusedFile'> & {
    maxBytes?: number;
    disk?: Disk;
  },
): Promise<EventLog> {
  const folder = `${nodeDir}/journal`;
  const { log, maxBytes, disk } = options;
  const journal = openJournal(folder, {
    log,
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(disk === undefined ? {} : { disk }),
  });
  const position = await loadPosition(options.db, journal.id);
  if (position !== null) journal.startAfter(position.segment);
  const taken = await takeOverSpool(`${nodeDir}/spool`, journal);
  if (taken > 0) log.info({ batches: taken }, 'spool of an earlier release taken over');
  return createEventLog({
    // Everybody waits behind a statement of the embedded engine: it gets smaller ones.
    batchSize: options.db.engine === 'embedded' ? 500 : 2000,
    ...options,
    journal,
    position,
    refusedFile: `${folder}/refused.jsonl`,
  });
}
