import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/**
 * Gives callers the last core and the server all others, so that the harder the server is asked the
 * less is not taken from it by those who ask. Says what came of it: a machine of one core, or one
 * that is not Linux, has them share.
 */
export function giveOwnCores(server: number): string {
  const last = cpus().length - 1;
  if (last < 1) return 'server and callers share one core';
  const keep = (pid: number, cores: string): boolean =>
    spawnSync('taskset', ['-acp', cores, String(pid)], { stdio: 'ignore' }).status === 0;
  const servers = last === 1 ? '0' : `0-${last - 1}`;
  return keep(server, servers) && keep(process.pid, String(last))
    ? `server on ${last === 1 ? 'a core of its own' : `${last} cores`}, callers on another`
    : 'server and callers share all cores';
}
