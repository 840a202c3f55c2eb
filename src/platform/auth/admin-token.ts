import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameSecret } from './same-secret.js';

/**
 * Lets the command line speak to the running server as an operator: a secret made at each start,
 * kept in a file that only the server's own user can read.
 */
export interface AdminToken {
  matches(given: string | undefined): boolean;
  publish(folder: string, whereabouts: Whereabouts): void;
  withdraw(folder: string): void;
}

export interface Whereabouts {
  address: string;
  /** Where the command line is answered. */
  door: string;
  /** Which store this server has open. */
  store: string;
}

const fileIn = (folder: string): string => join(folder, 'admin.json');

export function newAdminSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function createAdminToken(token = newAdminSecret()): AdminToken {
  return {
    matches: (given) => given !== undefined && isSameSecret(given, token),
    publish(folder, whereabouts) {
      // Made anew: the mode of a file that is there already would stay.
      rmSync(fileIn(folder), { force: true });
      writeFileSync(fileIn(folder), `${JSON.stringify({ ...whereabouts, token })}\n`, {
        mode: 0o600,
        flag: 'wx',
      });
    },
    withdraw: (folder) => rmSync(fileIn(folder), { force: true }),
  };
}

/** Where the server of this folder can be reached, if one left word. */
export function readAdminFile(folder: string): (Whereabouts & { token: string }) | null {
  try {
    // Written above.
    return JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Whereabouts & { token: string };
  } catch {
    return null;
  }
}
