import type { Clock } from '../clock.js';
import { errorFields, type Log } from '../log.js';
import { claimLateHolds } from './claim-late-holds.js';
import type { EventRecord } from './event.js';
import type { Spool } from './spool.js';
import { isAboutData, type StoreEvents } from './store-events.js';

/** Moves the spool into the database, oldest first, and tries again for as long as it takes. */
export function createDrainer(
  { spool, clock, log, retryMs = 500 }: { spool: Spool; clock: Clock; log: Log; retryMs?: number },
  store: StoreEvents,
  onProgress: () => void,
) {
  let running: Promise<void> | null = null;
  let isStopped = false;
  let wake = (): void => undefined;

  async function drain(): Promise<void> {
    let isAway = false;
    await Promise.resolve();
    while (spool.pending > 0 && !isStopped) {
      try {
        // The spool holds only what `append` serialised.
        await storeOrSetAside(
          claimLateHolds(
            spool.read(500).flatMap((frame) => JSON.parse(frame) as EventRecord[]),
            clock(),
          ),
        );
        spool.removeRead();
        isAway = false;
        onProgress();
      } catch (error) {
        if (!isAway)
          log.warn(
            { ...errorFields(error), batches: spool.pending },
            'spool not drained, trying again',
          );
        isAway = true;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, retryMs);
          wake = () => (clearTimeout(timer), resolve());
        });
      }
    }
    running = null;
  }

  /** An event the database will never take must not hold up those behind it. */
  async function storeOrSetAside(events: readonly EventRecord[]): Promise<void> {
    if (events.length === 0) return;
    try {
      await store(events);
    } catch (error) {
      if (!isAboutData(error)) throw error;
      if (events.length === 1) {
        log.error(
          { ...errorFields(error), event: events[0]?.id, kind: events[0]?.kind },
          'spooled event refused by the database and set aside',
        );
        spool.setAside(JSON.stringify(events[0]));
        return;
      }
      const middle = events.length >> 1;
      await storeOrSetAside(events.slice(0, middle));
      await storeOrSetAside(events.slice(middle));
    }
  }

  return {
    get running() {
      return running;
    },
    start(): void {
      if (running === null && !isStopped) running = drain();
    },
    stop(): void {
      isStopped = true;
      wake();
    },
  };
}
