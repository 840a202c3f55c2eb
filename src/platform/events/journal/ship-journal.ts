import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorFields, type Log } from '../../log.js';
import type { Journal } from './journal.js';
import type { Segment } from './segment-files.js';

/** Puts a finished file of a journal where it outlives this machine; resolves when it is safe. */
export type ShipFile = (file: { journalId: string; name: string; path: string }) => Promise<void>;

export interface Shipper {
  /** Files that are finished and only here. */
  readonly waiting: number;
  /** Ships everything appended so far. */
  ship(): Promise<void>;
  start(): void;
  close(): Promise<void>;
}

/**
 * Copies the journal elsewhere, file by file in order. A file that is being written is finished
 * after `everyMs`, so that no more than that is only here. What was not shipped is kept.
 */
export function shipJournal(options: {
  journal: Journal;
  folder: string;
  ship: ShipFile;
  everyMs: number;
  log: Log;
}): Shipper {
  const { journal, log } = options;
  const file = join(options.folder, 'shipped');
  let through = existsSync(file) ? Number(readFileSync(file, 'utf8')) || 0 : 0;
  let shipping: Promise<void> = Promise.resolve();
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  journal.keepUnshipped(through);

  async function shipAll(): Promise<void> {
    journal.rotate();
    try {
      for (const segment of journal.finished(through)) await shipOne(segment);
      if (isFailing) log.info({ through }, 'the journal is shipped again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error(errorFields(error), 'the journal is not shipped: it is kept here');
      isFailing = true;
    }
  }

  async function shipOne({ path, number }: Segment): Promise<void> {
    await options.ship({ journalId: journal.id, name: basename(path), path });
    through = number;
    writeFileSync(file, `${number}\n`);
    journal.keepUnshipped(through);
  }

  function ship(): Promise<void> {
    return (shipping = shipping.then(shipAll));
  }

  return {
    get waiting() {
      return journal.finished(through).length;
    },
    ship,
    start(): void {
      timer = setInterval(() => void ship(), options.everyMs).unref();
    },
    close(): Promise<void> {
      clearInterval(timer);
      return ship();
    },
  };
}
