import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { Sealer } from '../../platform/secrets/sealer.js';
import { loadSharedSecret, saveSharedSecret } from './queries.js';

/**
 * How long a replaced secret is still believed: webhooks signed before the change are under way or
 * being repeated.
 */
export const oldSecretMs = 3_600_000;
const about = 'storefront secret';

/**
 * The secrets the storefront app may sign with now: the one set, and for an hour the one set
 * before.
 */
export type SharedSecrets = () => string[];

export async function followSharedSecret({
  db,
  clock,
  sealer,
  secret,
}: {
  db: Db;
  clock: Clock;
  sealer: Sealer;
  secret: string;
}): Promise<SharedSecrets> {
  if (secret === '') return () => [];
  const now = clock();
  const { old, until } = await db.transaction(async (tx) => {
    const sealed = await loadSharedSecret(tx);
    // What was sealed below.
    const known =
      sealed === null
        ? null
        : (JSON.parse(sealer.open(sealed, about)) as {
            current: string;
            old: string | null;
            until: number;
          });
    if (known !== null && known.current === secret) return known;
    const next = { current: secret, old: known?.current ?? null, until: now + oldSecretMs };
    await saveSharedSecret(tx, sealer.seal(JSON.stringify(next), about));
    return next;
  });
  return () => (old !== null && clock() < until ? [secret, old] : [secret]);
}
