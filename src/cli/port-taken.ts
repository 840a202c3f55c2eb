import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Server } from 'node:net';
import { resolve } from 'node:path';
import type { Config } from '../config.js';
import { readAdminFile } from '../platform/auth/admin-token.js';
import { CommandFailure } from './command.js';
import { listen } from './listen.js';

export interface PortHolder {
  pid: number;
  name: string;
}

/** Listens where the settings say; who has the port already is told. */
export function listenAtPort(
  server: Server,
  { PORT: port, HOST: host, DATA_DIR }: Pick<Config, 'PORT' | 'HOST' | 'DATA_DIR'>,
  options: { exclusive?: boolean } = {},
): Promise<void> {
  return listen(server, { port, host, ...options }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw portTaken(port, DATA_DIR, error);
    throw ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAFNOSUPPORT'].includes(error.code ?? '')
      ? new CommandFailure(
          `cannot listen on HOST=${host}, which is no address of this machine (${error.code}). ` +
            'Set HOST to one of its addresses: 127.0.0.1 for this machine alone, 0.0.0.0 or :: for all.',
          { cause: error },
        )
      : error;
  });
}

/** What to say to somebody whose port is taken: by whom, and what to do about it. */
function portTaken(port: number, dataDir: string, cause: Error): CommandFailure {
  const holder = findPortHolder(port);
  const by = holder === null ? '' : ` by process ${holder.pid} (${holder.name})`;
  const own = readAdminFile(resolve(dataDir))?.address ?? null;
  const isOwn = own !== null && new URL(own).port === String(port);
  return new CommandFailure(
    isOwn
      ? `Sidelight already runs in this folder, at ${own}: port ${port} is taken${by}. Use that one, or stop it before starting again.`
      : `port ${port} is taken${by}. Stop what uses it, or set PORT to another one (PORT=0 picks a free one).`,
    { cause },
  );
}

/** Null where the system does not tell: another user's process, or a tool that is missing. */
export function findPortHolder(port: number): PortHolder | null {
  try {
    switch (process.platform) {
      case 'linux':
        return holderFromProc(port);
      case 'win32':
        return holderFromNetstat(run('netstat', ['-ano', '-p', 'TCP']), port);
      default:
        return holderFromLsof(run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']));
    }
  } catch {
    // Who it is would only have been a help.
    return null;
  }
}

function run(command: string, args: readonly string[]): string {
  return spawnSync(command, args, { encoding: 'utf8', timeout: 2000 }).stdout ?? '';
}

/** The socket's number in the kernel's table, then the process that has it open. */
function holderFromProc(port: number): PortHolder | null {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const inodes = new Set(
    ['/proc/net/tcp', '/proc/net/tcp6']
      .flatMap((file) => readLines(file))
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = '', , state]) => local.endsWith(wanted) && state === '0A')
      .map((columns) => `socket:[${columns[9]}]`),
  );
  if (inodes.size === 0) return null;
  for (const pid of readdirSync('/proc').filter((name) => /^\d{1,10}$/.test(name)))
    if (linksOf(`/proc/${pid}/fd`).some((link) => inodes.has(link)))
      return { pid: Number(pid), name: readLines(`/proc/${pid}/comm`)[0] ?? '' };
  return null;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    // No such protocol here, or a process that has just ended.
    return [];
  }
}

function linksOf(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => readlinkSync(`${folder}/${name}`));
  } catch {
    // Somebody else's process, or one that has just ended.
    return [];
  }
}

/** Lines of one field each: `p123`, then `cnode`. */
export function holderFromLsof(output: string): PortHolder | null {
  const lines = output.split('\n');
  const pid = lines.find((line) => line.startsWith('p'))?.slice(1);
  return pid === undefined
    ? null
    : { pid: Number(pid), name: lines.find((line) => line.startsWith('c'))?.slice(1) ?? '' };
}

export function holderFromNetstat(output: string, port: number): PortHolder | null {
  const columns = output
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(
      // The state is a word of the system's language; nobody at the other end is the same in all.
      ([protocol, local = '', other = '']) =>
        protocol === 'TCP' && local.endsWith(`:${port}`) && other.endsWith(':0'),
    );
  const pid = Number(columns?.at(-1));
  return Number.isInteger(pid) && pid > 0 ? { pid, name: 'see the task manager' } : null;
}
