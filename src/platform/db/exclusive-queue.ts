export type RunExclusive = <T>(work: () => Promise<T>) => Promise<T>;

export class SessionWaitTimeout extends Error {
  override readonly name = 'SessionWaitTimeout';
}

/**
 * Runs one piece of work at a time, first come first served. Waiting longer than `maxWaitMs` fails,
 * because the usual
 * cause is a deadlock by mistake: the outer database handle used inside an open transaction.
 */
export function exclusiveQueue(maxWaitMs = Infinity): RunExclusive {
  let busy = false;
  const waiting: (() => void)[] = [];

  const turn = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.push(start);
      if (maxWaitMs === Infinity) return;
      timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(
          new SessionWaitTimeout(
            `waited ${maxWaitMs} ms for the database session; inside a transaction use only the handle passed to it`,
          ),
        );
      }, maxWaitMs);
    });

  return async (work) => {
    if (busy) await turn();
    busy = true;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // Stay busy while handing over, so that nobody slips in between.
      if (next) next();
      else busy = false;
    }
  };
}
