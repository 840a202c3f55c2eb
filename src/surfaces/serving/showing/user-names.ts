import { createBoundedCache } from '../../../platform/bounded-cache.js';
import { anonymous, type Pseudonyms } from '../../../platform/secrets/pseudonyms.js';

/** What earlier versions wrote to the journal for a name. */
export interface NamedUser {
  publisherId: string;
  userId: string;
  nameSealed: string;
}

/**
 * The publisher reads its users' names in its reports. Each is stored once, sealed, in the row of
 * the user; this gives it when a request brings one that this node has not told of lately.
 */
export function createNaming(
  pseudonyms: Pick<Pseudonyms, 'seal'>,
): (publisherId: string, userId: string, name: string) => string | null {
  const told = createBoundedCache<string, true>(100_000);
  return (publisherId, userId, name) => {
    const key = `${publisherId} ${userId}`;
    if (userId === anonymous || told.get(key) === true) return null;
    told.set(key, true);
    return pseudonyms.seal(publisherId, name);
  };
}
