import { createReadStream, existsSync } from 'node:fs';
import { access, constants, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { inDataDir } from './data-dir-errors.js';
import { type DataDirLock, lockDataDir } from './data-dir-lock.js';
import { startEmbeddedEngine } from './embedded-engine.js';
import { syncPath, syncTree } from './sync-tree.js';
import { extractTar } from './tar.js';

/**
 * Locks the directory and leaves a complete database in it; the caller releases the lock after
 * closing.
 */
export async function prepareDataDir(dir: string, template?: string): Promise<DataDirLock> {
  const path = resolve(dir);
  const lock = await lockDataDir(path);
  try {
    if (existsSync(join(path, 'PG_VERSION'))) {
      await inDataDir(dir, () => access(path, constants.W_OK));
      // Left by a process that was killed: we hold the lock, so it is dead.
      await rm(join(path, 'postmaster.pid'), { force: true });
    } else {
      const fill =
        template === undefined || !existsSync(template)
          ? newDatabase
          : (aside: string) =>
              extractTar(createReadStream(template, { highWaterMark: 1 << 20 }), aside);
      await inDataDir(dir, () => createDataDir(path, fill));
    }
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Builds it aside and renames, so that a crash on the way never leaves half a database under the
 * real name.
 */
export async function createDataDir(
  path: string,
  fill: (aside: string) => Promise<void>,
): Promise<void> {
  const aside = `${path}.tmp`;
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true, mode: 0o700 });
  try {
    await fill(aside);
    await syncTree(aside);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    throw error;
  }
  // Fails on a non-empty directory, as it must: those files are not ours.
  await rename(aside, path);
  await syncPath(dirname(path));
}

async function newDatabase(aside: string): Promise<void> {
  const engine = await startEmbeddedEngine({ dir: aside });
  await engine.close();
}
