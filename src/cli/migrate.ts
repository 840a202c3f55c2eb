import type { Command } from './command.js';
import { openStore } from './open-store.js';

export const migrateCommand: Command = {
  help: 'Usage: sidelight migrate\n\nApplies the migrations that are missing. "serve" does the same at start; safe when several nodes do it at once.',
  async run({ config, print }) {
    const store = await openStore(config);
    await store.close();
    print(
      store.applied.length === 0
        ? 'Nothing to do: the schema is current.'
        : `Applied ${store.applied.join(', ')}.`,
    );
    return 0;
  },
};
