import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/**
 * Keeps callers on the last core, so that they never take more than one from the server, however
 * hard they ask. Says what came of it: a machine of one core, or one that is not Linux, has them
 * share everything.
 */
export function keepCallersApart(): string {
  const last = cpus().length - 1;
  const isDone =
    last > 0 &&
    spawnSync('taskset', ['-acp', String(last), String(process.pid)], { stdio: 'ignore' })
      .status === 0;
  return isDone ? 'callers on one core, the server on all' : 'server and callers share all cores';
}
