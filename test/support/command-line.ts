import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../server/main.js', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'sidelight-cli-'));
let folders = 0;
export const newFolder = (): string => {
  const path = join(root, String((folders += 1)));
  mkdirSync(path);
  return path;
};

export function removeFolders(): void {
  rmSync(root, { recursive: true, force: true });
}

export interface Ended {
  code: number | null;
  out: string;
  complaint: string;
}

const quiet = {
  HOST: '127.0.0.1',
  PORT: '0',
  DEMO: '0',
  MATCHING: 'fast',
  LOG_LEVEL: 'silent',
  // A crowded machine is slow to answer, and not away.
  DATABASE_SILENCE_MS: '60000',
  DRAIN_SECONDS: '0',
  SHUTDOWN_SECONDS: '120',
  PATH: process.env['PATH'],
};

export function start(
  args: readonly string[],
  environment: Record<string, string>,
): {
  child: ChildProcess;
  ended: Promise<Ended>;
  ready: Promise<string>;
  complained: Promise<string>;
} {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: root,
    env: { ...quiet, ...environment },
  });
  let out = '';
  let complaint = '';
  const complained = new Promise<string>((resolve) => {
    child.stderr.on('data', (part: Buffer) => {
      complaint += part.toString();
      if (complaint.includes('\n')) resolve(complaint);
    });
  });
  const ready = new Promise<string>((resolve) => {
    child.stdout.on('data', (part: Buffer) => {
      out += part.toString();
      const address = /ready at (\S+)/.exec(out)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code) => resolve({ code, out, complaint })),
  );
  return { child, ended, ready, complained };
}

/** One line that says what to do, nothing else, and no success. */
export async function complains(
  args: readonly string[],
  environment: Record<string, string>,
  expected: RegExp,
  code = 1,
): Promise<void> {
  const ended = await start(args, environment).ended;
  assert.match(ended.complaint, expected);
  assert.equal(ended.complaint.trim().split('\n').length, 1, ended.complaint);
  assert.equal(ended.code, code);
}

/** A data folder whose restore was killed on the way. */
export async function killedRestore(file: string): Promise<string> {
  for (;;) {
    const folder = newFolder();
    const { child, ended } = start(['restore', file], { DATA_DIR: folder });
    const has = (name: string): boolean => existsSync(join(folder, name));
    while (!has('store.unfinished') && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 2));
    child.kill('SIGKILL');
    await ended;
    // One that came to its end first proves nothing.
    if (has('store.unfinished')) return folder;
  }
}

/** The id of an ad request a server answered. */
export async function askForAd(address: string, key: string): Promise<string> {
  const asked = await fetch(`${address}/api/v1/ad`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"messages":[{"role":"user","content":"a kettle"}],"sessionId":"s","placements":[{"placement":"below_response","placement_id":"p"}]}',
  });
  return asked.headers.get('x-ad-request-id') ?? '';
}

/** Waits until copies of the journals in a folder tell of a request. */
export async function untilShipped(shipped: string, requestId: string): Promise<void> {
  const isShipped = (): boolean =>
    readdirSync(shipped, { recursive: true }).some(
      (name) =>
        String(name).endsWith('.log') &&
        readFileSync(join(shipped, String(name)), 'utf8').includes(requestId),
    );
  while (!isShipped()) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** A moment that is over. */
export async function aMoment(): Promise<number> {
  const moment = Date.now();
  while (Date.now() === moment) await new Promise(setImmediate);
  return moment;
}
