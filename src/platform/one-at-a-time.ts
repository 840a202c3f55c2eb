export interface OneAtATime {
  (): Promise<void>;
  /** The last one that is under way or waits, if any. */
  readonly pending: () => Promise<void> | null;
}

/**
 * One run of the work at a time. Whoever asks during one waits for the one after it: the one under
 * way may have looked too early.
 */
export function oneAtATime(work: () => Promise<void>): OneAtATime {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  function run(): Promise<void> {
    if (running === null) {
      running = work().finally(() => {
        running = null;
      });
      return running;
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return run();
      });
    return next;
  }
  return Object.assign(run, { pending: () => next ?? running });
}
