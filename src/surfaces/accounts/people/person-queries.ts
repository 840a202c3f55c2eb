import type { TeamRole } from '../../../platform/auth/team-role.js';
import type { Db } from '../../../platform/db/db.js';

export interface Person {
  id: string;
  email: string;
  passwordHash: string;
  role: 'advertiser' | 'publisher' | 'operator';
  teamRole: TeamRole;
  accountId: string | null;
  totpSealed: string | null;
  hasSecondFactor: boolean;
}

const columns = `id, email, password_hash as "passwordHash", role, team_role as "teamRole",
       account_id as "accountId", totp_sealed as "totpSealed",
       totp_confirmed_at is not null as "hasSecondFactor"`;

export async function findPerson(db: Db, email: string): Promise<Person | null> {
  const rows = await db.query<Person>(
    `select ${columns} from people where email = $1 and disabled_at is null`,
    [email],
  );
  return rows[0] ?? null;
}

export async function loadPerson(db: Db, id: string): Promise<Person | null> {
  const rows = await db.query<Person>(
    `select ${columns} from people where id = $1 and disabled_at is null`,
    [id],
  );
  return rows[0] ?? null;
}

/** False when somebody has that address already. */
export async function insertPerson(
  tx: Db,
  row: {
    id: string;
    email: string;
    passwordHash: string;
    role: string;
    accountId: string | null;
    teamRole: TeamRole;
  },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into people (id, email, password_hash, role, account_id, team_role)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (email) do nothing
     returning id`,
    [row.id, row.email, row.passwordHash, row.role, row.accountId, row.teamRole],
  );
  return rows.length > 0;
}

export async function setPassword(
  tx: Db,
  personId: string,
  passwordHash: string,
  at: Date,
): Promise<void> {
  await tx.query(`update people set password_hash = $2, password_changed_at = $3 where id = $1`, [
    personId,
    passwordHash,
    at,
  ]);
}

/** A secret that no code has confirmed yet. False when one is confirmed already. */
export async function offerTotp(tx: Db, personId: string, sealed: string): Promise<boolean> {
  const rows = await tx.query(
    `update people
     set totp_sealed = $2, totp_last_step = null
     where id = $1 and totp_confirmed_at is null
     returning id`,
    [personId, sealed],
  );
  return rows.length > 0;
}

export async function confirmTotp(tx: Db, personId: string, at: Date): Promise<void> {
  await tx.query(`update people set totp_confirmed_at = $2 where id = $1`, [personId, at]);
}

/** False when that step, or a later one, was used before. */
export async function useTotpStep(tx: Db, personId: string, step: number): Promise<boolean> {
  const rows = await tx.query(
    `update people
     set totp_last_step = $2
     where id = $1 and coalesce(totp_last_step, 0) < $2
     returning id`,
    [personId, step],
  );
  return rows.length > 0;
}

export async function removeTotp(tx: Db, personId: string): Promise<boolean> {
  const rows = await tx.query(
    `update people
     set totp_sealed = null, totp_confirmed_at = null, totp_last_step = null
     where id = $1 and totp_sealed is not null
     returning id`,
    [personId],
  );
  await tx.query(`delete from recovery_codes where person_id = $1`, [personId]);
  return rows.length > 0;
}

export async function replaceRecoveryCodes(
  tx: Db,
  personId: string,
  hashes: readonly string[],
): Promise<void> {
  await tx.query(`delete from recovery_codes where person_id = $1`, [personId]);
  await tx.query(
    `insert into recovery_codes (person_id, code_hash)
     select $1, unnest($2::text[])`,
    [personId, hashes],
  );
}

export async function useRecoveryCode(
  tx: Db,
  personId: string,
  hash: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update recovery_codes
     set used_at = $3
     where person_id = $1 and code_hash = $2 and used_at is null
     returning code_hash`,
    [personId, hash, at],
  );
  return rows.length > 0;
}

export async function countRecoveryCodes(db: Db, personId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from recovery_codes where person_id = $1 and used_at is null`,
    [personId],
  );
  return row?.count ?? 0;
}
