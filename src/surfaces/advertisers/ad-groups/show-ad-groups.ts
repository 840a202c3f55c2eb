import type { Db } from '../../../platform/db/db.js';
import { loadEmbeddedAds } from './ad-group-queries.js';
import type { AdGroupRow, AdRow } from '../rows.js';
import { type AdGroupShown, adGroupView } from '../views.js';

/** Groups with their ads, two statements however many there are. */
export async function showAdGroups(
  db: Db,
  groups: readonly AdGroupRow[],
  includeArchived = false,
): Promise<AdGroupShown[]> {
  if (groups.length === 0) return [];
  const byGroup = new Map<string, { ads: AdRow[]; total: number }>();
  for (const ad of await loadEmbeddedAds(
    db,
    groups.map((group) => group.id),
    includeArchived,
  )) {
    const entry = byGroup.get(ad.ad_group_id);
    if (entry === undefined) byGroup.set(ad.ad_group_id, { ads: [ad], total: ad.ads_total });
    else entry.ads.push(ad);
  }
  return groups.map((group) => {
    const entry = byGroup.get(group.id);
    return adGroupView(group, entry?.ads ?? [], entry?.total ?? 0);
  });
}
