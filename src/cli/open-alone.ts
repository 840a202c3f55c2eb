import type { Config } from '../config.js';
import type { CommandStore } from './command.js';

/** The store for a command that has it to itself, as no server runs on the data folder. */
export async function openAlone(
  config: Config,
  how: { isRestored?: boolean; mustExist?: boolean } = {},
): Promise<CommandStore> {
  // A command that finds a running server loads neither engine nor driver.
  const [{ openStore }, { applyJournal, settleOthers }] = await Promise.all([
    import('./open-store.js'),
    import('./apply-journal.js'),
  ]);
  const store = await openStore(config, how);
  return {
    ...store,
    async settle(print) {
      await applyJournal(store, print);
      await settleOthers(store, config, print);
    },
  };
}
