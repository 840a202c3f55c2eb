import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError, fieldError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import type { Sealer } from '../../platform/secrets/sealer.js';
import { type Connection, insertConnection, lockConnection, updateConnection } from './queries.js';
import { secretAbout } from './receive-webhook.js';
import { oldSecretMs } from './shared-secret.js';

/**
 * Connects a shop, or connects it again; a new secret replaces the old one, which stays good for an
 * hour.
 */
export async function connectShop(
  tx: Db,
  deps: { clock: Clock; mintId: MintId; sealer: Sealer },
  advertiserId: string,
  shop: { domain: string; secret: string | null },
): Promise<Connection> {
  const now = deps.clock();
  const shopDomain = readShopDomain(shop.domain);
  const known = await lockConnection(tx, advertiserId, shopDomain);
  if (known === null) {
    const id = deps.mintId(now);
    const secretSealed =
      shop.secret === null ? null : deps.sealer.seal(shop.secret, secretAbout(id));
    const connection: Connection = {
      id,
      advertiserId,
      shopDomain,
      isActive: true,
      verificationStatus: 'pending',
      secretSealed,
      oldSecretSealed: null,
      oldSecretUntil: null,
      connectedAt: new Date(now),
      challenge: newChallenge(),
    };
    if (!(await insertConnection(tx, connection))) throw new AppError('conflict');
    return connection;
  }
  const next: Connection = {
    ...known,
    isActive: true,
    connectedAt: known.isActive ? known.connectedAt : new Date(now),
    challenge: known.challenge ?? newChallenge(),
  };
  const current =
    known.secretSealed === null
      ? null
      : deps.sealer.open(known.secretSealed, secretAbout(known.id));
  if (shop.secret !== null && shop.secret !== current)
    Object.assign(next, {
      secretSealed: deps.sealer.seal(shop.secret, secretAbout(known.id)),
      oldSecretSealed: known.secretSealed,
      oldSecretUntil: new Date(now + oldSecretMs),
    });
  await updateConnection(tx, next);
  return next;
}

function newChallenge(): string {
  return `sidelight-${randomBytes(20).toString('hex')}`;
}

/** The name the platform gave the shop, whatever its own domain: webhooks carry that one. */
export function readShopDomain(given: string): string {
  const [host = ''] = given
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split('/', 1);
  const domain = host.includes('.') ? host : `${host}.myshopify.com`;
  if (!/^[a-z0-9][a-z0-9-]{0,99}\.myshopify\.com$/.test(domain))
    throw fieldError(['body', 'shop_domain'], 'Must be the shop’s myshopify.com name');
  return domain;
}
