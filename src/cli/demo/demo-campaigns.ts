import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Made-up brands on example domains, over many topics, as catalog/demo/campaigns.json has them. */
export interface DemoCampaign {
  name: string;
  brand: string;
  site: string;
  cpmDollars: number;
  budgetDollars: number;
  billing?: 'cpm' | 'cpc';
  /** What a customer spends at once. */
  orderDollars: number;
  /** When people want it most; all year round where it says nothing. */
  season?: 'january' | 'spring' | 'summer' | 'autumn' | 'december';
  /** What people talk about where it is shown, mostly the first: names of catalog/topics. */
  topics: readonly string[];
  context: string;
  avoid?: string;
  ads: readonly { headline: string; copy: string; cta: string }[];
}

export interface DemoCampaigns {
  campaigns: readonly DemoCampaign[];
  /** Of another advertiser, so that auctions have a second price. */
  rivals: readonly DemoCampaign[];
  /** Not on the air: waiting for an operator, and sent back by one. */
  waiting: readonly DemoCampaign[];
  rejected: readonly (DemoCampaign & { notes: string })[];
}

export function readDemoCampaigns(packageRoot: string): DemoCampaigns {
  // Our own file, shipped with the code.
  return JSON.parse(
    readFileSync(join(packageRoot, 'catalog/demo/campaigns.json'), 'utf8'),
  ) as DemoCampaigns;
}
