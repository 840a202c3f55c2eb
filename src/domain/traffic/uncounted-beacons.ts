import { createHash } from 'node:crypto';
import { formatUuidV7, uuidTime } from '../uuid.js';

/** Why a beacon is kept and not counted. */
export const invalidReasons = [
  'publisher_blocked',
  'offer_gone',
  'prefetch',
  'embedded',
  'bot',
  'link_preview',
  'library_agent',
  'assistant_agent',
  'no_agent',
  'data_centre',
  'late',
  'too_fast',
  'too_many',
  'address_click_rate',
  'publisher_click_rate',
] as const;

export type InvalidReason = (typeof invalidReasons)[number];

/**
 * A crawler that fetches a tracking URL before the person does must not use up the ad's one
 * impression or click, so what does not count has an id of its own: one for each reason, of the
 * same millisecond and so of the same day. What comes late comes after the person.
 */
export function beaconId(serveId: string, reason: InvalidReason | null): string {
  if (reason === null || reason === 'late') return serveId;
  return formatUuidV7(
    uuidTime(serveId),
    createHash('sha256').update(`${serveId} ${reason}`).digest(),
  );
}

/** Every id a beacon of this ad may have been stored under. */
export function beaconIds(serveId: string): string[] {
  return [null, ...invalidReasons].map((reason) => beaconId(serveId, reason));
}
