import { isUuid } from '../../domain/uuid.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import { ownsAdGroup, ownsAdUnit } from './queries.js';
import { ownsCampaign } from '../../platform/owns-campaign.js';

/**
 * Each turns a filter into an id of this account, or null without one; anything else is 404 and
 * looks the same.
 */
export async function requireCampaign(
  db: Db,
  advertiserId: string,
  id: string | undefined,
): Promise<string | null> {
  if (id === undefined) return null;
  if (!isUuid(id) || !(await ownsCampaign(db, advertiserId, id))) throw new AppError('not_found');
  return id;
}

export async function requireAdUnit(
  db: Db,
  advertiserId: string,
  id: string | undefined,
): Promise<string | null> {
  if (id === undefined) return null;
  if (!isUuid(id) || !(await ownsAdUnit(db, advertiserId, id))) throw new AppError('not_found');
  return id;
}

export async function requireAdGroup(
  db: Db,
  advertiserId: string,
  id: string | undefined,
  campaignId: string | null,
): Promise<string | null> {
  if (id === undefined) return null;
  if (!isUuid(id) || !(await ownsAdGroup(db, advertiserId, id, campaignId)))
    throw new AppError('not_found');
  return id;
}
