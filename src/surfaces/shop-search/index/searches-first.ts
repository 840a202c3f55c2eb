import { setTimeout as sleep } from 'node:timers/promises';

/** About as long as a search takes, and how many of them are waited for when they never end. */
const standBackMs = 5;
const mostStandBacks = 4;

/**
 * Whoever searches goes first: two processors and one database are soon too few for reading rows as
 * well, and what those tell is known already, as a rule.
 */
export class SearchesFirst {
  /** Searches that wait for the index or for rows. */
  private searching = 0;

  async first<T>(work: Promise<T>): Promise<T> {
    this.searching += 1;
    try {
      return await work;
    } finally {
      this.searching -= 1;
    }
  }

  async standBack(): Promise<void> {
    for (let times = 0; this.searching > 0 && times < mostStandBacks; times++)
      await sleep(standBackMs);
  }
}

export async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}

export function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
