import type { BillingModel } from '../../src/domain/billing/billing-models.js';
import type { TestApp } from './test-app.js';

export interface LiveCampaign {
  campaignId: string;
  adGroupId: string;
  adId: string;
}

export interface LiveCampaignOptions {
  context: string;
  landingPage?: string;
  dailyBudgetMicros?: number;
  billingModel?: BillingModel;
  maxCpmMicros?: number | null;
  maxCpcMicros?: number | null;
  maxCpaMicros?: number | null;
  utm?: Record<string, string> | null;
  allowedCountries?: string[];
  leadForm?: unknown;
  negativeContext?: string;
}

/**
 * An approved, deployed, active campaign with one group and one ad, known to serving when it
 * resolves.
 */
export async function insertLiveCampaign(
  app: TestApp,
  advertiserId: string,
  options: LiveCampaignOptions,
): Promise<LiveCampaign> {
  const { mintId } = app.services;
  const ids = {
    campaignId: mintId(app.clock.now),
    adGroupId: mintId(app.clock.now),
    adId: mintId(app.clock.now),
  };
  const landing = options.landingPage ?? 'https://shop.example/';
  await app.db.transaction(async (tx) => {
    await tx.query(
      `insert into campaigns (
           id, advertiser_id, name, status, is_active, landing_page, campaign_objective,
           billing_model, daily_budget_micros, max_cpm_micros, max_cpc_micros, max_cpa_micros,
           utm_params, allowed_countries, lead_form_config, review_status, deployment_status
         )
       values (
           $1, $2, 'Test campaign', 'active', true, $3, 'clicks', $4, $5, $6, $7, $8, $9::jsonb,
           $10, $11::jsonb, 'approved', 'deployed'
         )`,
      [
        ids.campaignId,
        advertiserId,
        landing,
        options.billingModel ?? 'cpm',
        options.dailyBudgetMicros ?? 100_000_000,
        options.maxCpmMicros ?? null,
        options.maxCpcMicros ?? null,
        options.maxCpaMicros ?? null,
        options.utm === undefined ? null : JSON.stringify(options.utm),
        options.allowedCountries ?? [],
        options.leadForm === undefined ? null : JSON.stringify(options.leadForm),
      ],
    );
    await tx.query(
      `insert into ad_groups (
           id, campaign_id, advertiser_id, name, group_type, context, negative_context
         )
       values ($1, $2, $3, 'Group', 'manual', $4, $5)`,
      [
        ids.adGroupId,
        ids.campaignId,
        advertiserId,
        options.context,
        options.negativeContext ?? null,
      ],
    );
    await tx.query(
      `insert into ads (
           id, ad_group_id, campaign_id, advertiser_id, name, headline, copy, cta, review_status
         )
       values ($1, $2, $3, $4, 'Ad', 'A headline', $5, 'Go', 'approved')`,
      [ids.adId, ids.adGroupId, ids.campaignId, advertiserId, `About ${options.context}`],
    );
  });
  await app.serving.inventory.refresh([ids.campaignId]);
  await app.serving.balance();
  return ids;
}
