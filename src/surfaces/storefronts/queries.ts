import type { Db } from '../../platform/db/db.js';

export interface Connection {
  id: string;
  advertiserId: string;
  shopDomain: string;
  isActive: boolean;
  verificationStatus: 'pending' | 'verified';
  secretSealed: string | null;
  oldSecretSealed: string | null;
  oldSecretUntil: Date | null;
  connectedAt: Date;
  /** What the shop's own address must show to be believed. */
  challenge: string | null;
}

const columns = `id, advertiser_id as "advertiserId", shop_domain as "shopDomain",
  is_active as "isActive", verification_status as "verificationStatus",
  secret_sealed as "secretSealed",
  old_secret_sealed as "oldSecretSealed", old_secret_until as "oldSecretUntil",
    connected_at as "connectedAt", challenge`;

export function listConnections(db: Db, advertiserId: string): Promise<Connection[]> {
  return db.query<Connection>(
    `select ${columns}
     from storefront_connections
     where advertiser_id = $1
     order by connected_at, id`,
    [advertiserId],
  );
}

export function listPending(db: Db): Promise<(Connection & { advertiserName: string })[]> {
  return db.query<Connection & { advertiserName: string }>(
    `select ${columns},
       (select a.name from advertisers a where a.id = storefront_connections.advertiser_id) as
         "advertiserName"
     from storefront_connections
     where is_active and verification_status = 'pending'
     order by connected_at, id limit 200`,
  );
}

export function findByShop(db: Db, shopDomain: string): Promise<Connection[]> {
  return db.query<Connection>(
    `select ${columns} from storefront_connections where shop_domain = $1 order by id`,
    [shopDomain],
  );
}

export async function findConnection(
  db: Db,
  id: string,
  advertiserId: string,
): Promise<Connection | null> {
  const [row] = await db.query<Connection>(
    `select ${columns} from storefront_connections where id = $1 and advertiser_id = $2`,
    [id, advertiserId],
  );
  return row ?? null;
}

export async function lockConnection(
  tx: Db,
  advertiserId: string,
  shopDomain: string,
): Promise<Connection | null> {
  return (
    (
      await tx.query<Connection>(
        `select ${columns}
         from storefront_connections
         where advertiser_id = $1 and shop_domain = $2
         for update`,
        [advertiserId, shopDomain],
      )
    )[0] ?? null
  );
}

/** False when a concurrent request was first. */
export async function insertConnection(tx: Db, connection: Connection): Promise<boolean> {
  const rows = await tx.query(
    `insert into storefront_connections (
         id, advertiser_id, shop_domain, secret_sealed, connected_at, challenge
       )
     values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing
     returning id`,
    [
      connection.id,
      connection.advertiserId,
      connection.shopDomain,
      connection.secretSealed,
      connection.connectedAt,
      connection.challenge,
    ],
  );
  return rows.length > 0;
}

export async function updateConnection(tx: Db, connection: Connection): Promise<void> {
  await tx.query(
    `update storefront_connections
     set is_active = $2, verification_status = $3, secret_sealed = $4, old_secret_sealed = $5,
       old_secret_until = $6, connected_at = $7, challenge = $8
     where id = $1`,
    [
      connection.id,
      connection.isActive,
      connection.verificationStatus,
      connection.secretSealed,
      connection.oldSecretSealed,
      connection.oldSecretUntil,
      connection.connectedAt,
      connection.challenge,
    ],
  );
}

export async function deactivate(
  tx: Db,
  id: string,
  advertiserId: string,
): Promise<Connection | null> {
  return (
    (
      await tx.query<Connection>(
        `update storefront_connections
         set is_active = false
         where id = $1 and advertiser_id = $2
         returning ${columns}`,
        [id, advertiserId],
      )
    )[0] ?? null
  );
}

/** The shop is gone for good: nothing signed in its name is believed any more. */
export async function forgetShop(tx: Db, id: string): Promise<void> {
  await tx.query(
    `update storefront_connections
     set is_active = false, verification_status = 'pending', verified_by = null, secret_sealed = null,
       old_secret_sealed = null, old_secret_until = null
     where id = $1`,
    [id],
  );
}

export async function verifyConnection(
  tx: Db,
  id: string,
  by: 'address' | 'operator',
): Promise<Connection | null> {
  return (
    (
      await tx.query<Connection>(
        `update storefront_connections
         set verification_status = 'verified', verified_by = $2
         where id = $1
         returning ${columns}`,
        [id, by],
      )
    )[0] ?? null
  );
}

export async function isKnownWebhook(db: Db, connectionId: string, id: string): Promise<boolean> {
  return (
    (
      await db.query(`select 1 from storefront_webhooks where connection_id = $1 and id = $2`, [
        connectionId,
        id,
      ])
    ).length > 0
  );
}

export async function rememberWebhook(
  db: Db,
  webhook: { connectionId: string; id: string; topic: string; outcome: string; at: Date },
): Promise<void> {
  await db.query(
    `with known as (
         insert into storefront_webhooks (connection_id, id, topic, outcome, received_at)
         values ($1, $2, $3, $4, $5)
         on conflict do nothing
       )
     update storefront_connections
     set last_webhook_at = $5
     where id = $1`,
    [webhook.connectionId, webhook.id, webhook.topic, webhook.outcome, webhook.at],
  );
}

export async function forgetWebhooks(db: Db, before: Date): Promise<void> {
  await db.query(`delete from storefront_webhooks where received_at < $1`, [before]);
}

/** Whether the server told of the order already, under its id or the number people see. */
export async function isKnownOrder(
  db: Db,
  advertiserId: string,
  orderIds: readonly string[],
  since: Date,
): Promise<boolean> {
  const rows = await db.query(
    `select 1
     from conversions
     where advertiser_id = $1 and order_id = any($2::text[]) and lower(event_name) = 'purchase'
       and source <> 'pixel' and at >= $3
     limit 1`,
    [advertiserId, orderIds, since],
  );
  return rows.length > 0;
}

export async function loadSharedSecret(tx: Db): Promise<string | null> {
  return (
    (
      await tx.query<{ value: string }>(
        `select value from installation where name = 'storefront_secret' for update`,
      )
    )[0]?.value ?? null
  );
}

export async function saveSharedSecret(tx: Db, sealed: string): Promise<void> {
  await tx.query(
    `insert into installation (name, value)
     values ('storefront_secret', $1)
     on conflict (name) do update set value = excluded.value, updated_at = now()`,
    [sealed],
  );
}
