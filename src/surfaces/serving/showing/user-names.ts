import { createBoundedCache } from '../../../platform/bounded-cache.js';
import { anonymous, type Pseudonyms } from '../../../platform/secrets/pseudonyms.js';

/** A publisher's name for its user, as the journal carries it: sealed. */
export interface NamedUser {
  publisherId: string;
  userId: string;
  nameSealed: string;
}

/**
 * The publisher reads its users' names in its reports. Each is stored once, sealed; this says when a
 * request brings one that this node has not told of lately.
 */
export function createNaming(
  pseudonyms: Pick<Pseudonyms, 'seal'>,
): (publisherId: string, userId: string, name: string) => { user_names: NamedUser[] } | null {
  const told = createBoundedCache<string, true>(100_000);
  return (publisherId, userId, name) => {
    const key = `${publisherId} ${userId}`;
    if (userId === anonymous || told.get(key) === true) return null;
    told.set(key, true);
    return {
      user_names: [{ publisherId, userId, nameSealed: pseudonyms.seal(publisherId, name) }],
    };
  };
}
