import { nilUuid } from '../../domain/uuid.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { Choices } from '../../platform/privacy/choices.js';
import { deleteLinks, insertOptOuts } from './queries.js';

export type OptOutSource = 'api' | 'pixel' | 'gpc' | 'operator';

/**
 * Puts identities on the list that is asked before anything is stored, and forgets which click they
 * came with.
 */
export async function optOut(
  { db, clock, choices }: { db: Db; clock: Clock; choices?: Pick<Choices, 'take'> },
  advertiserId: string,
  identities: readonly string[],
  source: OptOutSource,
): Promise<void> {
  await db.transaction(async (tx) => {
    await insertOptOuts(tx, advertiserId, identities, source, new Date(clock()));
    // Links of every advertiser are found only by reading them all; the list keeps them from being
    // used.
    if (advertiserId !== nilUuid) await deleteLinks(tx, advertiserId, identities);
  });
  for (const identity of identities) await choices?.take({ advertiserId, identity });
}
