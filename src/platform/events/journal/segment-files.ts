import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openedToSync } from '../../disk.js';
import type { Log } from '../../log.js';

/** A file of the journal. `size` is what counts of it: whole, synced frames while it is written. */
export interface Segment {
  readonly number: number;
  readonly path: string;
  size: number;
  /** Since when all of it is applied, as far as this process knows. */
  doneAt: number | null;
}

const suffix = '.log';

export function segmentPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(12, '0')}${suffix}`);
}

/** What earlier processes left, oldest first. */
export function listSegments(folder: string): Segment[] {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder)
    .filter((name) => name.length === 12 + suffix.length && name.endsWith(suffix))
    .filter((name) => /^\d{12}$/.test(name.slice(0, 12)))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const state = statSync(path);
      // What somebody else put there is none of ours.
      if (!state.isFile()) return [];
      return [{ number: Number(name.slice(0, 12)), path, size: state.size, doneAt: null }];
    });
}

/** A new file is there after a power cut only if its folder was synced too. */
export function syncFolder(folder: string): void {
  const how = openedToSync(true);
  if (how === null) return;
  const handle = openSync(folder, how);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** What a failing disk refuses here changes nothing: the file is not written to again. */
export function tidyUp(log: Log, { number }: Pick<Segment, 'number'>, work: () => void): void {
  try {
    work();
  } catch (error) {
    log.warn({ error: String(error), segment: number }, 'journal not tidied up');
  }
}
