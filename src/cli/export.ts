import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkExport } from '../platform/db/check-export.js';
import { exportStore } from '../platform/db/export-store.js';
import { importStore } from '../platform/db/import-store.js';
import { addSecret } from './add-secret.js';
import { type Command, CommandFailure, UsageError } from './command.js';

export const exportCommand: Command = {
  help: 'Usage: sidelight export FILE\n\nA logical copy (compressed JSON lines) for moving between the embedded store and a PostgreSQL server. With BACKUP_PASSPHRASE the secret goes along, sealed.',
  async run({ args, config, openStore, cwd, print }) {
    const [file] = args;
    if (file === undefined) throw new UsageError('say where to: sidelight export FILE');
    const store = await openStore();
    try {
      await store.settle(print);
      await addSecret(store.db, config, print);
      print(
        `exported ${await exportStore(store.db, resolve(cwd, file), { isSealed: config.BACKUP_PASSPHRASE !== '' })} rows to ${file}`,
      );
      return 0;
    } finally {
      await store.close();
    }
  },
};

export const importCommand: Command = {
  help: 'Usage: sidelight import FILE\n\nExample, from embedded to a server:\n  sidelight export all.jsonl.gz\n  DATABASE_URL=postgres://… sidelight import all.jsonl.gz\n\nRefuses a store that holds anything.',
  async run({ args, openStore, cwd, print }) {
    const [file] = args;
    if (file === undefined) throw new UsageError('name the file: sidelight import FILE');
    if (!existsSync(resolve(cwd, file)))
      throw new CommandFailure(`there is no file ${resolve(cwd, file)}; nothing was changed`);
    await checkExport(resolve(cwd, file));
    const store = await openStore();
    try {
      print(`imported ${await importStore(store.db, resolve(cwd, file))} rows`);
      return 0;
    } finally {
      await store.close();
    }
  },
};
