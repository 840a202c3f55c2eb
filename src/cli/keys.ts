import { createMintId } from '../platform/ids.js';
import { findMasterSecret } from '../platform/secrets/master-secret.js';
import { createSealer } from '../platform/secrets/sealer.js';
import { addTrackingKey } from '../platform/secrets/tracking-keys.js';
import { addKey } from '../surfaces/accounts/open-account.js';
import { listKeys, revokeKeys } from '../surfaces/accounts/queries.js';
import { type Command, CommandFailure, parseOptions, UsageError } from './command.js';
import { openStore } from './open-store.js';

export const keysCommand: Command = {
  help: [
    'Usage: sidelight keys list ACCOUNT_ID',
    '       sidelight keys regenerate ACCOUNT_ID     every old key of the account stops at once',
    '       sidelight keys rotate-tracking           new tracking URLs use a new key; live ones keep working',
    '',
    'A regenerated key is printed once.',
  ].join('\n'),
  async run({ args, config, print }) {
    const [verb, accountId] = parseOptions(args, {}).rest;
    const store = await openStore(config);
    try {
      if (verb === 'rotate-tracking') {
        const sealer = createSealer(
          await findMasterSecret({
            secretKey: config.SECRET_KEY,
            dataDir: config.DATA_DIR,
            db: store.db,
          }),
        );
        print(`tracking key ${await addTrackingKey(store.db, sealer)} seals new URLs from now on`);
        return 0;
      }
      if ((verb !== 'list' && verb !== 'regenerate') || accountId === undefined)
        throw new UsageError('try "sidelight keys --help"');
      const [account] = await store.db.query<{ kind: 'advertiser' | 'publisher' }>(
        `select 'advertiser' as kind
         from advertisers
         where id::text = $1
         union all
         select 'publisher'
         from publishers
         where id::text = $1`,
        [accountId],
      );
      if (account === undefined) throw new CommandFailure(`there is no account ${accountId}`);
      if (verb === 'list') {
        for (const key of await listKeys(store.db, account.kind, accountId))
          print(
            `${key.id}  ${key.prefix}…  ${key.name}  last used ${key.last_used_at?.toISOString() ?? 'never'}`,
          );
        return 0;
      }
      const key = await store.db.transaction(async (tx) => {
        await revokeKeys(tx, account.kind, accountId);
        return addKey(
          { tx, mintId: createMintId(), now: Date.now() },
          account.kind,
          accountId,
          'default',
        );
      });
      print(key);
      return 0;
    } finally {
      await store.close();
    }
  },
};
