import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { inDataDir } from './data-dir-errors.js';
import { lockDataDir } from './data-dir-lock.js';
import { type EmbeddedDatabase, openEmbeddedDatabase } from './open-embedded-database.js';
import { createDataDir } from './prepare-data-dir.js';
import { StoreNotEmpty } from './store-not-empty.js';
import { syncPath } from './sync-tree.js';
import { extractTar, packTar } from './tar.js';

/** Copies the running embedded store in `dir` to a tar.gz file. Statements wait meanwhile. */
export async function backupDatabase(
  database: EmbeddedDatabase,
  dir: string,
  file: string,
): Promise<void> {
  await database.whileQuiet(() => writeDurably(file, packTar(dir)));
}

/** The same for a store no process has open. */
export async function backupDataDir(dir: string, file: string): Promise<void> {
  // Opening it first settles whatever a crash left in the log.
  const database = await openEmbeddedDatabase(dir);
  await backupDatabase(database, dir, file).finally(() => database.close());
}

/** Makes a new store from a backup; an existing one is never touched. */
export async function restoreDataDir(file: string, dir: string): Promise<void> {
  const path = resolve(dir);
  const lock = await lockDataDir(path);
  try {
    if (existsSync(path))
      throw new StoreNotEmpty(`${dir} already exists; move it away or restore to another folder`);
    await inDataDir(dir, () =>
      createDataDir(path, async (aside) => {
        await pipeline(
          createReadStream(file),
          createGunzip(),
          (source: AsyncIterable<Uint8Array>) => extractTar(source, aside),
        );
      }),
    );
  } finally {
    await lock.release();
  }
}

/** Gzips a stream into a file that appears under its name only when it is whole and on disk. */
export async function writeDurably(
  file: string,
  content: AsyncIterable<Uint8Array | string>,
): Promise<void> {
  const aside = `${file}.part`;
  await mkdir(dirname(resolve(file)), { recursive: true });
  try {
    await pipeline(
      Readable.from(content, { objectMode: false }),
      createGzip({ level: 4 }),
      createWriteStream(aside, { mode: 0o600 }),
    );
    await syncPath(aside);
    await rename(aside, file);
    await syncPath(dirname(resolve(file)));
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}
