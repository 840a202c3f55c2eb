import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { preparePostgres, privateDir, runAs } from './postgres-binaries.js';

const DATA_PREFIX = 'sidelight-pgdata-';

export interface PostgresServer {
  /** As superuser, to the maintenance database. */
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL on a free port with an empty data directory of its own; `durable` for
 * benchmarks that mean it.
 */
export async function startPostgresServer({ durable = false } = {}): Promise<PostgresServer> {
  const home = await preparePostgres();
  await sweepOrphans();
  const dir = await privateDir(`${DATA_PREFIX}${process.pid}-`);
  const account = {
    ...runAs(),
    cwd: dir,
    env: { PATH: process.env.PATH, LD_LIBRARY_PATH: join(home, 'lib'), LC_ALL: 'C' },
  };
  const data = join(dir, 'data');
  await promisify(execFile)(
    join(home, 'bin', 'initdb'),
    [
      '-D',
      data,
      '-U',
      'postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--no-sync',
    ],
    account,
  );
  const port = await freePort();
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
  ];
  const relaxed = durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  const args = ['-D', data, ...[...settings, ...relaxed].flatMap((setting) => ['-c', setting])];
  const child = spawn(join(home, 'bin', 'postgres'), args, {
    ...account,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log: string[] = [];
  child.stderr.on('data', (text: Buffer) => log.push(text.toString()));
  // Neither the server nor its output may keep a finished test process alive.
  child.unref();
  if ('unref' in child.stderr && typeof child.stderr.unref === 'function') child.stderr.unref();
  const killNow = () => child.kill('SIGQUIT');
  process.once('exit', killNow);

  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const stop = async (): Promise<void> => {
    process.off('exit', killNow);
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit');
      child.ref();
      child.kill('SIGINT');
      await exit;
    }
    await rm(dir, { recursive: true, force: true });
  };
  await untilReady(url, child, log).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url, pid: child.pid ?? 0, stop };
}

/** Ends servers whose starter was killed before it could stop them, and removes their data. */
async function sweepOrphans(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const starter = name.startsWith(DATA_PREFIX)
      ? Number(name.slice(DATA_PREFIX.length).split('-')[0])
      : 0;
    if (!Number.isInteger(starter) || starter === 0 || isAlive(starter)) continue;
    const dir = join(tmpdir(), name);
    const postmaster = await readFile(join(dir, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number(postmaster.split('\n')[0]);
    // The id may have gone to another program since.
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(dir)) process.kill(pid, 'SIGQUIT');
    await rm(dir, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function untilReady(url: string, child: ChildProcess, log: string[]): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${log.join('')}`);
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch {
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  throw new Error(`PostgreSQL did not answer:\n${log.join('')}`);
}
