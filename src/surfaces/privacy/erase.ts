import { nilUuid } from '../../domain/uuid.js';
import type { Db } from '../../platform/db/db.js';
import type { Sealer } from '../../platform/secrets/sealer.js';
import { eraseLeads } from './erase-leads.js';
import {
  clearConversions,
  clearServedIdentities,
  deleteLinks,
  deleteSearches,
  deleteViewers,
} from './queries.js';
import { readIdentities } from './read-identities.js';
import type { Identities } from './schema.js';

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
  deps: { db: Db; sealer: Sealer },
  identities: Identities,
  advertiserId: string = nilUuid,
): Promise<Erased> {
  const { keys, emails, phones, external, marks } = readIdentities(identities);
  return deps.db.transaction(async (tx) => ({
    links: await deleteLinks(tx, advertiserId, keys),
    viewers: await deleteViewers(tx, advertiserId, emails),
    conversions: await clearConversions(tx, advertiserId, marks),
    servedAds: await clearServedIdentities(tx, advertiserId, emails),
    leads: await eraseLeads({ ...deps, db: tx }, advertiserId, { emails, phones }),
    searches: advertiserId === nilUuid ? await deleteSearches(tx, emails, external) : 0,
  }));
}
