import { readInstant } from '../../domain/time/read-instant.js';
import { isUuid } from '../../domain/uuid.js';
import { AppError } from '../errors.js';

/** Where the next page of a list by time begins; opaque to callers. */
export function writeTimeCursor(at: Date, id: string): string {
  return Buffer.from(JSON.stringify([at.toISOString(), id])).toString('base64url');
}

export function readTimeCursor(cursor: string | undefined): { at: Date; id: string } | null {
  if (cursor === undefined) return null;
  try {
    const [at, id]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const instant = typeof at === 'string' ? readInstant(at) : null;
    if (instant !== null && isUuid(id)) return { at: instant, id };
  } catch {
    // A text we did not write: refused below.
  }
  throw new AppError('invalid_cursor');
}
