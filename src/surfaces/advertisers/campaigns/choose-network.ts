import type { CampaignRow } from '../rows.js';

/**
 * Which network carries the campaign; never the advertiser's choice. A day's budget that cannot pay
 * for one click at the
 * fixed bid is too small to be sold by the click, so it falls back to unreserved delivery.
 */
export function chooseNetwork(
  campaign: Pick<CampaignRow, 'daily_budget_micros' | 'max_cpc_micros'>,
): CampaignRow['network'] {
  return campaign.max_cpc_micros !== null && campaign.daily_budget_micros < campaign.max_cpc_micros
    ? 'fallback'
    : 'own';
}
