import type { IncomingMessage } from 'node:http';
import { readSignals, type SaidSignals } from '../../domain/privacy/read-signals.js';

/**
 * What a browser says of its person's choices beside everything else: in the query of an address,
 * and by header. Most say nothing, and are told apart without reading the query.
 */
export function signalsOfRequest(
  request: Pick<IncomingMessage, 'headers' | 'url'>,
  more: { places?: readonly unknown[]; user?: unknown } = {},
): SaidSignals | null {
  const { headers, url = '' } = request;
  const query = url.indexOf('?') + 1;
  const hasMore = query > 0 && nameAt.test(url.slice(query));
  if (!hasMore && more.places === undefined && headers['sec-gpc'] !== '1' && headers['dnt'] !== '1')
    return null;
  const named = hasMore ? Object.fromEntries(new URLSearchParams(url.slice(query))) : {};
  return readSignals({ places: [named, ...(more.places ?? [])], user: more.user, headers });
}

const nameAt = /(?:^|&)(?:gdpr|gdpr_consent|tcf|gpp|gpp_sid|us_privacy|usp|coppa|gpc|dnt)=/;
