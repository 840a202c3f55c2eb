import type { Db } from '../../platform/db/db.js';
import { hasOperator } from './links/link-queries.js';
import { type LinkDeps, makeLink } from './links/make-link.js';

/** While nobody runs this installation: a link that makes whoever starts it the operator. */
export async function inviteFirstOperator(
  deps: Omit<LinkDeps, 'mailer'> & { db: Db },
): Promise<string | null> {
  if (await hasOperator(deps.db)) return null;
  const { url } = await makeLink(deps, deps.db, {
    purpose: 'operator',
    email: '',
    role: 'operator',
    createdBy: 'first start',
  });
  return url;
}
