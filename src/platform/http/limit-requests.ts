import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { networkOf } from '../../domain/network.js';
import { remember } from '../bounded-cache.js';
import type { AccountDirectory, KeyHolder } from '../auth/account-directory.js';
import { keyIn } from '../auth/key-in-request.js';
import type { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { isPrivateAddress } from '../outbound/private-address.js';
import type { SharedCounts } from '../shared-counts.js';
import type { ClientAddress } from './client-address.js';
import type { EarlyRequest } from './turn-away-early.js';
import { type Allowance, createTokenBuckets, type TokenBuckets } from './token-buckets.js';

export interface RequestLimits {
  /** Takes one call from whoever calls; null for those that are not counted. */
  take(request: IncomingMessage): Taken | null;
  /** Whoever takes for this request again is given the same: it is handed on and counts once. */
  keep(request: IncomingMessage, taken: Taken | null): void;
  /** The account whose key it names, or the network it comes from. */
  callerOf(request: EarlyRequest): string;
}

export interface Taken extends Allowance {
  readonly name: 'key' | 'address';
  readonly buckets: TokenBuckets;
}

/**
 * A caller with a key we know is counted by the key, wherever it calls from; everybody else by the
 * network: an IPv4 address, or the /64 one subscriber is given. Calls from private networks are not
 * counted by address: those are our own proxies and programs.
 */
export function createRequestLimits(options: {
  keyRate: number;
  addressRate: number;
  clock: Clock;
  directory: Pick<AccountDirectory, 'knownHolderOf'>;
  clientAddress: ClientAddress;
  shared: Pick<SharedCounts, 'space'>;
}): RequestLimits {
  const { directory, clientAddress, clock, shared } = options;
  const byKey = createTokenBuckets(options.keyRate, clock, { shared, name: 'key' });
  const byAddress = createTokenBuckets(options.addressRate, clock, { shared, name: 'address' });
  // Decided once for each address: the same visitors call again and again.
  const countedNetwork = remember(
    (address: string) =>
      isIP(address) === 0 || isPrivateAddress(address) ? null : networkOf(address),
    20_000,
  );
  /** Of the request that was asked about last: mostly it is asked about twice in a row. */
  let last: EarlyRequest | null = null;
  let lastHolder: KeyHolder | null = null;
  const holderOf = (request: EarlyRequest): KeyHolder | null => {
    if (request === last) return lastHolder;
    const key = keyIn(request);
    const holder = key === null ? null : directory.knownHolderOf(key);
    // What is not parsed yet is asked for once, and may be another when it is.
    if (!('rawHeaders' in request)) return holder;
    last = request;
    lastHolder = holder;
    return holder;
  };
  const kept = new WeakMap<EarlyRequest, Taken | null>();
  return {
    callerOf(request) {
      const holder = holderOf(request);
      if (holder !== null) return holder.accountId;
      const address = clientAddress(request) ?? 'unknown';
      return countedNetwork(address) ?? address;
    },
    keep: (request, taken) => void kept.set(request, taken),
    take(request) {
      const before = kept.get(request);
      if (before !== undefined) return before;
      const holder = holderOf(request);
      if (holder !== null) return { name: 'key', buckets: byKey, ...byKey.take(holder.accountId) };
      const address = clientAddress(request);
      const network = address === null ? null : countedNetwork(address);
      if (network === null) return null;
      return { name: 'address', buckets: byAddress, ...byAddress.take(network) };
    },
  };
}

/** Probes must be answered whatever else is going on. */
const unlimited = new Set(['/health', '/ready', '/metrics']);

/** Counts every request before anything is done for it, and says how many are left. */
export function limitRequests(app: FastifyInstance, limits: RequestLimits): void {
  app.addHook('onRequest', (request, reply, done) => {
    const taken = unlimited.has(request.url) ? null : limits.take(request.raw);
    if (taken === null) return done();
    void reply.headers({ 'ratelimit-policy': policyOf(taken), ratelimit: leftOf(taken) });
    return taken.isAllowed
      ? done()
      : done(new AppError('rate_limited', { retryAfterSeconds: taken.retrySeconds }));
  });
}

/** How many calls the caller has, and of those how many are left: two headers of the answer. */
export function policyOf({ name, buckets }: Taken): string {
  return `"${name}";q=${buckets.quota};w=${buckets.windowSeconds}`;
}

export function leftOf({ name, remaining, resetSeconds }: Taken): string {
  return `"${name}";r=${remaining};t=${resetSeconds}`;
}
