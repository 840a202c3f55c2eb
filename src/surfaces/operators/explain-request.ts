import { type DecisionRecord, readRecord } from '../../domain/decision/decision-record.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import type { Db } from '../../platform/db/db.js';
import { findNames, findRequest } from './queries.js';

/**
 * The decision behind a request as it was recorded, with names in place of ids; null when there was
 * none.
 */
export async function explainRequest(
  db: Db,
  requestId: string,
  day: string,
): Promise<Record<string, unknown> | null> {
  const request = await findRequest(db, requestId, day);
  if (request === null) return null;
  const { candidates, ...record } = readRecord(request.record, request.data);
  const names = new Map(
    (
      await findNames(
        db,
        candidates.map((candidate) => String(candidate['ad_id'])),
      )
    ).map((row) => [row.adId, row]),
  );
  return {
    request_id: requestId,
    at: formatTimestamp(request.at.getTime()),
    publisher_id: request.publisherId,
    country: request.country,
    device: request.device,
    test: request.test,
    topic: request.data['topic'] ?? '',
    no_ad_reason: request.data['need'] ?? null,
    refused_by: request.data['why'] ?? null,
    reading: readingOf(record.reading),
    matching: record.matching,
    model:
      record.model === null
        ? null
        : { matching: record.model, clicks_learned: record.clicksLearned },
    candidates: candidates.map((candidate) => {
      const name = names.get(String(candidate['ad_id']));
      return {
        ...candidate,
        campaign_id: candidate['campaign_id'] ?? name?.campaignId ?? null,
        ad: name?.ad ?? null,
        campaign: name?.campaign ?? null,
        advertiser: name?.advertiser ?? null,
        is_demo: name?.isDemo ?? false,
      };
    }),
  };
}

/** Need, sensitivity, need of the turn before, and the best offer's fit, as chances. */
function readingOf(recorded: DecisionRecord['reading']): Record<string, unknown> | null {
  if (recorded === 'unread') return { unread: true };
  if (recorded === null) return null;
  const [need, sensitivity, earlier, fit] = recorded.map((value) =>
    value === null ? null : value / 1000,
  );
  return { unread: false, need, sensitivity, need_before: earlier, fit };
}
