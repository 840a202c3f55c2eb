import { toDollars } from '../../domain/money.js';
import { cpm, percent } from '../../domain/report-ratios.js';
import type { ContentCategory } from '../../domain/reading/topics.js';
import type { Db } from '../../platform/db/db.js';
import { sumCategories } from './category-queries.js';
import { requireCampaign } from './require-owned.js';
import type { CategoriesQuery, CategoryReport } from './schema.js';

/** What the conversations were about that ads stood beside, by content category. */
export async function reportCategories(
  deps: { db: Db; contentCategories: readonly ContentCategory[] },
  advertiserId: string,
  query: CategoriesQuery,
  now: number,
): Promise<CategoryReport> {
  const campaignId = await requireCampaign(deps.db, advertiserId, query.campaign_id);
  const since = new Date(now - query.days * 86_400_000);
  const rows = await sumCategories(deps.db, advertiserId, campaignId, since);
  return {
    period_days: query.days,
    categories: rows.map(({ category, impressions, viewable, clicks, spendMicros }) => ({
      category_id: category === '' ? null : category,
      category: deps.contentCategories.find(({ id }) => id === category)?.name ?? 'unknown',
      impressions,
      viewable_impressions: viewable,
      clicks,
      spend: toDollars(spendMicros),
      ctr: percent(clicks, impressions),
      cpm: cpm(spendMicros, impressions),
    })),
  };
}
