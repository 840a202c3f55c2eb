import { existsSync } from 'node:fs';
import { exportStore } from '../platform/db/export-store.js';
import { importStore } from '../platform/db/import-store.js';
import { addSecret } from './add-secret.js';
import { applyJournal } from './apply-journal.js';
import { type Command, UsageError } from './command.js';
import { openStore } from './open-store.js';

export const exportCommand: Command = {
  help: 'Usage: sidelight export FILE\n\nA logical copy (compressed JSON lines) for moving between the embedded store and a PostgreSQL server. With BACKUP_PASSPHRASE the secret goes along, sealed.',
  async run({ args, config, print }) {
    const [file] = args;
    if (file === undefined) throw new UsageError('say where to: sidelight export FILE');
    const store = await openStore(config);
    try {
      await applyJournal(store, print);
      await addSecret(store.db, config, print);
      print(`exported ${await exportStore(store.db, file)} rows to ${file}`);
      return 0;
    } finally {
      await store.close();
    }
  },
};

export const importCommand: Command = {
  help: 'Usage: sidelight import FILE\n\nExample, from embedded to a server:\n  sidelight export all.jsonl.gz\n  DATABASE_URL=postgres://… sidelight import all.jsonl.gz\n\nRefuses a store that holds anything.',
  async run({ args, config, print }) {
    const [file] = args;
    if (file === undefined || !existsSync(file))
      throw new UsageError('name the file: sidelight import FILE');
    const store = await openStore(config);
    try {
      print(`imported ${await importStore(store.db, file)} rows`);
      return 0;
    } finally {
      await store.close();
    }
  },
};
