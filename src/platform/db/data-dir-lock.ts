import { createHash } from 'node:crypto';
import { mkdir, readFile, readlink, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataDirInUse, inDataDir } from './data-dir-errors.js';

export interface DataDirLock {
  release(): Promise<void>;
}

export interface LockTiming {
  beatMs: number;
  /**
   * How long the file of an owner we cannot ask must stand still before we call it dead; several
   * beats.
   */
  observeMs: number;
}

interface Owner {
  pid: number;
  host: string;
  /** Where its socket would be visible: same value, same machine and network namespace. */
  realm: string;
  beat: number;
}

const TIMING: LockTiming = { beatMs: 2_000, observeMs: 10_000 };

/**
 * Two engines on one directory destroy it. On Linux an abstract Unix socket named after the real
 * path settles it on one
 * machine, since the kernel frees it even after kill -9. Containers and machines that share a
 * volume do not see each
 * other's sockets, so a file beside the directory names the owner and shows its heartbeat.
 */
export async function lockDataDir(dir: string, timing: LockTiming = TIMING): Promise<DataDirLock> {
  const path = resolve(dir);
  await inDataDir(dir, () => mkdir(dirname(path), { recursive: true }));
  const real = join(await realpath(dirname(path)), basename(path));
  const file = `${real}.lock`;
  const socket = process.platform === 'linux' ? await claimSocket(real, file) : undefined;
  try {
    const realm = await currentRealm();
    const owner = await readOwner(file);
    if (owner && (await isAlive(owner, realm, socket !== undefined, file, timing))) {
      throw new DataDirInUse(
        `the data folder ${dir} is in use by process ${owner.pid} on ${owner.host}`,
      );
    }
    return await inDataDir(dir, () => hold(file, realm, socket, timing));
  } catch (error) {
    socket?.close();
    throw error;
  }
}

async function claimSocket(real: string, file: string): Promise<Server> {
  // Hashed because such a name may be 107 bytes at most.
  const name = `\0sidelight-${createHash('sha256').update(real).digest('hex')}`;
  const server = createServer((connection) => connection.destroy());
  try {
    return await listenAt(server, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    const owner = await readOwner(file);
    const who = owner === undefined ? 'another process' : `process ${owner.pid}`;
    throw new DataDirInUse(`the data folder ${real} is in use by ${who}`, { cause: error });
  }
}

function listenAt(server: Server, name: string): Promise<Server> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    // Ours alone: workers of one machine would else be given one and the same to listen on.
    server.listen({ path: name, exclusive: true }, () => {
      server.unref();
      done(server);
    });
  });
}

async function currentRealm(): Promise<string> {
  if (process.platform !== 'linux') return hostname();
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const network = await readlink('/proc/self/ns/net').catch(() => '');
  return `${boot.trim()} ${network}`;
}

/**
 * The owner named in the file, if there is one. What cannot be read is looked at again before it is
 * taken for nothing: a live owner may just be writing.
 */
async function readOwner(file: string): Promise<Owner | undefined> {
  for (let tries = 0; tries < 5; tries += 1) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    try {
      // Written by `hold` only; a foreign file fails to parse or compares unequal, and is replaced.
      return JSON.parse(text) as Owner;
    } catch {
      await sleep(20);
    }
  }
  return undefined;
}

/** In one piece, so that nobody reads half a heartbeat. */
async function writeOwner(file: string, owner: Owner): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(owner));
  await rename(`${file}.new`, file);
}

async function isAlive(
  owner: Owner,
  realm: string,
  holdsSocket: boolean,
  file: string,
  timing: LockTiming,
): Promise<boolean> {
  if (owner.realm === realm) {
    if (holdsSocket || owner.pid === process.pid) return false;
    if (!processExists(owner.pid)) return false;
  }
  // Another machine, or a process id that may have been given to someone else: watch whether it
  // moves.
  await sleep(timing.observeMs);
  const later = await readOwner(file);
  return (
    later !== undefined &&
    (later.beat !== owner.beat || later.pid !== owner.pid || later.realm !== owner.realm)
  );
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function hold(
  file: string,
  realm: string,
  socket: Server | undefined,
  timing: LockTiming,
): Promise<DataDirLock> {
  const owner: Owner = { pid: process.pid, host: hostname(), realm, beat: 0 };
  await writeOwner(file, owner);
  let writing = Promise.resolve();
  const timer = setInterval(() => {
    owner.beat += 1;
    // A missed beat on a full disk is no reason to stop; the next one may succeed.
    writing = writing.then(() => writeOwner(file, owner)).catch(() => undefined);
  }, timing.beatMs);
  timer.unref();
  return {
    release: async () => {
      clearInterval(timer);
      await writing;
      await rm(file, { force: true });
      if (socket) await new Promise<void>((done) => socket.close(() => done()));
    },
  };
}
