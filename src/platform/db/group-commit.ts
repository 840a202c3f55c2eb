/** Writes an item, together with others that came meanwhile. Resolves when it is committed. */
export type GroupCommit<Item> = (item: Item) => Promise<void>;

interface Waiting<Item> {
  item: Item;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * No linger: while one batch commits, the next one forms. A batch that fails is tried one by one,
 * so that an item fails only for itself.
 */
export function createGroupCommit<Item>(
  write: (items: readonly Item[]) => Promise<void>,
  most = 200,
): GroupCommit<Item> {
  let queue: Waiting<Item>[] = [];
  let isBusy = false;

  async function commit(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      await write(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      const [only] = batch;
      if (batch.length === 1) only?.reject(error);
      else for (const one of batch) await commit([one]);
    }
  }

  async function drain(): Promise<void> {
    isBusy = true;
    // Requests of the same turn of the event loop belong together.
    await Promise.resolve();
    while (queue.length > 0) {
      const batch = queue.slice(0, most);
      queue = queue.slice(most);
      await commit(batch);
    }
    isBusy = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (!isBusy) void drain();
    });
}
