import { isTooDeep } from '../../domain/text/json-depth.js';
import { randomBytes } from 'node:crypto';
import { recordAudit } from '../../platform/audit.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import type { Sealer } from '../../platform/secrets/sealer.js';
import { isSigned } from './check-signature.js';
import {
  type Connection,
  deactivate,
  findByShop,
  forgetShop,
  isKnownOrder,
  isKnownWebhook,
  rememberWebhook,
} from './queries.js';
import { readOrder, readWithdrawal, type Withdrawal } from './read-order.js';
import type { SharedSecrets } from './shared-secret.js';

export interface WebhookDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  sealer: Sealer;
  sharedSecrets: SharedSecrets;
  recordConversions: (
    advertiserId: string,
    events: readonly unknown[],
    options: { source: 'storefront'; orderNames: readonly string[] },
  ) => Promise<{ results: { status: string }[] }>;
  /** Takes the order's conversion back. */
  reverseOrder: (advertiserId: string, order: Withdrawal & { reason: string }) => Promise<string>;
  /** Removes a person, by plain or hashed identities, from what is stored for the advertiser. */
  erase: (
    advertiserId: string,
    identities: { em?: string[]; ph?: string[]; external_id?: string[] },
  ) => Promise<unknown>;
}

export interface Webhook {
  id: string;
  topic: string;
  shopDomain: string;
  signature: string;
  body: Buffer;
}

const orderWindowMs = 48 * 3_600_000;

/**
 * Records a webhook of a storefront. Its signature says which connection it belongs to; a repeated
 * webhook counts once. Throws when no connection's secret matches the signature.
 */
export async function receiveWebhook(deps: WebhookDeps, webhook: Webhook): Promise<string> {
  const connections = await findByShop(deps.db, webhook.shopDomain);
  const signers = connections.filter((connection) =>
    isSigned(webhook.body, webhook.signature, secretsOf(deps, connection)),
  );
  // An unknown shop costs as much time as a known one, and may still be our app's.
  const isOurs = isSigned(
    webhook.body,
    webhook.signature,
    connections.length === 0 ? [...deps.sharedSecrets(), randomBytes(16).toString('hex')] : [],
  );
  if (signers.length === 0 && !isOurs) throw new AppError('invalid_credentials');
  const payload = parse(webhook.body);
  const outcomes: string[] = [];
  for (const connection of signers) {
    if (webhook.id !== '' && (await isKnownWebhook(deps.db, connection.id, webhook.id))) {
      outcomes.push('duplicate');
      continue;
    }
    const outcome = await handle(deps, connection, webhook, payload);
    // Remembered after the work: should it fail, the storefront tells again, and conversions know
    // their own repeats.
    await rememberWebhook(deps.db, {
      connectionId: connection.id,
      id: webhook.id === '' ? deps.mintId(deps.clock()) : webhook.id,
      topic: webhook.topic,
      outcome,
      at: new Date(deps.clock()),
    });
    outcomes.push(outcome);
  }
  return outcomes[0] ?? 'ignored';
}

/** A shop with a secret of its own is believed by that one only. */
function secretsOf(
  { sealer, clock, sharedSecrets }: WebhookDeps,
  connection: Connection,
): string[] {
  if (connection.secretSealed === null) return sharedSecrets();
  const secrets = [sealer.open(connection.secretSealed, secretAbout(connection.id))];
  if (
    connection.oldSecretSealed !== null &&
    connection.oldSecretUntil !== null &&
    clock() < connection.oldSecretUntil.getTime()
  )
    secrets.push(sealer.open(connection.oldSecretSealed, secretAbout(connection.id)));
  return secrets;
}

export function secretAbout(connectionId: string): string {
  return `storefront:${connectionId}`;
}

async function handle(
  deps: WebhookDeps,
  connection: Connection,
  { topic, shopDomain }: Webhook,
  payload: unknown,
): Promise<string> {
  // An advertiser chooses the shop's secret itself, and the app's secret says nothing about who
  // connected it: until the shop's address or the operator says whose it is, nothing counts.
  if (connection.verificationStatus === 'pending') return 'unverified';
  switch (topic) {
    case 'orders/create':
    case 'orders/paid':
      return connection.isActive
        ? recordOrder(deps, connection.advertiserId, readOrder(payload, shopDomain, deps.clock()))
        : 'inactive';
    case 'orders/cancelled':
    case 'orders/updated':
    case 'refunds/create':
      return connection.isActive
        ? withdrawOrder(deps, connection.advertiserId, topic, readWithdrawal(payload))
        : 'inactive';
    case 'app/uninstalled':
      await deactivate(deps.db, connection.id, connection.advertiserId);
      return 'disconnected';
    case 'shop/redact':
      await forgetShop(deps.db, connection.id);
      return 'erased';
    case 'customers/redact':
      await deps.erase(connection.advertiserId, customerOf(payload));
      return 'erased';
    case 'customers/data_request':
      // The advertiser answers its customer; that it was asked is kept, who asked is not.
      await recordAudit(deps.db, deps.mintId, deps.clock(), {
        actor: { kind: 'system', id: 'storefront' },
        accountId: connection.advertiserId,
        action: 'data_request',
        entity: 'storefront',
        entityId: connection.id,
        before: null,
        after: null,
      });
      return 'noted';
    default:
      return 'ignored';
  }
}

async function recordOrder(
  deps: WebhookDeps,
  advertiserId: string,
  order: ReturnType<typeof readOrder>,
): Promise<string> {
  if (order === null) return 'ignored';
  if (order.isTest || order.isCancelled) return 'skipped';
  if (
    await isKnownOrder(deps.db, advertiserId, order.names, new Date(deps.clock() - orderWindowMs))
  )
    return 'duplicate';
  const { results } = await deps.recordConversions(advertiserId, [order.event], {
    source: 'storefront',
    orderNames: order.names,
  });
  return results[0]?.status ?? 'error';
}

async function withdrawOrder(
  deps: WebhookDeps,
  advertiserId: string,
  topic: string,
  withdrawal: ReturnType<typeof readWithdrawal>,
): Promise<string> {
  return withdrawal === null
    ? 'ignored'
    : deps.reverseOrder(advertiserId, { ...withdrawal, reason: topic });
}

function customerOf(payload: unknown): { em?: string[]; ph?: string[]; external_id?: string[] } {
  const customer: unknown =
    typeof payload === 'object' && payload !== null && 'customer' in payload
      ? payload.customer
      : null;
  const given = (name: string): string[] => {
    const value: unknown =
      typeof customer === 'object' && customer !== null ? Reflect.get(customer, name) : null;
    return typeof value === 'string' && value !== ''
      ? [value]
      : typeof value === 'number'
        ? [String(value)]
        : [];
  };
  return { em: given('email'), ph: given('phone'), external_id: given('id') };
}

function parse(body: Buffer): unknown {
  const text = body.toString('utf8');
  if (isTooDeep(text)) throw new AppError('invalid_request');
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('malformed_json');
  }
}
