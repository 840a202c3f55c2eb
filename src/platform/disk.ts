import { statfs } from 'node:fs/promises';

/** Bytes a process may still write below a folder; null where the system does not tell. */
export async function freeBytes(dir: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(dir);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/**
 * How something is opened to be put on disk. Windows syncs only what may be written, and knows no
 * syncing of folders: what they hold is in a journal of its own.
 */
export function openedToSync(
  isFolder: boolean,
  system: NodeJS.Platform = process.platform,
): 'r' | 'r+' | null {
  if (system !== 'win32') return 'r';
  return isFolder ? null : 'r+';
}
