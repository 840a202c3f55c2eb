import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../log.js';
import { syncFolder } from './segment-files.js';

/**
 * Bytes of the journal that could not be read, kept for a person in files of their own, named by
 * file and place. As long as one is there, it is reported.
 */
export interface Damage {
  /** Places set aside and not yet taken away by a person. */
  readonly places: number;
  readonly bytes: number;
  setAside(place: {
    /** Name of the file it lay in, without its ending. */
    file: string;
    from: number;
    bytes: Buffer;
    /** How many records lay there, when the numbers around it tell. */
    missing: number | null;
  }): void;
  /** Files with these numbers were written, not applied, and are not there any more. */
  noteLost(first: number, last: number): void;
  /** Deletes what was set aside before an instant. Returns how many places. */
  sweep(before: number): number;
}

export function openDamage(folder: string, log: Log): Damage {
  const damaged = join(folder, 'damaged');
  const kept = new Map<string, number>();
  const read = (): string[] => {
    try {
      return readdirSync(damaged);
    } catch {
      return [];
    }
  };
  for (const name of read()) kept.set(name, statSync(join(damaged, name)).size);
  if (kept.size > 0)
    log.error(
      { folder: damaged, places: kept.size },
      'damaged parts of the journal wait to be looked at',
    );
  const keep = (name: string, bytes: Buffer): void => {
    writeSynced(damaged, name, bytes);
    kept.set(name, bytes.length);
  };
  return {
    get places() {
      return kept.size;
    },
    get bytes() {
      let sum = 0;
      for (const size of kept.values()) sum += size;
      return sum;
    },
    setAside({ file, from, bytes, missing }) {
      if (bytes.every((byte) => byte === 0)) {
        // A power cut leaves the length of a file without its contents: nothing to keep.
        log.warn({ file, from, bytes: bytes.length }, 'zeros in the journal passed over');
        if (missing === null || missing === 0) return;
      }
      const name = `${file}-${from}.bytes`;
      keep(name, bytes);
      log.error(
        { from, bytes: bytes.length, records: missing, keptIn: join(damaged, name) },
        'a part of the journal cannot be read: set aside, what follows is applied',
      );
    },
    noteLost(first, last) {
      const name = `${first}-${last}.lost`;
      if (kept.has(name)) return;
      keep(name, Buffer.from(`The files ${first} to ${last} are not there.\n`));
      log.error({ first, last, told: join(damaged, name) }, 'files of the journal are lost');
    },
    sweep(before) {
      let swept = 0;
      for (const name of kept.keys()) {
        const path = join(damaged, name);
        if (statSync(path).mtimeMs >= before) continue;
        rmSync(path);
        kept.delete(name);
        swept += 1;
      }
      return swept;
    },
  };
}

/** On the disk when it returns, and so is its name. */
function writeSynced(folder: string, name: string, bytes: Buffer): void {
  mkdirSync(folder, { recursive: true });
  const handle = openSync(join(folder, name), 'w');
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  syncFolder(folder);
}
