import { nilUuid } from '../domain/uuid.js';
import type { Db } from './db/db.js';

export async function ownsCampaign(
  db: Db,
  advertiserId: string,
  campaignId: string,
): Promise<boolean> {
  const rows = await db.query(`select from campaigns where id = $2 and advertiser_id = $1`, [
    advertiserId,
    campaignId,
  ]);
  return rows.length > 0 && campaignId !== nilUuid;
}
