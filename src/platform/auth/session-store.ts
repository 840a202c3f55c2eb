import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../clock.js';
import type { Db } from '../db/db.js';
import { AppError } from '../errors.js';
import { hashSecret } from './api-key.js';
import { cookieOf } from './cookies.js';
import { isSameSecret } from './same-secret.js';
import type { TeamRole } from './team-role.js';

export const sessionCookie = 'sidelight_session';
/** How exact "last seen" is; finer would write on every call. */
const seenMs = 5 * 60_000;

export interface Session {
  id: string;
  personId: string;
  email: string;
  role: 'advertiser' | 'publisher' | 'operator';
  teamRole: TeamRole;
  accountId: string | null;
  hasSecondFactor: boolean;
}

export interface SessionListing {
  id: string;
  user_agent: string;
  address: string;
  created_at: Date;
  last_seen_at: Date | null;
  expires_at: Date;
}

/**
 * Browser sessions, checked in the database each time so that revoking one works at once on every
 * node.
 */
export interface SessionStore {
  find(token: string): Promise<Session | null>;
  open(
    tx: Db,
    person: { id: string; role: string },
    from: { userAgent: string; address: string },
  ): Promise<{ token: string; maxAgeSeconds: number }>;
  list(personId: string): Promise<SessionListing[]>;
  revoke(token: string): Promise<void>;
  revokeOne(tx: Db, personId: string, sessionId: string): Promise<boolean>;
  /** All but the one named: signing out everywhere else. */
  revokeAll(tx: Db, personId: string, except?: string): Promise<number>;
}

export function createSessionStore(
  db: Db,
  clock: Clock,
  hours: { person: number; operator: number },
): SessionStore {
  return {
    find: (token) => findSession(db, clock(), token),
    open: (tx, person, client) => insertSession(tx, person, client, { now: clock(), hours }),
    list(personId) {
      return db.query<SessionListing>(
        `select id, user_agent, address, created_at, last_seen_at, expires_at
         from sessions
         where person_id = $1 and revoked_at is null and expires_at > $2
         order by last_seen_at desc nulls last, id
         limit 200`,
        [personId, new Date(clock())],
      );
    },
    async revoke(token) {
      await db.query(
        `update sessions set revoked_at = $2 where token_hash = $1 and revoked_at is null`,
        [hashSecret(token), new Date(clock())],
      );
    },
    async revokeOne(tx, personId, sessionId) {
      const rows = await tx.query(
        `update sessions
         set revoked_at = $3
         where person_id = $1 and id = $2 and revoked_at is null
         returning id`,
        [personId, sessionId, new Date(clock())],
      );
      return rows.length > 0;
    },
    async revokeAll(tx, personId, except) {
      const rows = await tx.query(
        `update sessions
         set revoked_at = $2
         where person_id = $1 and revoked_at is null and ($3::uuid is null or id <> $3)
         returning id`,
        [personId, new Date(clock()), except ?? null],
      );
      return rows.length;
    },
  };
}

async function findSession(db: Db, now: number, token: string): Promise<Session | null> {
  const [found] = await db.query<Session & { seenAt: Date | null }>(
    `select s.id, p.id as "personId", p.email, p.role, p.team_role as "teamRole",
           p.account_id as "accountId", p.totp_confirmed_at is not null as "hasSecondFactor",
           s.last_seen_at as "seenAt"
         from sessions s
         join people p on p.id = s.person_id
         where s.token_hash = $1 and s.revoked_at is null and s.expires_at > $2
           and p.disabled_at is null`,
    [hashSecret(token), new Date(now)],
  );
  if (found === undefined) return null;
  const { seenAt, ...session } = found;
  if (seenAt === null || seenAt.getTime() < now - seenMs)
    await db.query(`update sessions set last_seen_at = $2 where id = $1`, [
      session.id,
      new Date(now),
    ]);
  return session;
}

async function insertSession(
  tx: Db,
  person: Parameters<SessionStore['open']>[1],
  { userAgent, address }: Parameters<SessionStore['open']>[2],
  { now, hours }: { now: number; hours: { person: number; operator: number } },
): Promise<{ token: string; maxAgeSeconds: number }> {
  const token = randomBytes(32).toString('base64url');
  const seconds = 3600 * (person.role === 'operator' ? hours.operator : hours.person);
  await tx.query(
    `insert into sessions (
             token_hash, person_id, created_at, expires_at, last_seen_at, user_agent, address
           )
         values ($1, $2, $3, $4, $3, $5, $6)`,
    [
      hashSecret(token),
      person.id,
      new Date(now),
      new Date(now + seconds * 1000),
      userAgent.replaceAll('\u0000', '').toWellFormed().slice(0, 300),
      address,
    ],
  );
  return { token, maxAgeSeconds: seconds };
}

export function sessionTokenOf(cookies: string | undefined): string | null {
  return cookieOf(cookies, sessionCookie);
}

/**
 * Derived from the session, so that it needs no storage and dies with it. A page of another origin
 * cannot read it.
 */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}

export function checkCsrf(sessionToken: string, given: string | string[] | undefined): void {
  if (typeof given !== 'string' || !isSameSecret(given, csrfTokenOf(sessionToken)))
    throw new AppError('csrf_rejected');
}
