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
const sliceMs = 1;
/** The clock is looked at so seldom: a look costs as much as a short step. */
const stepsALook = 16;

export function createSlices(now: () => number = () => performance.now()): Slices {
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
