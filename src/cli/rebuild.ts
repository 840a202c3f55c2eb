import { rebuildTotals } from '../platform/events/verify-totals.js';
import type { Command } from './command.js';

export const rebuildCommand: Command = {
  help: 'Usage: sidelight rebuild\n\nReplaces the totals with what the raw events add up to, in one transaction. Totals of days whose raw events were dropped by retention stay as they are.',
  async run({ openStore, print }) {
    const store = await openStore();
    try {
      await store.settle(print);
      for (const table of await rebuildTotals(store.db)) print(`rebuilt ${table}`);
      return 0;
    } finally {
      await store.close();
    }
  },
};
