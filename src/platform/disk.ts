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
