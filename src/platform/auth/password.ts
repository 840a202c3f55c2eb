import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { AppError } from '../errors.js';

const cost = { r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
export const safeRounds = 32_768;
let usualRounds = safeRounds;

/** For tests, which hash hundreds of passwords and protect nothing with them. */
export function usePasswordRounds(rounds: number): void {
  usualRounds = rounds;
}

export const passwordLength = { least: 12, most: 1000 } as const;

/**
 * Hashing for requests from outside: each one takes a core and 32 MiB for a while, so only a few
 * run at a time, a bounded number waits, and the rest is told to come back.
 */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long for an unknown person (`stored` undefined) as for a wrong password. */
  verify(password: string, stored: string | undefined): Promise<boolean>;
}

export function createPasswords({ running = 2, waiting = 40 } = {}): Passwords {
  let busy = 0;
  const queue: (() => void)[] = [];
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (busy >= running) {
      if (queue.length >= waiting)
        throw new AppError('temporarily_unavailable', { retryAfterSeconds: 2 });
      await new Promise<void>((resolve) => queue.push(resolve));
    } else busy += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      // The turn passes on as it is, so that nobody slips in between.
      if (next === undefined) busy -= 1;
      else next();
    }
  }
  return {
    hash: (password) => inTurn(() => hashPassword(password)),
    verify: (password, stored) => inTurn(() => verifyPassword(password, stored)),
  };
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, usualRounds);
  return `scrypt$${usualRounds}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, rounds = String(usualRounds), salt = '', expected = ''] = (
    stored ?? `scrypt$${usualRounds}$AAAAAAAAAAAAAAAAAAAAAA$`
  ).split('$');
  const actual = await derive(password, Buffer.from(salt, 'base64url'), Number(rounds));
  const wanted = Buffer.from(expected, 'base64url');
  return wanted.length === actual.length && timingSafeEqual(wanted, actual);
}

function derive(password: string, salt: Buffer, rounds: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, { ...cost, N: rounds }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
