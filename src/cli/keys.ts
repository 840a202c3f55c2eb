import { openDesk } from './account-desk.js';
import { type Command, parseOptions, UsageError } from './command.js';

export const keysCommand: Command = {
  help: [
    'Usage: sidelight keys list ACCOUNT_ID',
    '       sidelight keys regenerate ACCOUNT_ID     every old key of the account stops at once',
    '       sidelight keys rotate-tracking           new tracking URLs use a new key; live ones keep working',
    '',
    'Speaks to the server that runs on this data folder, or opens the store when none does.',
    'A regenerated key is printed once.',
  ].join('\n'),
  async run(input) {
    const { args, print } = input;
    const [verb, accountId] = parseOptions(args, {}).rest;
    const needsAccount = verb === 'list' || verb === 'regenerate';
    if (verb !== 'rotate-tracking' && (!needsAccount || accountId === undefined))
      throw new UsageError('try "sidelight keys --help"');
    const desk = await openDesk(input);
    try {
      if (verb === 'rotate-tracking' || accountId === undefined)
        print(`tracking key ${await desk.rotateTracking()} seals new URLs from now on`);
      else if (verb === 'regenerate') print(await desk.regenerate(accountId));
      else
        for (const key of await desk.keys(accountId))
          print(`${key.id}  ${key.prefix}…  ${key.name}  last used ${key.last_used_at ?? 'never'}`);
      return 0;
    } finally {
      await desk.close();
    }
  },
};
