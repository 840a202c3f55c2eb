import { announce, channels } from '../../platform/channels.js';
import type { Db } from '../../platform/db/db.js';

/** Serving listens here: `publisher id` + space + `subject` + space + `ad id`. */

export interface FeedbackRow {
  id: string;
  at: Date;
  publisherId: string;
  advertiserId: string;
  campaignId: string;
  adId: string;
  serveId: string;
  sessionId: string;
  userId: string | null;
  sentiment: 'thumbs_up' | 'thumbs_down';
  reasons: readonly string[];
  comment: string | null;
  placement: string | null;
  placementId: string | null;
}

export async function insertFeedback(tx: Db, row: FeedbackRow): Promise<void> {
  await tx.query(
    `insert into ad_feedback (
         id, at, publisher_id, advertiser_id, campaign_id, ad_id, serve_id, session_id, user_id,
         sentiment, reasons, comment, placement, placement_id
       )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      row.id,
      row.at,
      row.publisherId,
      row.advertiserId,
      row.campaignId,
      row.adId,
      row.serveId,
      row.sessionId,
      row.userId,
      row.sentiment,
      row.reasons,
      row.comment,
      row.placement,
      row.placementId,
    ],
  );
}

/**
 * One vote of each sentiment for a served ad, however often the button is pressed. Says whether it
 * was that one.
 */
export async function countVote(tx: Db, row: FeedbackRow): Promise<boolean> {
  // Thumbs that arrive together do not see each other's rows yet.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [
    `feedback ${row.serveId}`,
  ]);
  const [earlier] = await tx.query<{ count: number }>(
    `select count(*) as count from ad_feedback where serve_id = $1 and sentiment = $2 and id <> $3`,
    [row.serveId, row.sentiment, row.id],
  );
  if ((earlier?.count ?? 0) > 0) return false;
  await tx.query(
    `insert into ad_feedback_totals (ad_id, thumbs_up, thumbs_down)
     values ($1, $2, $3)
     on conflict (ad_id)
       do update set thumbs_up = ad_feedback_totals.thumbs_up + excluded.thumbs_up,
       thumbs_down = ad_feedback_totals.thumbs_down + excluded.thumbs_down`,
    [row.adId, row.sentiment === 'thumbs_up' ? 1 : 0, row.sentiment === 'thumbs_down' ? 1 : 0],
  );
  return true;
}

export async function insertDislike(
  tx: Db,
  row: { publisherId: string; subject: string; adId: string; at: Date },
): Promise<void> {
  await tx.query(
    `insert into ad_dislikes (publisher_id, subject, ad_id, at)
     values ($1, $2, $3, $4)
     on conflict do nothing`,
    [row.publisherId, row.subject, row.adId, row.at],
  );
  await announce(tx, channels.dislikes, row);
}

/** The user an ad was served to, so that feedback without a user id still finds them. */
export async function findServedUser(
  db: Db,
  serveId: string,
  day: string,
): Promise<{ userId: string | null; session: string | null } | null> {
  const rows = await db.query<{ userId: string | null; session: string | null }>(
    `select user_id as "userId", data ->> 'session' as session
     from events
     where day = $2 and id = $1 and kind = 'win'`,
    [serveId, day],
  );
  return rows[0] ?? null;
}
