import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.js';
import type { Db } from '../db/db.js';
import { AppError } from '../errors.js';
import { hashSecret } from './api-key.js';

export const sessionCookie = 'sidelight_session';
const sessionHours = 24 * 7;

export interface Session {
  personId: string;
  email: string;
  role: 'advertiser' | 'publisher' | 'operator';
  accountId: string | null;
}

/**
 * Browser sessions, checked in the database each time so that revoking one works at once on every
 * node.
 */
export interface SessionStore {
  find(token: string): Promise<Session | null>;
  open(personId: string): Promise<{ token: string; maxAgeSeconds: number }>;
  revoke(token: string): Promise<void>;
  revokeAll(personId: string): Promise<void>;
}

export function createSessionStore(db: Db, clock: Clock): SessionStore {
  return {
    async find(token) {
      const rows = await db.query<Session>(
        `select p.id as "personId", p.email, p.role, p.account_id as "accountId"
         from sessions s
         join people p on p.id = s.person_id
         where s.token_hash = $1 and s.revoked_at is null and s.expires_at > $2
           and p.disabled_at is null`,
        [hashSecret(token), new Date(clock())],
      );
      return rows[0] ?? null;
    },
    async open(personId) {
      const token = randomBytes(32).toString('base64url');
      await db.query(
        `insert into sessions (token_hash, person_id, created_at, expires_at)
         values ($1, $2, $3, $4)`,
        [
          hashSecret(token),
          personId,
          new Date(clock()),
          new Date(clock() + sessionHours * 3_600_000),
        ],
      );
      return { token, maxAgeSeconds: sessionHours * 3600 };
    },
    async revoke(token) {
      await db.query(
        `update sessions set revoked_at = $2 where token_hash = $1 and revoked_at is null`,
        [hashSecret(token), new Date(clock())],
      );
    },
    async revokeAll(personId) {
      await db.query(
        `update sessions set revoked_at = $2 where person_id = $1 and revoked_at is null`,
        [personId, new Date(clock())],
      );
    },
  };
}

export function sessionTokenOf(cookies: string | undefined): string | null {
  for (const pair of (cookies ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === sessionCookie) return pair.slice(at + 1).trim();
  }
  return null;
}

/**
 * Derived from the session, so that it needs no storage and dies with it. A page of another origin
 * cannot read it.
 */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}

export function checkCsrf(sessionToken: string, given: string | string[] | undefined): void {
  const expected = Buffer.from(csrfTokenOf(sessionToken));
  const actual = Buffer.from(typeof given === 'string' ? given : '');
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual))
    throw new AppError('csrf_rejected');
}
