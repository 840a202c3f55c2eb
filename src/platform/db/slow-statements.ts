/**
 * A statement or transaction that kept the one thread of the embedded engine to itself too long.
 */
export interface SlowStatement {
  readonly ms: number;
  /** The longest statement of it, shortened; never its values. */
  readonly text: string;
}

export interface SlowStatements {
  /** Since the start. */
  readonly count: number;
  readonly longestMs: number;
  /** Told of each; one listener. */
  onSlow(listener: (slow: SlowStatement) => void): void;
}

/** Everybody else waits behind a statement of the embedded engine: none should take longer. */
export const slowMs = 50;

export interface StatementWatch extends SlowStatements {
  /** Runs work that has the engine to itself and looks how long that kept it busy. */
  watch<T>(text: () => string, work: () => Promise<T>): Promise<T>;
}

export function watchStatements(busyMs: () => number): StatementWatch {
  let count = 0;
  let longestMs = 0;
  let listener: (slow: SlowStatement) => void = () => undefined;
  return {
    get count() {
      return count;
    },
    get longestMs() {
      return longestMs;
    },
    onSlow: (told) => void (listener = told),
    async watch(text, work) {
      const before = busyMs();
      try {
        return await work();
      } finally {
        const ms = busyMs() - before;
        if (ms > slowMs) {
          count += 1;
          longestMs = Math.max(longestMs, ms);
          listener({ ms, text: shortened(text()) });
        }
      }
    },
  };
}

function shortened(text: string): string {
  const line = text.slice(0, 400).replace(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}
