import type { DisclosureTable } from '../../domain/disclosure/disclosure.js';
import { isLabelSeen } from '../../domain/disclosure/label-proof.js';
import { servedAt, type TrackingToken } from '../../domain/tracking-token.js';
import { createBoundedCache } from '../../platform/bounded-cache.js';
import type { Clock } from '../../platform/clock.js';
import type { EventRecord } from '../../platform/events/event.js';
import type { EventLog } from '../../platform/events/event-log.js';
import type { Visitor } from './record-beacon.js';
import type { ViewableTime } from './schema.js';

export interface ViewableDeps {
  clock: Clock;
  eventLog: Pick<EventLog, 'append'>;
  impressionWindowMs: number;
  disclosure: Pick<DisclosureTable, 'labels'>;
}

type Kind = 'viewable' | 'disclosed';

/** Half of the ad in view for a second in all: what the trade calls viewable. */
const viewableMs = 1000;

/**
 * Records that an ad was seen for a second, and that its label was seen to be one: each once. Pages
 * tell again whenever they know more.
 */
export function createViewableRecorder(deps: ViewableDeps) {
  const recent = {
    viewable: createBoundedCache<string, Promise<unknown>>(50_000),
    disclosed: createBoundedCache<string, Promise<unknown>>(50_000),
  };

  return async (token: TrackingToken, seen: ViewableTime, visitor: Visitor): Promise<void> => {
    const at = deps.clock();
    if (
      seen.ms < viewableMs ||
      visitor.bot !== null ||
      visitor.isHosted ||
      at > servedAt(token) + deps.impressionWindowMs
    )
      return;
    const kinds: Kind[] =
      seen.label !== undefined && isLabelSeen(seen.label, deps.disclosure)
        ? ['viewable', 'disclosed']
        : ['viewable'];
    const fresh = kinds.filter((kind) => recent[kind].get(token.serveId) === undefined);
    if (fresh.length > 0) {
      const data = { ms: Math.round(seen.ms) };
      const done = deps.eventLog.append(
        fresh.map((kind): EventRecord => ({
          ...token,
          id: token.serveId,
          kind,
          at,
          node: null,
          data: kind === 'viewable' ? data : null,
        })),
      );
      for (const kind of fresh) {
        recent[kind].set(token.serveId, done);
        done.catch(() => recent[kind].delete(token.serveId));
      }
    }
    for (const kind of kinds) await recent[kind].get(token.serveId);
  };
}
