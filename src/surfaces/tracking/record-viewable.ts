import { billedAt } from '../../domain/billing/billing-models.js';
import type { DisclosureTable } from '../../domain/disclosure/disclosure.js';
import { isLabelSeen } from '../../domain/disclosure/label-proof.js';
import { servedAt, type TrackingToken } from '../../domain/tracking-token.js';
import { createBoundedCache } from '../../platform/bounded-cache.js';
import type { Clock } from '../../platform/clock.js';
import type { EventRecord } from '../../platform/events/event.js';
import type { BeaconCharges } from './charge-beacon.js';
import type { Visitor } from './record-beacon.js';
import type { ViewableTime } from './schema.js';

export interface ViewableDeps {
  clock: Clock;
  charges: Pick<BeaconCharges, 'costOf' | 'append'>;
  impressionWindowMs: number;
  isPublisherBlocked: (publisherId: string) => boolean;
  disclosure: Pick<DisclosureTable, 'labels'>;
}

type Kind = 'viewable' | 'disclosed';

/** Half of the ad in view for a second in all: what the trade calls viewable. */
const viewableMs = 1000;

/**
 * Nobody can have looked at an ad for longer than it is there; where that costs money it matters.
 */
function isTooSoon(token: TrackingToken, at: number): boolean {
  return billedAt(token.billingModel) === 'viewable' && at < servedAt(token) + viewableMs;
}

/**
 * Records that an ad was seen for a second, and that its label was seen to be one: each once. Pages
 * tell again whenever they know more.
 */
export function createViewableRecorder(deps: ViewableDeps) {
  const recent = {
    viewable: createBoundedCache<string, Promise<void>>(50_000),
    disclosed: createBoundedCache<string, Promise<void>>(50_000),
  };

  async function record(
    kinds: readonly Kind[],
    token: TrackingToken,
    at: number,
    data: { ms: number },
  ): Promise<void> {
    const events: EventRecord[] = [];
    for (const kind of kinds)
      events.push({
        ...token,
        id: token.serveId,
        kind,
        at,
        node: null,
        data: kind === 'viewable' ? data : null,
        ...(kind === 'viewable' && !token.test
          ? await deps.charges.costOf('viewable', token, at)
          : {}),
      });
    await deps.charges.append(events, token);
  }

  return async (token: TrackingToken, seen: ViewableTime, visitor: Visitor): Promise<void> => {
    const at = deps.clock();
    if (
      seen.ms < viewableMs ||
      visitor.bot !== null ||
      visitor.isHosted ||
      deps.isPublisherBlocked(token.publisherId) ||
      isTooSoon(token, at) ||
      at > servedAt(token) + deps.impressionWindowMs
    )
      return;
    const kinds: Kind[] =
      seen.label !== undefined && isLabelSeen(seen.label, deps.disclosure)
        ? ['viewable', 'disclosed']
        : ['viewable'];
    const fresh = kinds.filter((kind) => recent[kind].get(token.serveId) === undefined);
    if (fresh.length > 0) {
      const done = record(fresh, token, at, { ms: Math.round(seen.ms) });
      for (const kind of fresh) {
        recent[kind].set(token.serveId, done);
        done.catch(() => recent[kind].delete(token.serveId));
      }
    }
    for (const kind of kinds) await recent[kind].get(token.serveId);
  };
}
