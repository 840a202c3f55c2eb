import { statSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openedToSync } from '../disk.js';

/** Enough at once for the file system to group them into few journal commits. */
const AT_ONCE = 32;

/** Puts one file, or the entries of one directory, on disk. */
export async function syncPath(
  path: string,
  isFolder = statSync(path).isDirectory(),
): Promise<void> {
  const how = openedToSync(isFolder);
  if (how === null) return;
  const handle = await open(path, how);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Puts a whole directory on disk: all contents, then all entries. */
export async function syncTree(dir: string): Promise<void> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = (wanted: boolean) =>
    entries
      .filter((entry) => entry.isDirectory() === wanted)
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  await syncAll(paths(false), false);
  await syncAll([...paths(true), dir], true);
}

async function syncAll(paths: string[], areFolders: boolean): Promise<void> {
  const left = paths[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const path of left) await syncPath(path, areFolders);
    }),
  );
}
