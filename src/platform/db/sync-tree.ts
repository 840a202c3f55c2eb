import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Enough at once for the file system to group them into few journal commits. */
const AT_ONCE = 32;

/** Puts one file, or the entries of one directory, on disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
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
  await syncAll(paths(false));
  await syncAll([...paths(true), dir]);
}

async function syncAll(paths: string[]): Promise<void> {
  const left = paths[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const path of left) await syncPath(path);
    }),
  );
}
