import { openToken, type TrackingToken } from '../../domain/tracking-token.js';
import { AppError } from '../errors.js';
import type { TrackingKeys } from './tracking-keys.js';

/**
 * The token inside an `impUrl` as it was served, whatever host prefix a publisher's proxy gave it.
 */
export function readImpUrl(
  impUrl: string,
  publisherId: string,
  keys: Pick<TrackingKeys, 'find'>,
): TrackingToken {
  const p = /[?&]p=([A-Za-z0-9_-]+)/.exec(impUrl)?.[1];
  const token = p === undefined ? null : openToken(p, keys.find);
  if (token === null) throw new AppError('undecryptable_imp_url');
  if (token.publisherId !== publisherId) throw new AppError('wrong_publisher');
  return token;
}
