import type { App } from '../../app.js';
import { demoLanding } from '../../domain/demo-site.js';
import {
  createCampaign,
  decideCampaign,
} from '../../surfaces/advertisers/campaigns/write-campaigns.js';
import type { Db } from '../../platform/db/db.js';
import type { NewCampaign } from '../../surfaces/advertisers/schema.js';
import type { DemoCampaign, DemoCampaigns } from './demo-campaigns.js';

/** Creates campaigns the way the API does, reviewed and live at once. */
export async function seedCampaigns(
  { services }: Pick<App, 'services'>,
  advertiserId: string,
  campaigns: readonly DemoCampaign[],
): Promise<void> {
  await services.db.transaction(async (tx) => {
    const write = { ...writing(services, tx), advertiserId, reviewMode: 'auto' as const };
    for (const campaign of campaigns) await createCampaign(write, bodyOf(campaign));
  });
}

/** What operators and advertisers see of review: one that waits, one that was sent back. */
export async function seedReviewed(
  { services }: Pick<App, 'services'>,
  advertiserId: string,
  { waiting, rejected }: Pick<DemoCampaigns, 'waiting' | 'rejected'>,
): Promise<void> {
  await services.db.transaction(async (tx) => {
    const [known] = await tx.query(
      `select 1 from campaigns where advertiser_id = $1 and review_status <> 'approved' limit 1`,
      [advertiserId],
    );
    if (known !== undefined) return;
    const write = { ...writing(services, tx), advertiserId, reviewMode: 'manual' as const };
    for (const campaign of waiting) await createCampaign(write, bodyOf(campaign));
    for (const { notes, ...campaign } of rejected) {
      const made = await createCampaign(write, bodyOf(campaign));
      await decideCampaign(write, made.campaign.id, { kind: 'reject', notes, keep: false }, null);
    }
  });
}

function writing({ clock, mintId, jobs }: App['services'], tx: Db) {
  return {
    tx,
    now: clock(),
    mintId,
    jobs,
    actor: { kind: 'person' as const, id: 'demo' },
    billingGate: async () => true,
  };
}

/** What a campaign of the demo is called. */
export const campaignName = ({ name }: Pick<DemoCampaign, 'name'>): string => `Demo: ${name}`;

function bodyOf(campaign: DemoCampaign): NewCampaign {
  return {
    name: campaignName(campaign),
    landing_page: demoLanding(campaign.site),
    daily_budget: campaign.budgetDollars,
    status: 'active',
    campaign_objective: 'clicks',
    billing_model: campaign.billing ?? 'cpm',
    max_cpm: campaign.cpmDollars,
    utm_params: {
      utm_source: 'sidelight',
      utm_medium: 'assistant',
      utm_campaign: campaign.site,
    },
    ad_groups: [
      {
        name: campaign.brand,
        group_type: 'manual',
        brand_name: campaign.brand,
        context: campaign.context,
        ...(campaign.avoid === undefined ? {} : { negative_context: campaign.avoid }),
        ads: campaign.ads.map(({ headline, copy, cta }, index) => ({
          name: `Ad ${index + 1}`,
          headline,
          copy,
          cta,
        })),
      },
    ],
  };
}
