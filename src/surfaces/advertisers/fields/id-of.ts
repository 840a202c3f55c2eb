import { isUuid } from '../../../domain/uuid.js';
import { AppError } from '../../../platform/errors.js';

/** What is not an id names nothing. */
export function idOf(text: string): string {
  if (!isUuid(text)) throw new AppError('not_found');
  return text;
}
