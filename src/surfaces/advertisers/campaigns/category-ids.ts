import { type ContentCategory, splitExcluded } from '../../../domain/reading/topics.js';
import { fieldError } from '../../../platform/errors.js';
import type { CampaignPatch, NewCampaign } from '../schema.js';

/** The body with categories by their ids, however they were named; an unknown one is refused. */
export function withCategoryIds<T extends NewCampaign | CampaignPatch>(
  body: T,
  known: readonly ContentCategory[],
): T {
  const named = body.brand_safety?.excluded_categories;
  if (named == null) return body;
  const { categories, topics } = splitExcluded(named, known);
  if (topics.length > 0)
    throw fieldError(
      ['body', 'brand_safety', 'excluded_categories'],
      'Must be IAB content categories, by id or name',
      'category',
    );
  const ids = categories.map(({ id }) => id);
  return { ...body, brand_safety: { ...body.brand_safety, excluded_categories: ids } };
}
