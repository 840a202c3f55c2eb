import type { TeamRole } from '../../../platform/auth/team-role.js';
import type { Db } from '../../../platform/db/db.js';

export type Purpose = 'operator' | 'sign_up' | 'invitation' | 'reset';
export type Role = 'advertiser' | 'publisher' | 'operator';

export interface LinkRow {
  id: string;
  purpose: Purpose;
  email: string;
  personId: string | null;
  role: Role | null;
  accountId: string | null;
  teamRole: TeamRole | null;
  details: { name?: string; url?: string; timeZone?: string };
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
}

const columns = `id, purpose, email, person_id as "personId", role, account_id as "accountId",
       team_role as "teamRole", details, created_by as "createdBy", created_at as "createdAt",
       expires_at as "expiresAt"`;

export async function insertLink(tx: Db, row: LinkRow & { tokenHash: string }): Promise<void> {
  await tx.query(
    `insert into account_links (
         id, token_hash, purpose, email, person_id, role, account_id, team_role, details,
         created_by, created_at, expires_at
       )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11, $12)`,
    [
      row.id,
      row.tokenHash,
      row.purpose,
      row.email,
      row.personId,
      row.role,
      row.accountId,
      row.teamRole,
      JSON.stringify(row.details),
      row.createdBy,
      row.createdAt,
      row.expiresAt,
    ],
  );
}

export async function findLink(db: Db, tokenHash: string, now: Date): Promise<LinkRow | null> {
  const rows = await db.query<LinkRow>(
    `select ${columns}
     from account_links
     where token_hash = $1 and used_at is null and expires_at > $2`,
    [tokenHash, now],
  );
  return rows[0] ?? null;
}

/** Uses the link up; of two that come at once, one gets it. */
export async function takeLink(tx: Db, tokenHash: string, now: Date): Promise<LinkRow | null> {
  const rows = await tx.query<LinkRow>(
    `update account_links
     set used_at = $2
     where token_hash = $1 and used_at is null and expires_at > $2
     returning ${columns}`,
    [tokenHash, now],
  );
  return rows[0] ?? null;
}

/** A newer link for the same thing is the only one that works. */
export async function endLinks(
  tx: Db,
  which: { purpose: Purpose; email: string; accountId: string | null },
  now: Date,
): Promise<void> {
  await tx.query(
    `update account_links
     set used_at = $4
     where purpose = $1 and email = $2 and account_id is not distinct from $3
       and used_at is null`,
    [which.purpose, which.email, which.accountId, now],
  );
}

/** Links sent to somebody, or by them, do not outlive their place in the account. */
export async function endLinksOf(
  tx: Db,
  person: { id: string; email: string },
  now: Date,
): Promise<void> {
  await tx.query(
    `update account_links
     set used_at = $3
     where used_at is null
       and (
         (purpose = 'reset' and person_id = $1)
         or (purpose = 'invitation' and created_by in ($2, 'person ' || $1::text))
       )`,
    [person.id, person.email, now],
  );
}

/** A link for a new password that lies in a mailbox must not undo the password chosen since. */
export async function endResets(tx: Db, personId: string, now: Date): Promise<void> {
  await tx.query(
    `update account_links
     set used_at = $2
     where purpose = 'reset' and person_id = $1 and used_at is null`,
    [personId, now],
  );
}

export async function endLink(
  tx: Db,
  accountId: string,
  linkId: string,
  now: Date,
): Promise<LinkRow | null> {
  const rows = await tx.query<LinkRow>(
    `update account_links
     set used_at = $3
     where account_id = $1 and id = $2 and purpose = 'invitation' and used_at is null
     returning ${columns}`,
    [accountId, linkId, now],
  );
  return rows[0] ?? null;
}

export function listInvitations(db: Db, accountId: string, now: Date): Promise<LinkRow[]> {
  return db.query<LinkRow>(
    `select ${columns}
     from account_links
     where account_id = $1 and purpose = 'invitation' and used_at is null and expires_at > $2
     order by created_at, id`,
    [accountId, now],
  );
}

export async function hasOperator(db: Db): Promise<boolean> {
  const rows = await db.query(
    `select 1 from people where role = 'operator' and disabled_at is null limit 1`,
  );
  return rows.length > 0;
}

/** Two first operators at once are one too many. */
export async function lockFirstOperator(tx: Db): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('sidelight.first-operator'))`);
}

export async function sweepLinks(db: Db, before: Date): Promise<void> {
  await db.query(`delete from account_links where expires_at < $1`, [before]);
}

export async function accountName(db: Db, accountId: string): Promise<string | null> {
  const rows = await db.query<{ name: string }>(
    `select name
     from advertisers
     where id = $1
     union all
     select name
     from publishers
     where id = $1`,
    [accountId],
  );
  return rows[0]?.name ?? null;
}
