import { redactText } from '../../domain/privacy/redact-text.js';
import type { TrackingToken } from '../../domain/tracking-token.js';
import { uuidDay } from '../../domain/uuid.js';
import type { Db } from '../../platform/db/db.js';
import type { EventRecord } from '../../platform/events/event.js';
import { ingestEvents } from '../../platform/events/ingest-events.js';
import { anonymous, type Pseudonyms } from '../../platform/secrets/pseudonyms.js';
import {
  countVote,
  type FeedbackRow,
  findServedUser,
  insertDislike,
  insertFeedback,
} from './queries.js';
import { storableName } from '../../domain/text/storable-name.js';
import type { Feedback } from './schema.js';

interface Thumb {
  id: string;
  now: number;
  token: TrackingToken;
  body: Feedback;
}

/**
 * Stores a thumb. A thumbs down keeps the ad from that user, or from the session when there is no
 * user. Test ads are recorded and teach nothing. Says whether it counts as a vote.
 */
export async function recordFeedback(
  { db, pseudonyms }: { db: Db; pseudonyms: Pick<Pseudonyms, 'user' | 'session'> },
  input: Thumb,
): Promise<boolean> {
  const { id, now, token, body } = input;
  const served = await findServedUser(db, token.serveId, uuidDay(token.serveId));
  const given = storableName(String(body.userId ?? ''), 200);
  const user =
    given !== ''
      ? pseudonyms.user(token.publisherId, given)
      : served?.userId === anonymous
        ? null
        : (served?.userId ?? null);
  const row: FeedbackRow = {
    id,
    at: new Date(now),
    publisherId: token.publisherId,
    advertiserId: token.advertiserId,
    campaignId: token.campaignId,
    adId: token.adId,
    serveId: token.serveId,
    sessionId: pseudonyms.session(token.publisherId, storableName(body.sessionId, 200)),
    userId: user === anonymous ? null : user,
    sentiment: body.sentiment,
    reasons: (body.reasons ?? []).map((reason) => redactText(clean(reason))),
    comment:
      body.comment === null || body.comment === undefined ? null : redactText(clean(body.comment)),
    placement:
      body.placement === null || body.placement === undefined
        ? token.placement
        : clean(body.placement),
    placementId:
      body.placementId === null || body.placementId === undefined ? null : clean(body.placementId),
  };
  return db.transaction(async (tx) => {
    await insertFeedback(tx, row);
    let isVote = false;
    if (!token.test) {
      isVote = await countVote(tx, row);
      if (row.sentiment === 'thumbs_down')
        await insertDislike(tx, {
          publisherId: token.publisherId,
          subject: row.userId ?? row.sessionId,
          adId: token.adId,
          at: row.at,
        });
    }
    await ingestEvents(tx, [eventOf(input)]);
    return isVote;
  });
}

function eventOf({ id, now, token, body }: Thumb): EventRecord {
  return {
    id,
    kind: 'feedback',
    at: now,
    publisherId: token.publisherId,
    advertiserId: token.advertiserId,
    campaignId: token.campaignId,
    adGroupId: token.adGroupId,
    adId: token.adId,
    placement: token.placement,
    test: token.test,
    data: { sentiment: body.sentiment, serve: token.serveId },
  };
}

function clean(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
