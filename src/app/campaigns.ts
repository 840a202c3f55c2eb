import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.js';
import type { Services } from '../services.js';
import {
  pauseForBilling,
  resumeAfterBilling,
} from '../surfaces/advertisers/campaigns/campaign-queries.js';
import { advertiserJobs } from '../surfaces/advertisers/jobs.js';
import { reviewGeneratedAds } from '../surfaces/advertisers/review/review-generated-ads.js';
import { advertiserRoutes } from '../surfaces/advertisers/routes.js';
import { AdUnitView } from '../surfaces/advertisers/view-schema.js';
import { decideCampaign } from '../surfaces/advertisers/campaigns/write-campaigns.js';
import { billingJobs } from '../surfaces/billing/jobs.js';
import {
  createManualPayments,
  type PaymentProvider,
} from '../surfaces/billing/payments/payment-provider.js';
import { billingGate } from '../surfaces/billing/queries.js';
import { billingRoutes } from '../surfaces/billing/routes.js';
import { createStripePayments } from '../surfaces/billing/payments/stripe-payments.js';
import { type Forecasts, forecastRoutes } from '../surfaces/forecasts/routes.js';
import { generatedAdJobs } from '../surfaces/generated-ads/jobs.js';
import { generatedAdRoutes } from '../surfaces/generated-ads/routes.js';
import { reviewJobs } from '../surfaces/review/jobs.js';
import { reviewRoutes } from '../surfaces/review/routes.js';
import type { Serving } from '../surfaces/serving/serving.js';
import type { AccountFacts } from './account-facts.js';
import { networkCaps } from './ads.js';

/** What advertisers put on the air, who looks at it first, and who writes it for them. */
export function addCampaigns(
  http: FastifyInstance,
  { config, db, clock, mintId, guards, jobs, outbound, llm, log, reader }: Services,
  { budgetDays }: Pick<AccountFacts, 'budgetDays'>,
  { categories, model, matcher }: Pick<Serving, 'categories' | 'model' | 'matcher'>,
): { forecasts: Forecasts } {
  const reviewMode = config.REVIEW;
  const managing = { mintId, jobs, reviewMode, billingGate };
  advertiserRoutes(http, {
    ...managing,
    db,
    clock,
    guards,
    budgetDays,
    caps: networkCaps(config),
    contentCategories: categories,
  });
  advertiserJobs({ db, clock, jobs });
  const forecasts = forecastRoutes(http, { db, clock, guards, reader, model, matcher, log });
  reviewRoutes(http, {
    db,
    clock,
    guards,
    decide: (tx, actor, campaignId, verdict, seen) =>
      decideCampaign({ ...managing, tx, actor, now: clock() }, campaignId, verdict, seen),
  });
  reviewJobs({ db, clock, jobs, outbound });
  generatedAdRoutes(http, {
    db,
    clock,
    mintId,
    guards,
    outbound,
    llm,
    log,
    adUnitView: AdUnitView,
  });
  generatedAdJobs({
    db,
    clock,
    mintId,
    jobs,
    outbound,
    llm,
    log,
    review: (tx, group) => reviewGeneratedAds(tx, { reviewMode, now: clock() }, group),
  });
  return { forecasts };
}

/** What advertisers pay. */
export async function addBilling(
  http: FastifyInstance,
  { config, db, clock, log, mintId, guards, jobs, urls }: Services,
): Promise<void> {
  const billing = {
    db,
    clock,
    mintId,
    jobs,
    pauseCampaigns: pauseForBilling,
    resumeCampaigns: resumeAfterBilling,
    payments: await paymentsFor(config),
  };
  billingRoutes(http, {
    ...billing,
    guards,
    returnUrl: () => `${urls.platform}/app/advertiser/billing`,
  });
  billingJobs({ ...billing, log });
}

function paymentsFor({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_URL: apiUrl,
}: Config): PaymentProvider | Promise<PaymentProvider> {
  return secretKey === ''
    ? createManualPayments()
    : createStripePayments({ secretKey, webhookSecret, apiUrl });
}
