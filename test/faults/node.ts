import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { childrenOf } from './processes.js';
import { get } from 'node:http';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const ourMain = fileURLToPath(new URL('../../server/main.js', import.meta.url));
const preload = new URL('./process-faults.js', import.meta.url).href;

export const secretKey = 'a secret for servers that are to fail';

/** A server as `npm start` runs it, in a process of its own, which can be hurt. */
export class FaultNode {
  readonly dataDir: string;
  /** Where the process is told what is wrong with its disk and its clock. */
  readonly faultDir: string;
  address = '';
  /** What it said when it ended although nobody had asked. */
  readonly deaths: string[] = [];
  private isAsked = false;
  private child: ChildProcess | null = null;

  readonly name: string;
  readonly home: string;
  /** Changes count from the next start on. */
  readonly settings: Record<string, string>;
  private readonly main: string;

  constructor(
    name: string,
    home: string,
    settings: Record<string, string>,
    /** Another release than this one. */
    main = ourMain,
  ) {
    this.name = name;
    this.home = home;
    this.settings = settings;
    this.main = main;
    this.dataDir = join(home, name);
    this.faultDir = join(home, `${name}-faults`);
    mkdirSync(this.dataDir, { recursive: true });
    mkdirSync(this.faultDir, { recursive: true });
  }

  get isRunning(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Begins, and waits until it says that it is ready. */
  async start(): Promise<void> {
    const log = openSync(join(this.home, `${this.name}.log`), 'a');
    const child = spawn(process.execPath, ['--import', preload, this.main, 'serve'], {
      cwd: this.home,
      env: {
        PATH: process.env['PATH'],
        HOST: '127.0.0.1',
        PORT: this.address === '' ? '0' : new URL(this.address).port,
        MATCHING: 'fast',
        LOG_LEVEL: 'warn',
        DEMO: '0',
        SECRET_KEY: secretKey,
        KEY_RATE: '1000000',
        ADDRESS_RATE: '1000000',
        FAULTS: this.faultDir,
        ...this.settings,
        DATA_DIR: this.dataDir,
      },
      stdio: ['ignore', 'pipe', log],
    });
    closeSync(log);
    this.child = child;
    const endWithUs = (): void => void child.kill('SIGKILL');
    process.once('exit', endWithUs);
    this.isAsked = false;
    child.once('exit', (code, signal) => {
      process.off('exit', endWithUs);
      if (!this.isAsked)
        this.deaths.push(`ended by itself (${code ?? signal}): ${this.lastWords()}`);
    });
    this.address = await new Promise<string>((resolve, reject) => {
      let out = '';
      child.stdout?.on('data', (part: Buffer) => {
        out += part.toString();
        const address = /ready at (\S+)/.exec(out)?.[1];
        if (address !== undefined) resolve(address);
      });
      child.once('exit', (code) =>
        reject(new Error(`${this.name} ended with ${code}\n${this.lastWords()}`)),
      );
    });
  }

  /** Megabytes in memory, those of workers too; null where the system does not tell. */
  memory(): number | null {
    const first = this.child?.pid ?? 0;
    let kilobytes = 0;
    for (const pid of [first, ...childrenOf(first)])
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        kilobytes += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
      } catch {
        // Only Linux tells.
      }
    return kilobytes === 0 ? null : Math.round(kilobytes / 1024);
  }

  /** Runs `sidelight` on the data folder of this server; rejects when it fails. */
  async command(...args: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], ...this.settings, DATA_DIR: this.dataDir };
    return (await run(process.execPath, [this.main, ...args], { cwd: this.home, env })).stdout;
  }

  /** Everything it wrote to its log, over all starts. */
  words(): string {
    const file = join(this.home, `${this.name}.log`);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  lastWords(): string {
    return this.words().trimEnd().split('\n').slice(-8).join('\n');
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Milliseconds it took to leave. */
  async stop(): Promise<number> {
    const asked = performance.now();
    await this.end('SIGTERM');
    return performance.now() - asked;
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning || this.child === null) return;
    const ended = once(this.child, 'exit');
    this.isAsked = true;
    this.child.kill(signal);
    // A frozen process hears nothing but this.
    if (signal !== 'SIGKILL') this.child.kill('SIGCONT');
    await ended;
  }

  setDisk(state: 'well' | 'full' | 'lost'): void {
    writeFileSync(join(this.faultDir, 'disk'), state);
  }

  setClock(aheadMs: number): void {
    writeFileSync(join(this.faultDir, 'clock'), String(aheadMs));
  }

  async ready(): Promise<{ status: number; body: Record<string, unknown> }> {
    return this.look('/ready');
  }

  /** By a connection of its own, so that workers are asked in turn. */
  private look(path: string): Promise<{ status: number; body: Record<string, unknown> }> {
    return new Promise((resolve) => {
      const nothing = (): void => resolve({ status: 0, body: {} });
      const asking = get(`${this.address}${path}`, { agent: false, timeout: 2000 }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('error', nothing);
        answer.on('end', () => {
          try {
            // Our own answers.
            const body = JSON.parse(text) as Record<string, unknown>;
            resolve({ status: answer.statusCode ?? 0, body });
          } catch {
            nothing();
          }
        });
      });
      asking.on('timeout', () => asking.destroy()).on('error', nothing);
    });
  }

  /** How many processes serve behind the port of this one. */
  get workers(): number {
    return Number(this.settings['WORKERS'] ?? 1);
  }

  /** The workers that live, by their process ids, oldest first. */
  workerPids(): number[] {
    return childrenOf(this.child?.pid ?? 0);
  }

  /** Waits until every worker serves. */
  allServe(mostMs = 60_000): Promise<boolean> {
    return this.waitFor(mostMs, async () => {
      const { body } = await this.ready();
      // Told by the health route.
      const checks = body['checks'] as { workers?: { ready: number; of: number } } | undefined;
      return checks?.workers?.ready === this.workers;
    });
  }

  private async waitFor(mostMs: number, isSo: () => Promise<boolean>): Promise<boolean> {
    for (const end = performance.now() + mostMs; performance.now() < end;) {
      if (await isSo()) return true;
      await sleep(50);
    }
    return false;
  }

  /** Waits until the journals of all its workers are in the database. */
  caughtUp(mostMs = 60_000): Promise<boolean> {
    return this.waitFor(mostMs, async () => {
      const caughtUp = new Set<unknown>();
      for (let turn = 0; turn < 2 * this.workers; turn += 1) {
        const { status, body } = await this.look('/health');
        // Told by the health route.
        const lag = (body['journal'] as { lag_ms?: number } | undefined)?.lag_ms;
        if (status === 200 && lag === 0) caughtUp.add(body['pid']);
      }
      return caughtUp.size >= this.workers;
    });
  }
}
