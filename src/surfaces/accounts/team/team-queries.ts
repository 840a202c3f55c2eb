import type { TeamRole } from '../../../platform/auth/team-role.js';
import type { Db } from '../../../platform/db/db.js';

export interface Member {
  id: string;
  email: string;
  role: string;
  teamRole: TeamRole;
  accountId: string | null;
  account: string | null;
  hasSecondFactor: boolean;
  isDisabled: boolean;
  lastSeenAt: Date | null;
}

const members = `select p.id, p.email, p.role, p.team_role as "teamRole",
       p.account_id as "accountId", coalesce(a.name, b.name) as account,
       p.totp_confirmed_at is not null as "hasSecondFactor",
       p.disabled_at is not null as "isDisabled",
       (select max(s.last_seen_at) from sessions s where s.person_id = p.id) as "lastSeenAt"
     from people p
     left join advertisers a on a.id = p.account_id and p.role = 'advertiser'
     left join publishers b on b.id = p.account_id and p.role = 'publisher'`;

export function listTeam(db: Db, accountId: string): Promise<Member[]> {
  return db.query<Member>(
    `${members}
     where p.account_id = $1 and p.disabled_at is null
     order by p.created_at, p.id`,
    [accountId],
  );
}

/** Everybody, newest first; `search` is part of an address or an account's name. */
export function listPeople(db: Db, filter: { search: string; limit: number }): Promise<Member[]> {
  return db.query<Member>(
    `${members}
     where p.email not like 'removed:%'
       and ($1 = '' or strpos(p.email, $1) > 0
         or strpos(lower(coalesce(a.name, b.name, '')), $1) > 0)
     order by p.created_at desc, p.id desc limit $2`,
    [filter.search, filter.limit],
  );
}

/** Owners of an account (or, without one, of the installation), held until the transaction ends. */
export async function lockOwners(tx: Db, accountId: string | null): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id
     from people
     where account_id is not distinct from $1 and team_role = 'owner' and disabled_at is null
     for update`,
    [accountId],
  );
  return rows.map((row) => row.id);
}

export async function setTeamRole(tx: Db, personId: string, role: TeamRole): Promise<void> {
  await tx.query(`update people set team_role = $2 where id = $1`, [personId, role]);
}

export async function setDisabled(tx: Db, personId: string, at: Date | null): Promise<void> {
  await tx.query(`update people set disabled_at = $2 where id = $1`, [personId, at]);
}

/** The address is free again for whoever invites it next. */
export async function removePerson(tx: Db, personId: string, at: Date): Promise<void> {
  await tx.query(`update people set disabled_at = $2, email = 'removed:' || id where id = $1`, [
    personId,
    at,
  ]);
}

export async function findMember(db: Db, personId: string): Promise<Member | null> {
  const rows = await db.query<Member>(`${members} where p.id = $1`, [personId]);
  return rows[0] ?? null;
}

export async function findAccountKind(
  db: Db,
  accountId: string,
): Promise<'advertiser' | 'publisher' | null> {
  const rows = await db.query<{ kind: 'advertiser' | 'publisher' }>(
    `select 'advertiser' as kind
     from advertisers
     where id = $1
     union all
     select 'publisher'
     from publishers
     where id = $1`,
    [accountId],
  );
  return rows[0]?.kind ?? null;
}
