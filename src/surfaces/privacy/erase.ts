import { nilUuid } from '../../domain/uuid.js';
import type { Db } from '../../platform/db/db.js';
import { clearConversions, clearServedIdentities, deleteLinks, deleteViewers } from './queries.js';
import { readIdentities } from './read-identities.js';
import type { Identities } from './schema.js';

export interface Erased {
  links: number;
  viewers: number;
  conversions: number;
  servedAds: number;
}

/** Removes a person from everything that is keyed by or holds one of the identities. Counts and money stay, without the person. */
export async function erasePerson(db: Db, identities: Identities, advertiserId: string = nilUuid): Promise<Erased> {
  const { keys, emails, marks } = readIdentities(identities);
  return db.transaction(async (tx) => ({
    links: await deleteLinks(tx, advertiserId, keys),
    viewers: await deleteViewers(tx, advertiserId, emails),
    conversions: await clearConversions(tx, advertiserId, marks),
    servedAds: await clearServedIdentities(tx, advertiserId, emails),
  }));
}
