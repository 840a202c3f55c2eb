import { createHmac } from 'node:crypto';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { Outbound } from '../../platform/outbound/guarded-fetch.js';
import type { Sealer } from '../../platform/secrets/sealer.js';
import { findDelivery, recordAttempt } from './queries.js';

export interface DeliverDeps {
  db: Db;
  clock: Clock;
  sealer: Sealer;
  outbound: Outbound;
}

/** What a webhook secret is sealed about. */
export function secretOf(endpointId: string): string {
  return `webhook:${endpointId}`;
}

/** `t=<unix>,v1=<hex>`: the time is signed too, so that an old message cannot be sent again. */
export function signatureOf(body: string, secret: string, unixSeconds: number): string {
  return `t=${unixSeconds},v1=${createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')}`;
}

/**
 * One attempt. Throws when the endpoint did not take it, so that the job queue tries again later.
 */
export async function deliverWebhook(
  deps: DeliverDeps,
  alertId: string,
  endpointId: string,
): Promise<void> {
  const delivery = await findDelivery(deps.db, alertId, endpointId);
  if (delivery === undefined) return;
  const body = JSON.stringify({
    id: alertId,
    type: delivery.type,
    created_at: formatTimestamp(delivery.createdAt.getTime()),
    account_id: delivery.accountId,
    data: delivery.data,
  });
  const now = deps.clock();
  const signature = signatureOf(
    body,
    deps.sealer.open(delivery.secretSealed, secretOf(endpointId)),
    Math.floor(now / 1000),
  );
  let status: number | null = null;
  let error: string | null = null;
  try {
    const answer = await deps.outbound(delivery.url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'sidelight-signature': signature },
      timeoutMs: 10_000,
      maxBytes: 64 * 1024,
      maxRedirects: 0,
    });
    status = answer.status;
    if (status < 200 || status > 299) error = `answered ${status}`;
  } catch (failure) {
    error = failure instanceof Error ? failure.message.slice(0, 200) : 'failed';
  }
  await recordAttempt(deps.db, alertId, endpointId, {
    status,
    error,
    at: new Date(now),
    isDelivered: error === null,
  });
  if (error !== null) throw new Error(`webhook ${endpointId}: ${error}`);
}
