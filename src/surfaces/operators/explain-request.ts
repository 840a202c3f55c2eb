import { type DecisionRecord, readRecord } from '../../domain/decision/decision-record.js';
import { beaconIds } from '../../domain/traffic/uncounted-beacons.js';
import { formatUuidV7, uuidTime } from '../../domain/uuid.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import type { Db } from '../../platform/db/db.js';
import { findBeacons, findNames, findRequest, findShown } from './queries.js';

/** Longer than any request takes from its coming in to the choice of ads. */
const decidedWithinMs = 60_000;

/**
 * The decision behind a request as it was recorded, with names in place of ids, and what
 * came back of the ads shown; null when there was none.
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
    beacons: await beaconsOf(db, requestId, day),
  };
}

/** Views and clicks of the ads shown, each with the reason why it was not counted or not paid. */
async function beaconsOf(
  db: Db,
  requestId: string,
  day: string,
): Promise<Record<string, unknown>[]> {
  const asked = uuidTime(requestId);
  const shown = await findShown(db, requestId, day, [
    formatUuidV7(asked, new Uint8Array(16)),
    formatUuidV7(asked + decidedWithinMs, new Uint8Array(16)),
  ]);
  const beacons = await findBeacons(db, shown.flatMap(beaconIds), day);
  return beacons.map(({ kind, at, invalid, unbilled }) => ({
    kind,
    at: formatTimestamp(at.getTime()),
    counted: invalid === null,
    not_counted_because: invalid,
    not_billed_because: unbilled,
  }));
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
