import { randomBytes } from 'node:crypto';
import { isValidZone } from '../../domain/time/zone.js';
import { type AuditEntry, recordAudit } from '../../platform/audit.js';
import { hashPassword } from '../../platform/auth/password.js';
import type { TeamRole } from '../../platform/auth/team-role.js';
import type { Db } from '../../platform/db/db.js';
import { AppError, fieldError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import type { Role } from './links/link-queries.js';
import { openAdvertiser, type OpenedAccount, openPublisher } from './open-account.js';
import { findPerson, insertPerson } from './people/person-queries.js';

export interface AccountWish {
  kind: Role;
  email: string;
  name: string;
  url: string;
  timeZone: string;
  billingEnabled: boolean;
  approved: boolean;
  teamRole: TeamRole;
}

interface Opening {
  tx: Db;
  mintId: MintId;
  now: number;
}

/** The account of an operator's wish; null for another operator, who has none. */
export async function openWished(
  opening: Opening,
  wish: AccountWish,
  actor: AuditEntry['actor'],
): Promise<OpenedAccount | null> {
  // Budgets of every account are cut into local days together: one unknown zone would stop them
  // all.
  if (!isValidZone(wish.timeZone))
    throw fieldError(['body', 'time_zone'], 'Must be an IANA time zone such as Europe/Berlin');
  if ((await findPerson(opening.tx, wish.email)) !== null) throw new AppError('already_exists');
  const { name, timeZone } = wish;
  const account =
    wish.kind === 'operator'
      ? null
      : wish.kind === 'advertiser'
        ? await openAdvertiser(opening, {
            name,
            timeZone,
            email: wish.email,
            billingEnabled: wish.billingEnabled,
          })
        : await openPublisher(opening, {
            name,
            timeZone,
            url: wish.url,
            status: wish.approved ? 'approved' : 'pending',
          });
  await recordAudit(opening.tx, opening.mintId, opening.now, {
    actor,
    accountId: account?.id ?? null,
    action: 'open',
    entity: wish.kind,
    entityId: account?.id ?? wish.email,
    before: null,
    after: wish,
  });
  return account;
}

/** A password nobody chose, hashed before any transaction waits for it. */
export async function makePassword(): Promise<{ password: string; passwordHash: string }> {
  const password = randomBytes(12).toString('base64url');
  return { password, passwordHash: await hashPassword(password) };
}

export async function addWishedPerson(
  { tx, mintId, now }: Opening,
  wish: AccountWish,
  accountId: string | null,
  passwordHash: string,
): Promise<void> {
  const isNew = await insertPerson(tx, {
    id: mintId(now),
    email: wish.email,
    passwordHash,
    role: wish.kind,
    accountId,
    teamRole: wish.teamRole,
  });
  if (!isNew) throw new AppError('already_exists');
}
