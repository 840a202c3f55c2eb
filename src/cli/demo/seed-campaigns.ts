import type { App } from '../../app.js';
import { demoLanding } from '../../domain/demo-site.js';
import { createCampaign } from '../../surfaces/advertisers/campaigns/write-campaigns.js';
import type { DemoCampaign } from './demo-campaigns.js';

/** Creates campaigns the way the API does, reviewed and live at once. */
export async function seedCampaigns(
  { services }: Pick<App, 'services'>,
  advertiserId: string,
  campaigns: readonly DemoCampaign[],
): Promise<void> {
  const { db, clock, mintId, jobs } = services;
  await db.transaction(async (tx) => {
    for (const campaign of campaigns) {
      const landing = demoLanding(campaign.site);
      await createCampaign(
        {
          tx,
          now: clock(),
          mintId,
          jobs,
          advertiserId,
          actor: { kind: 'person', id: 'demo' },
          reviewMode: 'auto',
          billingGate: async () => true,
        },
        {
          name: `Demo: ${campaign.name}`,
          landing_page: landing,
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
        },
      );
    }
  });
}
