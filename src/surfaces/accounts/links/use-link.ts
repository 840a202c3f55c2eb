import { recordAudit } from '../../../platform/audit.js';
import { hashSecret } from '../../../platform/auth/api-key.js';
import type { Db } from '../../../platform/db/db.js';
import { AppError, fieldError } from '../../../platform/errors.js';
import {
  findLink,
  hasOperator,
  type LinkRow,
  lockFirstOperator,
  takeLink,
} from './link-queries.js';
import type { LinkRouteDeps } from './link-routes.js';
import { openAdvertiser, openPublisher } from '../open-account.js';
import { insertPerson, setPassword } from '../people/person-queries.js';

type Deps = Pick<LinkRouteDeps, 'db' | 'clock' | 'mintId' | 'passwords' | 'sessions'>;

/** Uses a link up: a person with the chosen password, or a new password for one there is. */
export async function useLink(
  deps: Deps,
  given: { token: string; password: string; email: string | null },
): Promise<{ email: string }> {
  const { db } = deps;
  const now = deps.clock();
  const tokenHash = hashSecret(given.token);
  // Hashing takes long; a token that opens nothing is not worth it, and no transaction waits for
  // it.
  if ((await findLink(db, tokenHash, new Date(now))) === null) throw new AppError('link_ended');
  const passwordHash = await deps.passwords.hash(given.password);
  return db.transaction(async (tx) => {
    const link = await takeLink(tx, tokenHash, new Date(now));
    if (link === null) throw new AppError('link_ended');
    const { personId, email } =
      link.purpose === 'reset'
        ? await resetPassword(deps, tx, link, passwordHash)
        : await addOwner(deps, tx, link, given.email, passwordHash);
    await recordAudit(tx, deps.mintId, now, {
      actor: { kind: 'person', id: personId },
      accountId: link.accountId,
      action: link.purpose === 'reset' ? 'reset_password' : 'join',
      entity: 'person',
      entityId: personId,
      before: null,
      after: { email, role: link.role, team_role: link.teamRole, invited_by: link.createdBy },
    });
    return { email };
  });
}

async function resetPassword(
  deps: Deps,
  tx: Db,
  link: LinkRow,
  passwordHash: string,
): Promise<{ personId: string; email: string }> {
  const { personId } = link;
  if (personId === null) throw new AppError('link_ended');
  await setPassword(tx, personId, passwordHash, new Date(deps.clock()));
  // Whoever knew the old password may still be signed in.
  await deps.sessions.revokeAll(tx, personId);
  return { personId, email: link.email };
}

async function addOwner(
  deps: Deps,
  tx: Db,
  link: LinkRow,
  chosenEmail: string | null,
  passwordHash: string,
): Promise<{ personId: string; email: string }> {
  const email = link.purpose === 'operator' ? chosenEmail : link.email;
  if (email === null || email === '')
    throw fieldError(['body', 'email'], 'An e-mail address is needed', 'missing');
  if (link.purpose === 'operator') {
    await lockFirstOperator(tx);
    if (await hasOperator(tx)) throw new AppError('link_ended');
  }
  const personId = deps.mintId(deps.clock());
  const isNew = await insertPerson(tx, {
    id: personId,
    email,
    passwordHash,
    role: link.purpose === 'operator' ? 'operator' : (link.role ?? 'advertiser'),
    accountId: link.accountId ?? (await openFor(deps, tx, link, email)),
    teamRole: link.teamRole ?? 'owner',
  });
  if (!isNew) throw new AppError('already_exists');
  return { personId, email };
}

/** The account a sign-up asked for; publishers wait for approval, advertisers for billing. */
async function openFor(
  deps: Deps,
  tx: Db,
  { purpose, role, details }: LinkRow,
  email: string,
): Promise<string | null> {
  if (purpose !== 'sign_up') return null;
  const opening = { tx, mintId: deps.mintId, now: deps.clock() };
  const name = details.name ?? email;
  const account =
    role === 'publisher'
      ? await openPublisher(opening, { name, url: details.url ?? '' })
      : await openAdvertiser(opening, { name, email });
  return account.id;
}
