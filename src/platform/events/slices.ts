/** Long work that lets others have their turn of the event loop now and then. */
export interface Slices {
  /** Whether it has gone on for long enough; cheap enough to be asked for every event. */
  isOver(): boolean;
  /** The same between steps that are long themselves. */
  isLong(): boolean;
  /** Resolves when those who waited had their turn. */
  next(): Promise<void>;
}

/** Somebody who waits for an answer waits for this as well. */
const leastMs = 1;
/**
 * So many events more, and a slice is a millisecond longer: where many come, a turn of the others
 * is long too, and a batch of thousands that gave way after each would not be ready in time.
 */
const eventsAMs = 500;
/** The clock is looked at so seldom: a look costs as much as a short step. */
const stepsALook = 16;

/** For work on so many events. */
export function createSlices(events: number, now = () => performance.now()): Slices {
  const sliceMs = Math.max(leastMs, events / eventsAMs);
  let began = now();
  let steps = 0;
  const isLong = (): boolean => now() - began >= sliceMs;
  return {
    isLong,
    isOver: () => ++steps % stepsALook === 0 && isLong(),
    async next() {
      await new Promise((resolve) => setImmediate(resolve));
      began = now();
    },
  };
}
