import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { childrenOf } from './processes.js';
import { preparePostgres, privateDir, runAs } from '../support/postgres-binaries.js';

const run = promisify(execFile);

/** A PostgreSQL of our own that keeps its promises to the disk and can be hurt. */
export class Postgres {
  private child: ChildProcess | null = null;
  private readonly home: string;
  private readonly dir: string;
  private readonly port: number;

  private constructor(home: string, dir: string, port: number) {
    this.home = home;
    this.dir = dir;
    this.port = port;
  }

  static async create(): Promise<Postgres> {
    const server = await Postgres.place();
    await run(
      join(server.home, 'bin', 'initdb'),
      [
        '-D',
        server.data,
        '-U',
        'postgres',
        '--auth=trust',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--locale=C.UTF-8',
        '--no-sync',
      ],
      server.account,
    );
    await server.start();
    return server;
  }

  private static async place(): Promise<Postgres> {
    const home = await preparePostgres();
    const dir = await privateDir(`sidelight-faults-pg-${process.pid}-`);
    return new Postgres(home, dir, await freePort());
  }

  private get data(): string {
    return join(this.dir, 'data');
  }

  private get account() {
    const env = { PATH: process.env['PATH'], LD_LIBRARY_PATH: join(this.home, 'lib'), LC_ALL: 'C' };
    return { ...runAs(), cwd: this.dir, env };
  }

  urlOf(database: string): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/${database}`;
  }

  async start(): Promise<void> {
    const settings = [
      `port=${this.port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=150',
      'timezone=UTC',
      'wal_level=replica',
      'wal_keep_size=512MB',
      'hot_standby=on',
    ];
    const args = ['-D', this.data, ...settings.flatMap((setting) => ['-c', setting])];
    this.child = spawn(join(this.home, 'bin', 'postgres'), args, {
      ...this.account,
      stdio: 'ignore',
    });
    const { child } = this;
    const endWithUs = (): void => void child.kill('SIGQUIT');
    process.once('exit', endWithUs);
    child.once('exit', () => process.off('exit', endWithUs));
    for (let tries = 0; tries < 600; tries += 1) {
      if (
        await this.ask('postgres', 'select 1').then(
          () => true,
          () => false,
        )
      )
        return;
      await sleep(100);
    }
    throw new Error('PostgreSQL did not answer');
  }

  /** All of it at once, as the kernel would for want of memory. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    // Its own word for ending at once; the next start recovers from the log.
    child.kill('SIGQUIT');
    await ended;
  }

  /** It and every process it began stand still, as on a machine that hangs. */
  freeze(): void {
    this.signalAll('SIGSTOP');
  }

  thaw(): void {
    this.signalAll('SIGCONT');
  }

  private signalAll(signal: NodeJS.Signals): void {
    const { child } = this;
    const first = child?.pid;
    if (first === undefined || child?.exitCode !== null || child.signalCode !== null) return;
    for (const pid of [first, ...childrenOf(first)]) process.kill(pid, signal);
  }

  async remove(): Promise<void> {
    this.thaw();
    await this.kill();
    await rm(this.dir, { recursive: true, force: true });
  }

  async ask<R extends object>(database: string, text: string): Promise<R[]> {
    const client = new pg.Client({
      connectionString: this.urlOf(database),
      connectionTimeoutMillis: 3000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<R>(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** A second server that follows this one by streaming replication. */
  async addStandby(): Promise<Postgres> {
    const standby = await Postgres.place();
    const client = new pg.Client({ connectionString: this.urlOf('postgres') });
    await client.connect();
    await client.query(`select pg_backup_start('standby', true)`);
    await run('cp', ['-a', this.data, standby.data]);
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    );
    await client.end();
    await rm(join(standby.data, 'postmaster.pid'), { force: true });
    await writeFile(join(standby.data, 'backup_label'), rows[0]?.labelfile ?? '');
    await writeFile(join(standby.data, 'standby.signal'), '');
    await appendFile(
      join(standby.data, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${this.port} user=postgres application_name=standby'\n`,
    );
    const { uid, gid } = runAs();
    if (uid !== undefined) await run('chown', ['-R', `${uid}:${gid}`, standby.dir]);
    await standby.start();
    for (let tries = 0; tries < 300; tries += 1) {
      const [row] = await this.ask<{ n: number }>(
        'postgres',
        `select count(*)::int as n from pg_stat_replication where state = 'streaming'`,
      );
      if ((row?.n ?? 0) > 0) return standby;
      await sleep(100);
    }
    throw new Error('the standby does not follow');
  }

  async promote(): Promise<void> {
    await this.ask('postgres', 'select pg_promote(true, 60)');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
