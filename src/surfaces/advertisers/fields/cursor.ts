import { readInstant } from '../../../domain/time/read-instant.js';
import { isUuid } from '../../../domain/uuid.js';
import { AppError } from '../../../platform/errors.js';
import type { AdGroupPosition } from '../ad-groups/ad-group-queries.js';

/** Where the next page begins; opaque to callers. */
export function writeCursor(row: { created_at: Date; id: string; sort_order?: number }): string {
  return Buffer.from(
    JSON.stringify([row.sort_order ?? 0, row.created_at.toISOString(), row.id]),
  ).toString('base64url');
}

export function readCursor(cursor: string | undefined): AdGroupPosition | null {
  if (cursor === undefined) return null;
  try {
    const [order, at, id]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const instant = typeof at === 'string' ? readInstant(at) : null;
    if (Number.isInteger(order) && instant !== null && isUuid(id))
      return { order: Number(order), at: instant, id };
  } catch {
    // A text we did not write: refused below.
  }
  throw new AppError('invalid_cursor');
}
