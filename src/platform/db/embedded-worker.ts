/**
 * Runs the embedded engine in a worker thread: on the main thread its long synchronous calls would
 * starve sockets and
 * timers. Speaks the PostgreSQL wire protocol over the port, so that both engines share one driver.
 */
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { EmbeddedReply, EmbeddedRequest, EmbeddedStart } from './embedded-protocol.js';
import { SyncingNodeFS } from './syncing-node-fs.js';

const SETTINGS = [
  'search_path=public',
  'exit_on_error=false',
  'log_checkpoints=false',
  'max_worker_processes=0',
  'max_parallel_workers=0',
];
const SERIAL = [
  'max_parallel_workers_per_gather=0',
  'max_parallel_maintenance_workers=0',
  'io_method=sync',
];
const OURS = [
  'work_mem=32MB',
  'jit=off',
  'TimeZone=UTC',
  // The engine takes all of its buffers at its start. The system's own cache stands behind them.
  'shared_buffers=32MB',
  'wal_buffers=1MB',
  'max_connections=5',
  // Of 1,200 rows and not 30,000: gathering statistics keeps everybody waiting, and what they
  // decide here is whether a table is large.
  'default_statistics_target=4',
  'wal_sync_method=fsync',
  'fsync=on',
  'synchronous_commit=on',
];
/**
 * What the engine answers when a failed statement jumps back to its main loop; anything else is a
 * crash.
 */
const STATEMENT_ERROR_STATUS = 100;

function startParams(durable: boolean): string[] {
  const settings = [...SETTINGS, ...SERIAL, ...(durable ? OURS : [...OURS, 'fsync=off'])];
  return ['--single', '-O', '-j', ...settings.flatMap((setting) => ['-c', setting])];
}

async function probeSync(pg: PGlite, fs: SyncingNodeFS): Promise<void> {
  const before = fs.syncs;
  await pg.query("select pg_logical_emit_message(false, 'sidelight', 'sync probe', true)");
  if (fs.syncs === before)
    throw new Error(
      'the embedded database does not sync to disk (the fsync hook is not in place); refusing to start',
    );
}

/**
 * A panic (disk full while writing the log, failed sync) leaves the engine unusable, but its loop
 * would go on and on.
 */
function dieOnCrash(pg: PGlite, report: (message: string) => void): void {
  const module: { _PostgresMainLoopOnce: () => void } = pg.Module;
  const loopOnce = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      loopOnce();
    } catch (error) {
      const status =
        typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
      if (status !== STATEMENT_ERROR_STATUS) {
        report(`the embedded database crashed: ${String(error)}`);
        process.exit(1);
      }
      throw error;
    }
  };
}

async function open(start: EmbeddedStart): Promise<{ pg: PGlite; syncs: () => number }> {
  const fs = start.dir === null ? null : new SyncingNodeFS(start.dir);
  const tarball =
    start.tarball === undefined
      ? undefined
      : new Blob([await readFile(start.tarball)], { type: tarType(start.tarball) });
  const pg = await PGlite.create({
    ...(fs ? { fs } : {}),
    ...(tarball ? { loadDataDir: tarball } : {}),
    startParams: startParams(fs !== null),
  });
  if (fs) await probeSync(pg, fs);
  return { pg, syncs: () => fs?.syncs ?? 0 };
}

function tarType(path: string): string {
  return path.endsWith('.gz') ? 'application/x-gzip' : 'application/x-tar';
}

function concat(chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

const port = parentPort;
if (port) {
  const reply = (message: EmbeddedReply, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  // The opener is the only one who starts this file, always with this data.
  const { pg, syncs } = await open(workerData as EmbeddedStart);
  dieOnCrash(pg, (reason) => reply({ kind: 'crashed', reason }));

  const serve = async (request: EmbeddedRequest): Promise<void> => {
    switch (request.kind) {
      case 'bytes': {
        const chunks: Uint8Array[] = [];
        const started = performance.now();
        // The bytes live in the engine's memory, which the next call reuses: copy.
        await pg.execProtocolRawStream(request.bytes, {
          syncToFs: false,
          onRawData: (bytes) => void chunks.push(bytes.slice()),
        });
        const bytes = concat(chunks);
        const busyMs = performance.now() - started;
        return reply({ kind: 'bytes', bytes, syncs: syncs(), busyMs }, [bytes.buffer]);
      }
      case 'dump': {
        const dump = await pg.dumpDataDir(request.compression);
        const bytes = new Uint8Array(await dump.arrayBuffer());
        return reply({ kind: 'dump', bytes }, [bytes.buffer]);
      }
      case 'close': {
        await pg.close();
        reply({ kind: 'closed' });
        return port.close();
      }
    }
  };
  let queue = Promise.resolve();
  port.on('message', (request: EmbeddedRequest) => {
    queue = queue
      .then(() => serve(request))
      .catch((error: unknown) => {
        reply({ kind: 'crashed', reason: String(error) });
        process.exit(1);
      });
  });
  reply({ kind: 'ready' });
}
