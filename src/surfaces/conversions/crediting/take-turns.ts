/** Runs work that shares a name with other work after it, and everything else at once. */
export type TakeTurns = <T>(names: readonly string[], work: () => Promise<T>) => Promise<T>;

export function createTurns(): TakeTurns {
  const busy = new Map<string, Promise<unknown>>();
  return async (names, work) => {
    for (;;) {
      const others = new Set(names.flatMap((name) => busy.get(name) ?? []));
      if (others.size === 0) break;
      await Promise.allSettled(others);
    }
    const running = work();
    for (const name of names) busy.set(name, running);
    try {
      return await running;
    } finally {
      for (const name of names) if (busy.get(name) === running) busy.delete(name);
    }
  };
}
