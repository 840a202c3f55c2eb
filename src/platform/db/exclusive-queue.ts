export type RunExclusive = <T>(work: () => Promise<T>) => Promise<T>;

export class SessionWaitTimeout extends Error {
  override readonly name = 'SessionWaitTimeout';
}

/**
 * Runs one piece of work at a time, first come first served. Who waits while nothing ends for
 * `stuckMs` fails: the usual cause is a deadlock by mistake, the outer database handle used inside
 * an open transaction. A queue that moves may be as long as it likes.
 */
export function exclusiveQueue(stuckMs = Infinity): RunExclusive {
  let busy = false;
  let movedAt = performance.now();
  const waiting: (() => void)[] = [];

  const turn = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.push(start);
      if (stuckMs === Infinity) return;
      const cameAt = performance.now();
      const look = (): void => {
        const left = Math.max(movedAt, cameAt) + stuckMs - performance.now();
        if (left > 0) return void (timer = setTimeout(look, left));
        waiting.splice(waiting.indexOf(start), 1);
        reject(
          new SessionWaitTimeout(
            `waited ${stuckMs} ms for the database session; inside a transaction use only the handle passed to it`,
          ),
        );
      };
      look();
    });

  return async (work) => {
    if (busy) await turn();
    busy = true;
    try {
      return await work();
    } finally {
      movedAt = performance.now();
      const next = waiting.shift();
      // Stay busy while handing over, so that nobody slips in between.
      if (next) next();
      else busy = false;
    }
  };
}
