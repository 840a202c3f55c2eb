import { createEventLog, type EventLog, type EventLogOptions } from './event-log.js';
import { type Disk, openJournal } from './journal/journal.js';
import { loadPosition } from './journal/position-queries.js';
import { type ShipFile, shipJournal } from './journal/ship-journal.js';
import { takeOverSpool } from './journal/take-over-spool.js';

/** The event log over the journal in a node's folder, from where the database has come. */
export async function openEventLog(
  nodeDir: string,
  options: Omit<EventLogOptions, 'journal' | 'position' | 'refusedFile' | 'shipper'> & {
    maxBytes?: number;
    /** What was applied is kept for as long, should the database turn out to have lost it. */
    keepMs?: number;
    keepBytes?: number;
    /** Copies of the journal go elsewhere, this often. */
    shipping?: { ship: ShipFile; everyMs: number };
    disk?: Disk;
  },
): Promise<EventLog> {
  const folder = `${nodeDir}/journal`;
  const { log, maxBytes, keepMs, keepBytes, shipping, disk } = options;
  const journal = openJournal(folder, {
    log,
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(keepMs === undefined ? {} : { keepMs }),
    ...(keepBytes === undefined ? {} : { keepBytes }),
    ...(disk === undefined ? {} : { disk }),
  });
  const shipper =
    shipping === undefined ? null : shipJournal({ ...shipping, journal, folder, log });
  const position = await loadPosition(options.db, journal.id);
  if (position !== null) journal.startAfter(position.segment);
  const taken = await takeOverSpool(`${nodeDir}/spool`, journal);
  if (taken > 0) log.info({ batches: taken }, 'spool of an earlier release taken over');
  return createEventLog({
    // Everybody waits behind a statement of the embedded engine: it gets smaller ones.
    batchSize: options.db.engine === 'embedded' ? 750 : 2000,
    // An embedded store is a part of this process and goes back only while that is not running.
    askMs: options.db.engine === 'embedded' ? null : 10_000,
    ...options,
    journal,
    position,
    shipper,
    refusedFile: `${folder}/refused.jsonl`,
  });
}
