// Loaded into a server by `--import`: what can go wrong with the disk and the clock of a machine,
// done inside the process. Files in the folder FAULTS say what is wrong at the moment: `clock` how
// many milliseconds to be ahead, `disk` whether it is full or lost. What is written and not synced
// can be taken back after a kill, as a power cut would (`undo`).
import fs from 'node:fs';
import { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { join, resolve } from 'node:path';

const folder = process.env['FAULTS'] ?? '';
const dataDir = resolve(process.env['DATA_DIR'] ?? '.');
const real = { ...fs };
const realStatfs = fs.promises.statfs;
const RealDate = Date;

function watchFile(name: string): () => string {
  let text = '';
  let readAt = -Infinity;
  return () => {
    if (performance.now() - readAt < 20) return text;
    readAt = performance.now();
    try {
      text = real.readFileSync(join(folder, name), 'utf8');
    } catch {
      text = '';
    }
    return text;
  };
}

const clockFile = watchFile('clock');
const diskFile = watchFile('disk');
const ahead = (): number => Number(clockFile()) || 0;

class ShiftedDate extends RealDate {
  constructor(...args: [] | [number | string | Date]) {
    // No argument is now; everything else is as it was.
    super(...((args.length === 0 ? [RealDate.now() + ahead()] : args) as [number]));
  }
  static override now(): number {
    return RealDate.now() + ahead();
  }
}
globalThis.Date = ShiftedDate as DateConstructor;

const paths = new Map<number, string>();

function fail(code: string): never {
  throw Object.assign(new Error(`${code}: simulated`), { code });
}

function check(path: string | undefined): void {
  if (path === undefined) return;
  const state = diskFile();
  if (state === 'full') fail('ENOSPC');
  if (state === 'lost' && path.includes('/journal/')) fail('EIO');
}

function undoFile(path: string): string {
  return join(folder, `undo-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`);
}

/** Keeps what a write is about to change. */
function keepBefore(fd: number, path: string, length: number, position: number | null): void {
  const { size } = real.fstatSync(fd);
  const at = position ?? size;
  const before = Buffer.alloc(Math.max(0, Math.min(length, size - at)));
  if (before.length > 0) {
    const reader = real.openSync(path, 'r');
    real.readSync(reader, before, 0, before.length, at);
    real.closeSync(reader);
  }
  const record = JSON.stringify({ path, at, size, before: before.toString('base64') });
  real.appendFileSync(undoFile(path), `${record}\n`);
}

const keepsUndo = real.existsSync(join(folder, 'keeps-undo'));

function forget(fd: number): void {
  const path = paths.get(fd);
  if (keepsUndo && path !== undefined) real.rmSync(undoFile(path), { force: true });
}

function note(fd: number, path: fs.PathLike): number {
  const full = resolve(String(path));
  if (full.startsWith(dataDir)) paths.set(fd, full);
  else paths.delete(fd);
  return fd;
}

Object.assign(fs, {
  openSync(path: fs.PathLike, ...rest: unknown[]) {
    const flags = rest[0];
    const writes =
      typeof flags === 'number' ? (flags & 3) !== 0 : flags !== undefined && flags !== 'r';
    if (writes && resolve(String(path)).startsWith(dataDir)) check(resolve(String(path)));
    return note((real.openSync as (...args: unknown[]) => number)(path, ...rest), path);
  },
  writeSync(
    fd: number,
    bytes: Uint8Array,
    offset?: number | null,
    length?: number,
    position?: number,
  ) {
    const path = paths.get(fd);
    check(path);
    if (keepsUndo && path !== undefined)
      keepBefore(fd, path, length ?? bytes.length - (offset ?? 0), position ?? null);
    return real.writeSync(fd, bytes, offset, length, position);
  },
  fsyncSync(fd: number) {
    check(paths.get(fd));
    real.fsyncSync(fd);
    forget(fd);
  },
  fdatasync: syncing(real.fdatasync),
  fsync: syncing(real.fsync),
});
Object.assign(fs.promises, {
  async statfs(...args: Parameters<typeof fs.promises.statfs>) {
    const told = await realStatfs(...args);
    return diskFile() === 'full' ? Object.assign(told, { bavail: 0 }) : told;
  },
});
syncBuiltinESMExports();

function syncing(sync: typeof fs.fsync) {
  return (fd: number, done: (error: Error | null) => void): void => {
    try {
      check(paths.get(fd));
    } catch (error) {
      return void setImmediate(() => done(error instanceof Error ? error : null));
    }
    sync(fd, (error) => {
      if (error === null) forget(fd);
      done(error);
    });
  };
}
