import type { BillingModel } from '../../src/domain/billing/billing-models.js';
import { grclidOf } from '../../src/domain/grclid.js';
import type { EventRecord } from '../../src/platform/events/event.js';
import type { TestApp } from './test-app.js';

export interface MadeClick {
  serveId: string;
  grclid: string;
  campaignId: string;
  adGroupId: string;
  adId: string;
  publisherId: string;
}

export interface MakeClickOptions {
  at?: number;
  kinds?: readonly ('impression' | 'click')[];
  invalid?: string | null;
  /** 'em:<hash>' as a publisher sends it. */
  identity?: string;
  campaignId?: string;
  publisherId?: string;
  billingModel?: BillingModel;
  maxCpaMicros?: number;
  dailyBudgetMicros?: number;
  priceMicros?: number;
  /** What conversions are paid on, as serving writes it down. */
  terms?: { type: string | null; trust: string };
}

/**
 * A served ad with its impression and click, straight in the event log, and the campaign it belongs
 * to.
 */
export async function makeClick(
  app: TestApp,
  advertiserId: string,
  options: MakeClickOptions = {},
): Promise<MadeClick> {
  const { mintId, eventLog } = app.services;
  const at = options.at ?? app.clock.now;
  const serveId = mintId(at);
  const campaignId = options.campaignId ?? mintId(at);
  const ids = {
    serveId,
    campaignId,
    adGroupId: mintId(at),
    adId: mintId(at),
    publisherId: options.publisherId ?? (await app.newPublisher()).id,
  };
  await app.db.transaction(async (tx) => {
    await tx.query(
      `insert into campaigns (
           id, advertiser_id, name, status, is_active, landing_page, billing_model,
           daily_budget_micros, max_cpa_micros, review_status, deployment_status
         )
       values (
           $1, $2, 'Test', 'active', true, 'https://shop.example/', $3, $4, $5, 'approved',
           'deployed'
         )
       on conflict do nothing`,
      [
        campaignId,
        advertiserId,
        options.billingModel ?? 'cpm',
        options.dailyBudgetMicros ?? 100_000_000,
        options.maxCpaMicros ?? null,
      ],
    );
    await tx.query(
      `insert into ad_groups (id, campaign_id, advertiser_id, name, group_type)
       values ($1, $2, $3, 'Group', 'manual')`,
      [ids.adGroupId, campaignId, advertiserId],
    );
  });
  const shared = {
    id: serveId,
    at,
    publisherId: ids.publisherId,
    advertiserId,
    campaignId,
    adGroupId: ids.adGroupId,
    adId: ids.adId,
    placement: 'below_response',
  } as const;
  const win: EventRecord = {
    ...shared,
    kind: 'win',
    userId: 'u1',
    country: 'DE',
    device: 'mobile',
    data: {
      charge: options.billingModel ?? 'cpm',
      price_micros: options.priceMicros ?? 5000,
      ...(options.terms === undefined ? {} : { terms: options.terms }),
      ...(options.identity === undefined
        ? {}
        : { identity: app.services.pseudonyms.viewer(advertiserId, options.identity) }),
    },
  };
  await eventLog.append([win]);
  const kinds = options.kinds ?? ['impression', 'click'];
  await eventLog.append(
    kinds.map((kind) => ({ ...shared, kind, invalid: options.invalid ?? null })),
  );
  return { ...ids, grclid: grclidOf(serveId) };
}
