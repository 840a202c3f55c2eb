import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.js';
import { createLog } from '../platform/log.js';
import { InvalidSettings } from '../platform/settings.js';
import { stopSignal } from './leave.js';
import { addressOf } from './listen.js';
import { listenAtPort } from './port-taken.js';
import { Team } from './worker-team.js';

/** Each connection costs memory whether or not anything is said on it. */
const mostConnections = 20_000;
/** Beyond what a worker itself takes at most. */
const patienceMs = 2_000;

/**
 * Keeps `WORKERS` processes behind one port: each is a node with a journal and holds of its own, as
 * if it ran on another machine. This process only accepts connections and hands them out in turn.
 * The first worker prepares the store for all.
 */
export async function runWorkers(config: Config, print: (line: string) => void): Promise<number> {
  if (config.DATABASE_URL === '')
    throw new InvalidSettings([
      `WORKERS is ${config.WORKERS}, and the embedded store belongs to one process: set DATABASE_URL to a PostgreSQL server, or WORKERS to 1`,
    ]);
  const log = createLog(config.LOG_LEVEL);
  const started = performance.now();
  // Read from only where the connection ends up.
  const door = createServer({ pauseOnConnect: true }, (socket) => team.give(socket));
  door.maxConnections = mostConnections * config.WORKERS;
  await listenAtPort(door, config, { exclusive: true });
  const team = new Team(log, {
    of: config.WORKERS,
    address: addressOf(door, config.HOST),
    onLastCall: () => door.close(),
  });
  const stopping = stopSignal(log, () => team.kill());
  void team
    .start(0)
    .then(() =>
      Promise.all(Array.from({ length: config.WORKERS - 1 }, (_, index) => team.start(index + 1))),
    )
    .then(() =>
      print(
        `${config.WORKERS} workers serve  (${((performance.now() - started) / 1000).toFixed(1)} s)`,
      ),
    );
  const outcome = await Promise.race([stopping, team.failed]);
  if (typeof outcome === 'number') {
    door.close();
    return outcome;
  }
  log.info({}, 'stopping');
  const late = sleep(config.SHUTDOWN_SECONDS * 1000 + patienceMs, 'late', { ref: false });
  if ((await Promise.race([team.stop(outcome), late])) === 'late') {
    log.warn({}, 'workers did not end in time');
    team.kill();
  }
  door.close();
  return 0;
}
