import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inDataDir } from '../platform/db/data-dir-errors.js';
import { lockDataDir } from '../platform/db/data-dir-lock.js';
import { syncPath } from '../platform/db/sync-tree.js';
import { CommandFailure } from './command.js';

/** What a restore makes in a data folder. */
const parts = ['store', 'journal', 'node'];
const markOf = (dataDir: string): string => join(dataDir, 'store.unfinished');

interface Mark {
  file: string;
  /** Of the parts those that were not there before. */
  made: string[];
}

export interface Restoring {
  /** It is whole: from now on the store is one like any other. */
  done(): Promise<void>;
  /** Nothing of it is left. */
  undo(): Promise<void>;
}

/**
 * Until it is done, a store that is being restored is marked: one that was killed on the way leaves
 * something that looks like an empty store, and a start on it would begin a new network.
 */
export async function beginRestore(dataDir: string, file: string): Promise<Restoring> {
  const made = parts.filter((part) => !existsSync(join(dataDir, part)));
  const path = markOf(dataDir);
  await inDataDir(dataDir, async () => {
    await mkdir(dataDir, { recursive: true });
    await writeFile(`${path}.new`, JSON.stringify({ file, made } satisfies Mark));
    await syncPath(`${path}.new`);
    await rename(`${path}.new`, path);
    await syncPath(dataDir);
  });
  return {
    done: () => rm(path, { force: true }),
    undo: () => remove(dataDir, made),
  };
}

/** Takes away what a restore that was killed left. */
export async function clearUnfinished(dataDir: string): Promise<void> {
  const mark = readMark(dataDir);
  if (mark === null) return;
  // Held by one that is still at it.
  const lock = await lockDataDir(join(dataDir, 'store'));
  try {
    await remove(dataDir, mark.made);
  } finally {
    await lock.release();
  }
}

async function remove(dataDir: string, made: readonly string[]): Promise<void> {
  for (const part of made)
    if (parts.includes(part)) await rm(join(dataDir, part), { recursive: true, force: true });
  await rm(markOf(dataDir), { force: true });
}

/** Whoever opens a store that was not restored to its end is told what to do. */
export function refuseUnfinished(dataDir: string): void {
  const mark = readMark(dataDir);
  if (mark === null) return;
  throw new CommandFailure(
    `the restore of ${mark.file} into ${dataDir} did not end: run it again, which replaces what it left, or remove ${markOf(dataDir)} with ${mark.made.join(', ')} there to begin without it`,
  );
}

function readMark(dataDir: string): Mark | null {
  const path = markOf(dataDir);
  if (!existsSync(path)) return null;
  // Written above, in one piece.
  return JSON.parse(readFileSync(path, 'utf8')) as Mark;
}
