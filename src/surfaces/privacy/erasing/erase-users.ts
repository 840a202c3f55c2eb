import { announce, channels } from '../../../platform/channels.js';
import type { Db } from '../../../platform/db/db.js';
import type { Sealer } from '../../../platform/secrets/sealer.js';
import {
  clearFeedback,
  clearUserEvents,
  deleteChoices,
  deletePublisherSearches,
  deleteUnits,
  deleteUserNames,
  deleteViewerLinks,
  findUsersLinked,
  listLeadsOf,
  mergeUserTotals,
  type PublisherPerson,
} from '../person-queries.js';
import { clearLead } from '../queries.js';

/** How many names one notification carries. */
const namesAtOnce = 60;

/** What there was of somebody, by kind. */
export type Erased = Record<string, number>;

/**
 * Removes a user of a publisher from everything that holds one of their names, in one transaction;
 * says what there was.
 */
export async function eraseUser(
  { tx, sealer }: { tx: Db; sealer: Sealer },
  given: PublisherPerson,
): Promise<Erased> {
  const users = [...new Set([...given.users, ...(await findUsersLinked(tx, given))])];
  const person = { ...given, users };
  const { erased, serveIds } = await eraseJournalled(tx, person);
  const leads = await listLeadsOf(tx, serveIds);
  for (const { id, advertiserId } of leads)
    await clearLead(tx, id, sealer.seal('{}', `lead:${advertiserId}`));
  return {
    ...erased,
    feedback: await clearFeedback(tx, person),
    choices: await deleteChoices(tx, person),
    leads: leads.length,
  };
}

/** The part that journals bring: it may come back once, with what a node had not applied yet. */
export async function eraseJournalled(
  tx: Db,
  person: PublisherPerson,
): Promise<{ erased: Erased; serveIds: readonly string[] }> {
  const { events, identities, serveIds } = await clearUserEvents(tx, person);
  const erased = {
    events,
    viewers: await deleteViewerLinks(tx, identities),
    users: await mergeUserTotals(tx, person),
    experiments: await deleteUnits(tx, person, identities),
    searches: await deletePublisherSearches(tx, person),
  };
  await deleteUserNames(tx, person);
  return { erased, serveIds };
}

/**
 * Other nodes may hold in memory or in their journals what was just erased: see `follow-erasures`.
 */
export async function announceErasure(
  tx: Db,
  { publisherId, users, sessions, searchers }: PublisherPerson,
): Promise<void> {
  const most = Math.max(users.length, sessions.length, searchers.length);
  for (let from = 0; from < most; from += namesAtOnce)
    await announce(tx, channels.erasures, {
      publisherId,
      users: users.slice(from, from + namesAtOnce),
      sessions: sessions.slice(from, from + namesAtOnce),
      searchers: searchers.slice(from, from + namesAtOnce),
    });
}
