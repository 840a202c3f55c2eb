import { readMerchantProfile } from '../../../domain/commerce/ucp-profile.js';
import type { Clock } from '../../../platform/clock.js';
import type { Db } from '../../../platform/db/db.js';
import { OutboundError, type Outbound } from '../../../platform/outbound/guarded-fetch.js';
import { announceMerchants, setCheckout } from '../queries.js';

export interface DiscoveryDeps {
  db: Db;
  clock: Clock;
  outbound: Outbound;
  /** A page of this very server, for the shops it plays itself. */
  fetchOwn: (path: string) => Promise<{ status: number; body: string }>;
  ownOrigin: () => string;
}

/**
 * Asks a merchant’s well-known address whether agents may buy there, and where. An address that is
 * merely down keeps what was known.
 */
export async function discoverCheckout(
  deps: DiscoveryDeps,
  merchant: { id: string; storeUrl: string },
): Promise<void> {
  const found = await look(deps, merchant.storeUrl);
  if (found === null) return;
  await deps.db.transaction(async (tx) => {
    await setCheckout(tx, merchant.id, { ...found, at: new Date(deps.clock()) });
    await announceMerchants(tx);
  });
}

type Found = { endpoint: string | null; version: string | null; problem: string | null };

async function look(deps: DiscoveryDeps, storeUrl: string): Promise<Found | null> {
  const none = (problem: string): Found => ({ endpoint: null, version: null, problem });
  const isOwn = storeUrl.startsWith('/');
  try {
    const answer = isOwn
      ? await deps.fetchOwn(`${storeUrl}/.well-known/ucp`)
      : await fetchProfile(deps.outbound, storeUrl);
    if (answer.status !== 200) return none(`answered ${answer.status}`);
    const checkout = readMerchantProfile(JSON.parse(answer.body));
    if (checkout === null) return none('names no endpoint and version we know');
    if (isOwn)
      return {
        ...checkout,
        endpoint: checkout.endpoint.replace(deps.ownOrigin(), ''),
        problem: null,
      };
    return checkout.endpoint.startsWith('https:')
      ? { ...checkout, problem: null }
      : none('the endpoint is not secure');
  } catch (error) {
    if (error instanceof SyntaxError) return none('is not JSON');
    if (error instanceof OutboundError)
      return error.failure === 'timeout' || error.failure === 'unreachable'
        ? null
        : none(error.message);
    throw error;
  }
}

async function fetchProfile(
  outbound: Outbound,
  storeUrl: string,
): Promise<{ status: number; body: string }> {
  if (!URL.canParse(storeUrl)) throw new OutboundError('bad_url', 'not a valid address');
  const answer = await outbound(new URL('/.well-known/ucp', storeUrl).href, {
    httpsOnly: true,
    maxRedirects: 0,
    timeoutMs: 8000,
    maxBytes: 256 * 1024,
    headers: { accept: 'application/json' },
  });
  return { status: answer.status, body: answer.body.toString('utf8') };
}
