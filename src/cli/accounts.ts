import { randomBytes } from 'node:crypto';
import { isValidZone } from '../domain/time/zone.js';
import { createMintId } from '../platform/ids.js';
import { addPerson, openAdvertiser, openPublisher } from '../surfaces/accounts/open-account.js';
import { announceAccountsChange } from '../platform/auth/announce-accounts.js';
import { type Command, CommandFailure, parseOptions, UsageError } from './command.js';
import { openStore } from './open-store.js';

export const accountsCommand: Command = {
  help: [
    'Usage: sidelight accounts list',
    '       sidelight accounts create advertiser --name NAME --email EMAIL [--zone ZONE] [--billing]',
    '       sidelight accounts create publisher --name NAME --email EMAIL [--url URL] [--approved]',
    '       sidelight accounts create operator --email EMAIL',
    '       sidelight accounts approve|block|unblock ID',
    '',
    'Creating prints the API key and the password once; they cannot be shown again.',
    'Example: sidelight accounts create publisher --name "Acme Chat" --email dev@acme.example --approved',
  ].join('\n'),
  async run({ args, config, print }) {
    const { values, flags, rest } = parseOptions(args, {
      values: ['name', 'email', 'zone', 'url'],
      flags: ['billing', 'approved'],
    });
    const [verb, target] = rest;
    const store = await openStore(config);
    try {
      switch (verb) {
        case undefined:
        case 'list': {
          const rows = await store.db.query<{
            kind: string;
            id: string;
            name: string;
            status: string;
          }>(
            `select 'advertiser' as kind, id::text, name, status
             from advertisers
             union all
             select 'publisher', id::text, name, status
             from publishers
             order by 1, 3`,
          );
          for (const row of rows)
            print(`${row.kind.padEnd(10)}  ${row.id}  ${row.status.padEnd(8)}  ${row.name}`);
          return 0;
        }
        case 'create': {
          if (target !== 'advertiser' && target !== 'publisher' && target !== 'operator')
            throw new UsageError('say which: advertiser, publisher or operator');
          const email = values['email'] ?? '';
          if (email === '' || (target !== 'operator' && (values['name'] ?? '') === ''))
            throw new UsageError('--email (and, except for operators, --name) are needed');
          // Budgets of every account are cut into local days together: one unknown zone would stop
          // them all.
          if (!isValidZone(values['zone'] ?? 'UTC'))
            throw new UsageError('--zone must be an IANA time zone such as Europe/Berlin');
          const password = randomBytes(12).toString('base64url');
          const opening = { mintId: createMintId(), now: Date.now() };
          const opened = await store.db.transaction(async (tx) => {
            const name = values['name'] ?? '';
            const account =
              target === 'advertiser'
                ? await openAdvertiser(
                    { tx, ...opening },
                    {
                      name,
                      email,
                      timeZone: values['zone'] ?? 'UTC',
                      billingEnabled: flags.has('billing'),
                    },
                  )
                : target === 'publisher'
                  ? await openPublisher(
                      { tx, ...opening },
                      {
                        name,
                        url: values['url'] ?? '',
                        status: flags.has('approved') ? 'approved' : 'pending',
                      },
                    )
                  : null;
            await addPerson(
              { tx, ...opening },
              { email, password, role: target, accountId: account?.id ?? null },
            );
            return account;
          });
          if (opened !== null) print(`id        ${opened.id}\napi key   ${opened.apiKey}`);
          print(`login     ${email}\npassword  ${password}`);
          return 0;
        }
        case 'approve':
        case 'block':
        case 'unblock': {
          if (target === undefined)
            throw new UsageError(`say which account: sidelight accounts ${verb} ID`);
          const changed = await setStatus(store.db, verb, target);
          if (!changed)
            throw new CommandFailure(`there is no account ${target} that can be changed so`);
          print(`done: ${verb} ${target}`);
          return 0;
        }
        default:
          throw new UsageError(`"accounts ${verb}" is not known; try --help`);
      }
    } finally {
      await store.close();
    }
  },
};

async function setStatus(
  db: Awaited<ReturnType<typeof openStore>>['db'],
  verb: 'approve' | 'block' | 'unblock',
  id: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const publishers = await tx.query(
      `update publishers set status = $2 where id::text = $1 returning id`,
      [id, verb === 'block' ? 'blocked' : 'approved'],
    );
    const advertisers =
      verb === 'approve'
        ? []
        : await tx.query(`update advertisers set status = $2 where id::text = $1 returning id`, [
            id,
            verb === 'block' ? 'blocked' : 'active',
          ]);
    await announceAccountsChange(tx);
    return publishers.length + advertisers.length > 0;
  });
}
