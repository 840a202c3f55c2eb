import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** What `npm start` runs. */
const main = fileURLToPath(new URL('../../server/main.js', import.meta.url));

export interface ServerProcess {
  readonly address: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Waits for these words in what it prints; rejects when it ends without them. */
  says(words: RegExp): Promise<RegExpExecArray>;
  /** Resolves with its exit code once it ended. */
  readonly ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** A process of its own, in a folder of its own unless one is given. */
export async function startServerProcess(
  environment: Record<string, string>,
): Promise<ServerProcess> {
  const dataDir = environment['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'sidelight-process-'));
  const child = spawn(process.execPath, [main, 'serve'], {
    cwd: dataDir,
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: '0',
      DEMO: '0',
      MATCHING: 'fast',
      LOG_LEVEL: 'warn',
      // A crowded machine is slow, and no reason to turn a test away.
      QUEUE_MS: '0',
      DATA_DIR: dataDir,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (out += part.toString()));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const says = async (words: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = words.exec(out);
      if (found !== null) return found;
      if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${out}`);
      await sleep(50);
    }
  };
  const [, address = ''] = await says(/ready at (\S+)/);
  return {
    address,
    dataDir,
    pid: child.pid ?? 0,
    says,
    ended,
    kill: (signal) => void child.kill(signal),
  };
}

/** Stops it and removes its folder. */
export async function endServerProcess(server: ServerProcess | undefined): Promise<void> {
  if (server === undefined) return;
  server.kill('SIGTERM');
  await server.ended;
  rmSync(server.dataDir, { recursive: true, force: true });
}

export interface PlainAnswer {
  status: number;
  body: string;
  headers: NodeJS.Dict<string | string[]>;
}

/** One request on a connection of its own, and no second try. */
export function askOnce(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<PlainAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      { method: options.method ?? 'GET', headers: options.headers ?? {}, agent: false },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => (body += part));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, body, headers: answer.headers }),
        );
      },
    );
    call.on('error', reject);
    call.end(options.body);
  });
}
