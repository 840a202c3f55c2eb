import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Config } from '../config.js';
import { readAdminFile } from '../platform/auth/admin-token.js';
import { CommandFailure } from './command.js';

/** What a command line asks a running server to do for it. */
export interface Errand {
  name: string;
  args: readonly string[];
  cwd: string;
  /** The person’s own, where one was given. */
  passphrase: string;
}

/** Lines of the answer: what to print, and at last how it ended. */
export type ErrandLine = { line: string } | { code: number; failure?: string };

/** What the server told when it could not. */
export class ErrandFailed extends CommandFailure {
  readonly code: number;
  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** Two servers may use one data folder with different databases. */
export function storeMark({ DATABASE_URL: url }: Pick<Config, 'DATABASE_URL'>): string {
  return url === '' ? 'embedded' : createHash('sha256').update(url).digest('hex').slice(0, 32);
}

/** A server that runs on this data folder and has our store open. */
export async function findServer(config: Config): Promise<{ door: string; token: string } | null> {
  const dataDir = resolve(config.DATA_DIR);
  const corners = join(dataDir, 'nodes');
  const folders =
    config.DATABASE_URL === ''
      ? [dataDir]
      : existsSync(corners)
        ? readdirSync(corners).map((name) => join(corners, name))
        : [];
  for (const folder of folders) {
    const found = readAdminFile(folder);
    if (found?.store === storeMark(config) && (await answers(found.door))) return found;
  }
  return null;
}

async function answers(door: string): Promise<boolean> {
  try {
    return (await fetch(door, { signal: AbortSignal.timeout(3000) })).status < 600;
  } catch {
    // Nobody is there; the file is what a killed server left.
    return false;
  }
}

/** Has the server do it, and returns how it ended. However long it takes: a backup takes long. */
export async function sendErrand(
  { door, token }: { door: string; token: string },
  errand: Errand,
  print: (line: string) => void,
): Promise<number> {
  const body = JSON.stringify(errand);
  const answer = await new Promise<IncomingMessage>((done, fail) => {
    const call = request(
      door,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      done,
    );
    call.on('error', fail);
    call.end(body);
  });
  if (answer.statusCode !== 200)
    throw new CommandFailure(`the running server refused: ${answer.statusCode ?? 0}`);
  try {
    for await (const text of createInterface({ input: answer, crlfDelay: Infinity })) {
      // Written by the door of the same release.
      const told = JSON.parse(text) as ErrandLine;
      if ('line' in told) print(told.line);
      else if (told.failure === undefined) return told.code;
      else throw new ErrandFailed(told.failure, told.code);
    }
  } catch (error) {
    if (error instanceof ErrandFailed) throw error;
    // Told below: the connection broke.
  }
  throw new CommandFailure('the server stopped before this was done');
}
