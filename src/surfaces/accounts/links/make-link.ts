import { randomBytes } from 'node:crypto';
import { hashSecret } from '../../../platform/auth/api-key.js';
import type { TeamRole } from '../../../platform/auth/team-role.js';
import type { Clock } from '../../../platform/clock.js';
import type { Db } from '../../../platform/db/db.js';
import type { MintId } from '../../../platform/ids.js';
import type { Mailer } from '../../../platform/mail/mailer.js';
import { endLinks, insertLink, type LinkRow, type Purpose, type Role } from './link-queries.js';

const hourMs = 3_600_000;
const lifetimes: Record<Purpose, number> = {
  operator: 24 * hourMs,
  sign_up: 24 * hourMs,
  invitation: 7 * 24 * hourMs,
  reset: hourMs,
};

export interface LinkDeps {
  clock: Clock;
  mintId: MintId;
  mailer: Mailer;
  platformUrl: () => string;
}

export interface Wanted {
  purpose: Purpose;
  email: string;
  personId?: string;
  role?: Role;
  accountId?: string | null;
  teamRole?: TeamRole;
  details?: LinkRow['details'];
  createdBy: string;
}

/** A link that opens once, and replaces those made before for the same thing. */
export async function makeLink(
  deps: Omit<LinkDeps, 'mailer'>,
  tx: Db,
  wanted: Wanted,
): Promise<{ id: string; url: string; expiresAt: number }> {
  const now = deps.clock();
  const token = randomBytes(32).toString('base64url');
  const { purpose, email, accountId = null } = wanted;
  if (purpose !== 'operator') await endLinks(tx, { purpose, email, accountId }, new Date(now));
  const id = deps.mintId(now);
  const expiresAt = now + lifetimes[purpose];
  await insertLink(tx, {
    id,
    tokenHash: hashSecret(token),
    purpose,
    email,
    personId: wanted.personId ?? null,
    role: wanted.role ?? null,
    accountId,
    teamRole: wanted.teamRole ?? null,
    details: wanted.details ?? {},
    createdBy: wanted.createdBy,
    createdAt: new Date(now),
    expiresAt: new Date(expiresAt),
  });
  // After the #, so that no server and no log on the way sees it.
  return { id, url: `${deps.platformUrl()}/app/link#${token}`, expiresAt };
}

export async function mailLink(
  deps: LinkDeps,
  tx: Db,
  wanted: Wanted,
  words: { subject: string; text: string },
): Promise<{ id: string; url: string }> {
  const { id, url, expiresAt } = await makeLink(deps, tx, wanted);
  const until = new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ');
  await deps.mailer.post(tx, {
    to: wanted.email,
    subject: words.subject,
    text: `${words.text}\n\n${url}\n\nThe link works once, until ${until} UTC. If you did not expect this mail, ignore it.\n`,
    expiresAt,
  });
  return { id, url };
}
