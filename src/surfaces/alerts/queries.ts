import type { AccountKind } from '../../platform/auth/api-key.js';
import type { Db } from '../../platform/db/db.js';

export interface Account {
  kind: AccountKind;
  id: string;
}

export interface EndpointRow {
  id: string;
  url: string;
  alertTypes: string[];
  isActive: boolean;
  createdAt: Date;
  updatedAt: Date;
}

const endpointColumns = `id, url, alert_types as "alertTypes", is_active as "isActive",
  created_at as "createdAt", updated_at as "updatedAt"`;

export async function insertEndpoint(
  tx: Db,
  account: Account,
  endpoint: { id: string; url: string; alertTypes: string[]; secretSealed: string; at: Date },
): Promise<EndpointRow | undefined> {
  const rows = await tx.query<EndpointRow>(
    `insert into webhook_endpoints (
         id, account_kind, account_id, url, alert_types, secret_sealed, created_at, updated_at
       )
     values ($1, $2, $3, $4, $5, $6, $7, $7)
     returning ${endpointColumns}`,
    [
      endpoint.id,
      account.kind,
      account.id,
      endpoint.url,
      endpoint.alertTypes,
      endpoint.secretSealed,
      endpoint.at,
    ],
  );
  return rows[0];
}

export async function countEndpoints(tx: Db, account: Account): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from webhook_endpoints where account_kind = $1 and account_id = $2`,
    [account.kind, account.id],
  );
  return row?.count ?? 0;
}

export function listEndpoints(db: Db, account: Account): Promise<EndpointRow[]> {
  return db.query<EndpointRow>(
    `select ${endpointColumns}
     from webhook_endpoints
     where account_kind = $1 and account_id = $2
     order by created_at, id`,
    [account.kind, account.id],
  );
}

export async function updateEndpoint(
  tx: Db,
  account: Account,
  id: string,
  change: { url: string | null; alertTypes: string[] | null; isActive: boolean | null; at: Date },
): Promise<EndpointRow | undefined> {
  const rows = await tx.query<EndpointRow>(
    `update webhook_endpoints
     set url = coalesce($4, url), alert_types = coalesce($5, alert_types),
       is_active = coalesce($6, is_active), updated_at = $7
     where id = $3 and account_kind = $1 and account_id = $2
     returning ${endpointColumns}`,
    [account.kind, account.id, id, change.url, change.alertTypes, change.isActive, change.at],
  );
  return rows[0];
}

export async function deleteEndpoint(tx: Db, account: Account, id: string): Promise<boolean> {
  return (
    (
      await tx.query(
        `delete from webhook_endpoints
         where id = $3 and account_kind = $1 and account_id = $2
         returning id`,
        [account.kind, account.id, id],
      )
    ).length > 0
  );
}

export function listAlerts(
  db: Db,
  account: Account,
  limit: number,
): Promise<{ id: string; type: string; data: Record<string, unknown>; createdAt: Date }[]> {
  return db.query(
    `select id, alert_type as type, data, created_at as "createdAt"
     from alerts
     where account_id = $2 and account_kind = $1
     order by created_at desc, id desc
     limit $3`,
    [account.kind, account.id, limit],
  );
}

export interface DeliveryRow {
  alert_id: string;
  type: string;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  attempted_at: Date | null;
  delivered_at: Date | null;
}

export function listDeliveries(
  db: Db,
  account: Account,
  endpointId: string,
  limit: number,
): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(
    `select d.alert_id, a.alert_type as type, d.attempts, d.last_status, d.last_error,
       d.attempted_at, d.delivered_at
     from webhook_endpoints e
     join webhook_deliveries d on d.endpoint_id = e.id
     join alerts a on a.id = d.alert_id
     where e.id = $3 and e.account_kind = $1 and e.account_id = $2
     order by a.created_at desc, a.id desc
     limit $4`,
    [account.kind, account.id, endpointId, limit],
  );
}

export interface NewAlert {
  id: string;
  account: Account;
  type: string;
  subjectId: string;
  day: string;
  data: Record<string, unknown>;
  at: Date;
}

/**
 * Whether the alert is new: the same trouble of the same day is stored once, also when two nodes
 * find it.
 */
export async function insertAlert(tx: Db, alert: NewAlert): Promise<boolean> {
  const rows = await tx.query(
    `insert into alerts (
         id, account_kind, account_id, alert_type, subject_id, day, data, created_at
       )
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8)
     on conflict (account_id, alert_type, subject_id, day) do nothing
     returning id`,
    [
      alert.id,
      alert.account.kind,
      alert.account.id,
      alert.type,
      alert.subjectId,
      alert.day,
      JSON.stringify(alert.data),
      alert.at,
    ],
  );
  return rows.length > 0;
}

/** Endpoints that want the alert get a delivery each; `only` names one of them. */
export async function insertDeliveries(
  tx: Db,
  alert: NewAlert,
  only: string | null,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `insert into webhook_deliveries (alert_id, endpoint_id)
     select $1, id
     from webhook_endpoints
     where account_kind = $2 and account_id = $3 and is_active
       and (cardinality(alert_types) = 0 or $4 = any(alert_types) or id = $5)
       and ($5::uuid is null or id = $5)
     returning endpoint_id as id`,
    [alert.id, alert.account.kind, alert.account.id, alert.type, only],
  );
  return rows.map((row) => row.id);
}

export async function findDelivery(
  db: Db,
  alertId: string,
  endpointId: string,
): Promise<
  | {
      url: string;
      secretSealed: string;
      accountId: string;
      type: string;
      data: Record<string, unknown>;
      createdAt: Date;
    }
  | undefined
> {
  const rows = await db.query<{
    url: string;
    secretSealed: string;
    accountId: string;
    type: string;
    data: Record<string, unknown>;
    createdAt: Date;
  }>(
    `select e.url, e.secret_sealed as "secretSealed", a.account_id as "accountId",
       a.alert_type as type, a.data, a.created_at as "createdAt"
     from webhook_deliveries d
     join webhook_endpoints e on e.id = d.endpoint_id
     join alerts a on a.id = d.alert_id
     where d.alert_id = $1 and d.endpoint_id = $2 and d.delivered_at is null and e.is_active`,
    [alertId, endpointId],
  );
  return rows[0];
}

export async function recordAttempt(
  db: Db,
  alertId: string,
  endpointId: string,
  outcome: { status: number | null; error: string | null; at: Date; isDelivered: boolean },
): Promise<void> {
  await db.query(
    `update webhook_deliveries
     set attempts = attempts + 1, last_status = $3, last_error = $4, attempted_at = $5,
       delivered_at = case when $6 then $5::timestamptz end
     where alert_id = $1 and endpoint_id = $2`,
    [alertId, endpointId, outcome.status, outcome.error, outcome.at, outcome.isDelivered],
  );
}

export async function deleteOldAlerts(db: Db, before: Date): Promise<void> {
  await db.query(
    `delete from webhook_deliveries d using alerts a where a.id = d.alert_id and a.created_at < $1`,
    [before],
  );
  await db.query(`delete from alerts where created_at < $1`, [before]);
}
