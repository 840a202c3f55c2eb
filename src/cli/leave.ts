import cluster from 'node:cluster';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Config } from '../config.js';
import { within } from '../platform/events/within.js';
import type { StartingGate } from '../platform/http/starting-gate.js';
import { errorFields, type Log } from '../platform/log.js';

/** For what nobody closed and nobody needs. */
const lingerMs = 1_000;
/** Kept for closing the store after requests under way were cut. */
const closingMs = 3_000;
/** For all of it when a person at a terminal says stop, and of that for requests under way. */
const terminalMs = 1_750;
const impatienceMs = 500;
/** So long before its time is over, what has not ended is ended. */
const forcedMs = 250;

/**
 * Until a server serves there is nothing to finish, and what ending at once leaves is in order. A
 * signal that nobody handles ends a process at once; a handler would wait for whatever this thread
 * and its others are at, which on a crowded machine takes seconds. Only the first process of a
 * container does not hear a signal that nobody handles, and a worker has to say how it ended.
 * Returns how to leave signals to somebody else.
 */
export function endWhenTold(): () => void {
  if (process.pid !== 1 && cluster.isPrimary) return () => undefined;
  const end = (signal: NodeJS.Signals): never => process.exit(signal === 'SIGINT' ? 130 : 143);
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  return () => void process.off('SIGINT', end).off('SIGTERM', end);
}

/** Resolves at the first signal; the second one ends the process at once. */
export function stopSignal(log: Log, onForced?: () => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (asked) {
        log.warn({ signal }, 'forced to stop');
        onForced?.();
        process.exit(130);
      }
      asked = true;
      resolve(signal);
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}

/**
 * Takes requests until balancers had time to notice, answers what was taken, closes what is open,
 * and ends in time whatever the database does: what was acknowledged is in the journal.
 */
export async function leave(
  leaving: {
    config: Pick<Config, 'DRAIN_SECONDS' | 'SHUTDOWN_SECONDS'>;
    log: Log;
    gate: StartingGate;
    signal: NodeJS.Signals;
    seat: { close: typeof closeServer };
  },
  close: () => Promise<void>,
): Promise<void> {
  const { config, log, gate, signal, seat } = leaving;
  const byHand = signal !== 'SIGTERM';
  const mostMs = Math.min(config.SHUTDOWN_SECONDS * 1000, byHand ? terminalMs : Infinity);
  const started = performance.now();
  const leftMs = (): number => mostMs - (performance.now() - started);
  endAfter(mostMs - forcedMs);
  gate.leave();
  // A person at a terminal waits for us, and no balancer does.
  if (!byHand) await sleep(Math.min(config.DRAIN_SECONDS * 1000, Math.max(0, mostMs - closingMs)));
  const patienceMs = byHand ? impatienceMs : leftMs() - closingMs;
  await seat.close(gate.server, Math.max(0, patienceMs));
  const closed = close().catch((error: unknown) =>
    log.warn(errorFields(error), 'not everything could be closed'),
  );
  if (await within(closed, Math.max(byHand ? 0 : closingMs / 2, leftMs() - 500))) {
    // A connection somebody forgot must not keep a process that has left.
    setTimeout(() => process.exit(), lingerMs).unref();
    return;
  }
  log.warn({}, 'stopped before the database let go; the journal keeps what it has not taken');
  if (byHand) endBy(signal);
  process.exit(0);
}

/** As if nobody handled it: an orderly exit would wait for threads that are at something. */
function endBy(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/**
 * Ends the process after so long, whatever it does then: by a thread of its own, because timers of
 * this one wait for work that does not end, and on a crowded machine for all of it.
 */
function endAfter(ms: number): void {
  const end = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${Math.max(0, ms)})`;
  const watch = new Worker(end, { eval: true, execArgv: [], stdout: true, stderr: true });
  // Without one the timers of this thread are what there is.
  watch.on('error', () => undefined).unref();
}

/** Stops accepting, lets requests under way finish, then cuts what is left. */
export async function closeServer(server: Server, ms: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), ms);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}
