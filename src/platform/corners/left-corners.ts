import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirInUse } from '../db/data-dir-errors.js';
import { lockDataDir } from '../db/data-dir-lock.js';

/** Where each process that shares a data folder has its own corner, by number. */
export function cornersIn(dataDir: string): string[] {
  const folder = join(dataDir, 'nodes');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name) && existsSync(join(folder, name, 'journal')))
    .sort((a, b) => Number(a) - Number(b))
    .map((name) => join(folder, name));
}

/** Does something with a corner that no process has; false when one has it. */
export async function inLeftCorner(
  corner: string,
  work: (corner: string) => Promise<void>,
): Promise<boolean> {
  const lock = await lockDataDir(corner).catch((error: unknown) => {
    if (error instanceof DataDirInUse) return null;
    throw error;
  });
  if (lock === null) return false;
  try {
    await work(corner);
  } finally {
    await lock.release();
  }
  return true;
}
