import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readAdminFile } from '../../src/platform/auth/admin-token.js';
import { startOptions, startSettings } from './start-options.js';

export interface Answer {
  status: number;
  body: string;
  cookie: string | null;
  /** Of an ad request: what its events are found by. */
  requestId: string;
}

export interface BuiltServer {
  readonly address: string;
  /** What the command line speaks to it with. */
  readonly adminToken: string;
  readonly demo: { publisher: { api_key: string } };
  send(
    path: string,
    options?: {
      method?: string;
      headers?: Record<string, string>;
      payload?: string | null;
      agent?: Agent;
    },
  ): Promise<Answer>;
  /** Megabytes in memory; null where the system does not tell. */
  memory(): number | null;
  readonly pid: number;
  log(lines: number): string;
  /** Waits until it has printed these words. */
  says(words: string): Promise<void>;
  /** Its data, log and journal. */
  readonly folder: string;
  /** Without a word, as a power cut ends it; its folder stays. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** The server as `npm start` runs it, in a process and a folder of its own, with demo data. */
export async function startBuiltServer(
  env: Record<string, string | undefined>,
  /** Of a server that was killed, to start it again. */
  folder = mkdtempSync(join(tmpdir(), 'sidelight-built-')),
  /** The program of another release. */
  main = fileURLToPath(new URL('../../server/main.js', import.meta.url)),
): Promise<BuiltServer> {
  const logPath = join(folder, 'log');
  const child = spawn(process.execPath, [...startOptions, main], {
    cwd: folder,
    env: {
      ...startSettings,
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      DEMO: '1',
      REVIEW: 'auto',
      LOG_LEVEL: 'warn',
      // All callers are one machine here.
      KEY_RATE: '1000000',
      ADDRESS_RATE: '1000000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const file = createWriteStream(logPath);
  child.stdout.pipe(file);
  child.stderr.pipe(file);
  const log = (lines: number): string =>
    readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  // What a killed one left behind says nothing about this one.
  rmSync(join(folder, 'admin.json'), { force: true });
  const { address, token } = await untilReady(folder, child, log);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    address,
    adminToken: token,
    // The server wrote it.
    demo: JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as BuiltServer['demo'],
    send: (path, options = {}) => send(address, path, { agent, ...options }),
    memory: () => memoryOf(child.pid ?? 0),
    pid: child.pid ?? 0,
    log,
    async says(words) {
      while (!readFileSync(logPath, 'utf8').includes(words))
        await new Promise((resolve) => setTimeout(resolve, 100));
    },
    folder,
    async kill() {
      agent.destroy();
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null)
        await new Promise((resolve) => child.once('exit', resolve));
    },
    async stop() {
      agent.destroy();
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await new Promise((resolve) => child.once('exit', resolve));
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(
  folder: string,
  child: ChildProcess,
  log: (lines: number) => string,
): Promise<{ address: string; token: string }> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server did not start\n${log(20)}`);
    // On a server the first node has a folder of its own.
    const admin = readAdminFile(folder) ?? readAdminFile(join(folder, 'nodes', '1'));
    if (admin !== null) return admin;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function send(
  address: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    payload = null,
    agent,
  }: {
    method?: string;
    headers?: Record<string, string>;
    payload?: string | null;
    agent: Agent;
  },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = payload === null ? {} : { 'content-length': Buffer.byteLength(payload) };
    const call = httpRequest(
      `${address}${path}`,
      { method, headers: { ...headers, ...length }, agent },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => (body += part));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            body,
            cookie: answer.headers['set-cookie']?.join('; ') ?? null,
            requestId: String(answer.headers['x-ad-request-id'] ?? ''),
          }),
        );
      },
    );
    call.on('error', reject);
    call.end(payload ?? undefined);
  });
}

function memoryOf(pid: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  } catch {
    // Only Linux tells.
    return null;
  }
}
