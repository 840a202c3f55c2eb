import { errorFields, type Log } from '../../platform/log.js';
import type { Outbound } from '../../platform/outbound/guarded-fetch.js';
import type { Connection } from './queries.js';

/**
 * Whether the shop's own front page shows our challenge. Whoever can put it there has the shop; a
 * secret its advertiser chose itself says nothing.
 */
export async function showsChallenge(
  { outbound, log }: { outbound: Outbound; log: Log },
  { shopDomain, challenge }: Pick<Connection, 'shopDomain' | 'challenge'>,
): Promise<boolean> {
  if (challenge === null) return false;
  try {
    const page = await outbound(`https://${shopDomain}/`, {
      headers: { accept: 'text/html' },
      timeoutMs: 10_000,
      maxBytes: 4 * 1024 * 1024,
      maxRedirects: 5,
      httpsOnly: true,
    });
    return page.status === 200 && page.body.includes(challenge);
  } catch (error) {
    log.info({ ...errorFields(error), shop: shopDomain }, 'shop not read');
    return false;
  }
}
