import { randomBytes } from 'node:crypto';
import { constants, createReadStream, createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { inDataDir } from './data-dir-errors.js';
import { lockDataDir } from './data-dir-lock.js';
import type { EmbeddedDatabase } from './open-embedded-database.js';
import { StoreNotEmpty } from './store-not-empty.js';
import { syncPath, syncTree } from './sync-tree.js';
import { BrokenTar, extractTar, packTar } from './tar.js';

/**
 * Copies the store in `dir` and what `addBeside` puts next to it to a tar.gz file, all of one
 * moment. Statements wait while files are copied, not while they are compressed.
 */
export async function backupDatabase(
  database: Pick<EmbeddedDatabase, 'whileQuiet'>,
  dir: string,
  file: string,
  addBeside: (folder: string) => Promise<void> = async () => undefined,
): Promise<void> {
  await removeCopies(resolve(dir));
  // Of its own: another may be asked for while this one is made.
  const aside = `${copiesOf(resolve(dir))}${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(aside, { recursive: true, mode: 0o700 });
    await database.whileQuiet(async () => {
      // Where the file system can share blocks this takes no time and no room.
      await cp(dir, join(aside, 'store'), { recursive: true, mode: constants.COPYFILE_FICLONE });
      await addBeside(aside);
    });
    await rm(join(aside, 'store', 'postmaster.pid'), { force: true });
    await writeDurably(file, packTar(aside));
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

const copiesOf = (dir: string): string => `${dir}.backup-`;

/** The store belongs to one process: what others began to copy they were killed over. */
async function removeCopies(dir: string): Promise<void> {
  const folder = dirname(dir);
  const begin = basename(copiesOf(dir));
  for (const entry of await readdir(folder))
    if (entry.startsWith(begin) && !entry.startsWith(`${begin}${process.pid}-`))
      await rm(join(folder, entry), { recursive: true, force: true });
}

/**
 * Makes a new store in `dir`, with what was beside it, from a backup. Nothing that exists is
 * touched, and nothing is left of a backup that is not whole.
 */
export async function restoreDataDir(file: string, dir: string): Promise<void> {
  const path = resolve(dir);
  const lock = await lockDataDir(path);
  const aside = `${path}.restoring`;
  try {
    if (existsSync(path))
      throw new StoreNotEmpty(`${dir} already exists; move it away or restore to another folder`);
    await inDataDir(dir, async () => {
      await rm(aside, { recursive: true, force: true });
      await mkdir(aside, { mode: 0o700 });
      await pipeline(createReadStream(file), createGunzip(), (source: AsyncIterable<Uint8Array>) =>
        extractTar(source, aside),
      );
      if (!existsSync(join(aside, 'store', 'PG_VERSION'))) await moveDown(aside);
      await moveIntoPlace(aside, path);
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
    await lock.release();
  }
}

/** Earlier releases packed the store alone. */
async function moveDown(aside: string): Promise<void> {
  if (!existsSync(join(aside, 'PG_VERSION'))) throw new BrokenTar('there is no store in it');
  const entries = await readdir(aside);
  await mkdir(join(aside, 'store'), { mode: 0o700 });
  for (const entry of entries) await rename(join(aside, entry), join(aside, 'store', entry));
}

/** The store comes last: where it is, everything is. */
async function moveIntoPlace(aside: string, path: string): Promise<void> {
  await syncTree(aside);
  const entries = (await readdir(aside)).filter((entry) => entry !== 'store');
  const target = (entry: string): string => join(dirname(path), entry);
  const taken = entries.find((entry) => existsSync(target(entry)));
  if (taken !== undefined)
    throw new StoreNotEmpty(`${target(taken)} already exists; move it away first`);
  for (const entry of entries) await rename(join(aside, entry), target(entry));
  await rename(join(aside, 'store'), path);
  await syncPath(dirname(path));
}

/** Half a file that nobody has written to for so long was left by a process that was killed. */
const abandonedMs = 3_600_000;

/**
 * Gzips a stream into a file that appears under its name only when it is whole and on disk. Until
 * then it has a name of its own: two that were asked for the same file would else write into one
 * another's.
 */
export async function writeDurably(
  file: string,
  content: AsyncIterable<Uint8Array | string>,
): Promise<void> {
  const folder = dirname(resolve(file));
  await mkdir(folder, { recursive: true });
  await removeAbandoned(folder, basename(file));
  const aside = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    await pipeline(
      Readable.from(content, { objectMode: false }),
      createGzip({ level: 4 }),
      createWriteStream(aside, { mode: 0o600, flags: 'wx' }),
    );
    await syncPath(aside);
    await rename(aside, file);
    await syncPath(folder);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

async function removeAbandoned(folder: string, name: string): Promise<void> {
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(`${name}.`) || !entry.endsWith('.part')) continue;
    const path = join(folder, entry);
    const writtenAt = (await stat(path).catch(() => null))?.mtimeMs ?? Infinity;
    if (Date.now() - writtenAt > abandonedMs) await rm(path, { force: true });
  }
}
