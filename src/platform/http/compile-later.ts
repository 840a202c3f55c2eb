/** How long between two compilations: each holds everybody up for milliseconds. */
const pauseMs = 40;

/**
 * Things made when they are first asked for, or before, when there is time: hundreds of schemas
 * would hold up the start, and the first request of each route everybody else's.
 */
export interface CompileLater {
  /** What need not be made ahead is only made when it is asked for, and takes no memory before. */
  add<T>(make: () => T, isAhead?: boolean): () => T;
  /** Makes one after the other what nobody has asked for yet. Returns how to stop. */
  start(): () => void;
  /** Makes all of them now, also those. */
  finish(): void;
}

export function createCompileLater(
  pause: (work: () => void) => () => void = pauseTimer,
): CompileLater {
  const waiting = new Set<() => void>();
  const idle = new Set<() => void>();
  return {
    add<T>(make: () => T, isAhead = true): () => T {
      let made: { value: T } | null = null;
      const get = (): T => {
        if (made === null) {
          made = { value: make() };
          letGo();
        }
        return made.value;
      };
      const prepare = (): void => {
        try {
          get();
        } catch {
          // Whoever asks for it is told what is wrong with it.
          letGo();
        }
      };
      const letGo = (): void => {
        waiting.delete(prepare);
        idle.delete(prepare);
      };
      (isAhead ? waiting : idle).add(prepare);
      return get;
    },
    start() {
      let stop = (): void => undefined;
      const next = (): void => {
        const [prepare] = waiting;
        if (prepare === undefined) return;
        prepare();
        stop = pause(next);
      };
      stop = pause(next);
      return () => stop();
    },
    finish() {
      for (const prepare of [...waiting, ...idle]) prepare();
    },
  };
}

function pauseTimer(work: () => void): () => void {
  const timer = setTimeout(work, pauseMs);
  timer.unref();
  return () => clearTimeout(timer);
}
