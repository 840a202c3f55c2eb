import { nilUuid } from '../../../domain/uuid.js';
import { announce, channels } from '../../../platform/channels.js';
import type { Db } from '../../../platform/db/db.js';
import type { Pseudonyms } from '../../../platform/secrets/pseudonyms.js';
import type { Sealer } from '../../../platform/secrets/sealer.js';
import { eraseLeads } from './erase-leads.js';
import { clearConversions, clearServedIdentities, deleteLinks, deleteViewers } from '../queries.js';
import { deletePublisherSearches, listAccountIds } from '../person-queries.js';
import { readIdentities } from '../read-identities.js';
import type { Identities } from '../schema.js';

export interface Erased {
  links: number;
  viewers: number;
  conversions: number;
  servedAds: number;
  leads: number;
  searches: number;
}

/**
 * Removes a person from everything that is keyed by or holds one of the identities. Counts and
 * money stay, without the person.
 */
export async function erasePerson(
  deps: { db: Db; sealer: Sealer; pseudonyms: Pseudonyms },
  identities: Identities,
  advertiserId: string = nilUuid,
): Promise<Erased> {
  const { keys, emails, phones, external, marks } = readIdentities(identities);
  const viewers = await viewersOf(deps, emails, advertiserId);
  return deps.db.transaction(async (tx) => {
    // Every node forgets whom the ads it remembers were shown to.
    await announce(tx, channels.erasures, null);
    return {
      links: await deleteLinks(tx, advertiserId, keys),
      viewers: await deleteViewers(tx, advertiserId, viewers),
      conversions: await clearConversions(tx, advertiserId, marks),
      servedAds: await clearServedIdentities(tx, advertiserId, viewers),
      leads: await eraseLeads({ ...deps, db: tx }, advertiserId, { emails, phones }),
      searches:
        advertiserId === nilUuid
          ? await deleteSearches({ ...deps, db: tx }, [...emails, ...external])
          : 0,
    };
  });
}

/** Under which names these e-mails are linked: one for each advertiser that is meant. */
export async function viewersOf(
  { db, pseudonyms }: { db: Db; pseudonyms: Pick<Pseudonyms, 'viewer'> },
  emails: readonly string[],
  advertiserId: string,
): Promise<string[]> {
  if (emails.length === 0) return [];
  const advertisers =
    advertiserId === nilUuid ? await listAccountIds(db, 'advertisers') : [advertiserId];
  return emails.flatMap((hash) => advertisers.map((id) => pseudonyms.viewer(id, `em:${hash}`)));
}

/** Searches belong to publishers, each of which knows somebody under a name of its own. */
async function deleteSearches(
  { db, pseudonyms }: { db: Db; pseudonyms: Pick<Pseudonyms, 'searcher'> },
  hashes: readonly string[],
): Promise<number> {
  if (hashes.length === 0) return 0;
  let deleted = 0;
  for (const publisherId of await listAccountIds(db, 'publishers')) {
    const searchers = hashes.map((hash) => pseudonyms.searcher(publisherId, hash));
    deleted += await deletePublisherSearches(db, { publisherId, searchers, sessions: [] });
  }
  return deleted;
}
