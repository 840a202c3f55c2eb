import { isValidZone } from '../domain/time/zone.js';
import { AppError } from '../platform/errors.js';
import { cleanEmail, isEmail } from '../surfaces/accounts/people/clean-email.js';
import type { AccountWish } from '../surfaces/accounts/open-for-person.js';
import { type AccountDesk, openDesk } from './account-desk.js';
import { type Command, CommandFailure, parseOptions, UsageError } from './command.js';

export const accountsCommand: Command = {
  help: [
    'Usage: sidelight accounts list',
    '       sidelight accounts create advertiser --name NAME --email EMAIL [--zone ZONE] [--billing]',
    '       sidelight accounts create publisher --name NAME --email EMAIL [--url URL] [--approved]',
    '       sidelight accounts create operator --email EMAIL',
    '       sidelight accounts approve|block|unblock ID',
    '',
    'Speaks to the server that runs on this data folder, or opens the store when none does.',
    'Creating prints the API key and the password once; they cannot be shown again.',
    'Example: sidelight accounts create publisher --name "Acme Chat" --email dev@acme.example --approved',
  ].join('\n'),
  async run(input) {
    const { args, print } = input;
    const { values, flags, rest } = parseOptions(args, {
      values: ['name', 'email', 'zone', 'url'],
      flags: ['billing', 'approved'],
    });
    const [verb = 'list', target] = rest;
    const work = planOf(verb, target, values, flags);
    const desk = await openDesk(input);
    try {
      for (const line of await work(desk)) print(line);
      return 0;
    } finally {
      await desk.close();
    }
  },
};

type Work = (desk: AccountDesk) => Promise<string[]>;

/** What was asked for, checked before anything is opened. */
function planOf(
  verb: string,
  target: string | undefined,
  values: Record<string, string>,
  flags: Set<string>,
): Work {
  switch (verb) {
    case 'list':
      return async (desk) =>
        (await desk.list())
          .toSorted((a, b) => a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name))
          .map((row) => `${row.kind.padEnd(10)}  ${row.id}  ${row.status.padEnd(8)}  ${row.name}`);
    case 'create':
      return create(readWish(target, values, flags));
    case 'approve':
    case 'block':
    case 'unblock':
      if (target === undefined)
        throw new UsageError(`say which account: sidelight accounts ${verb} ID`);
      return change(verb, target);
    default:
      throw new UsageError(`"accounts ${verb}" is not known; try --help`);
  }
}

function readWish(
  kind: string | undefined,
  values: Record<string, string>,
  flags: Set<string>,
): AccountWish {
  if (kind !== 'advertiser' && kind !== 'publisher' && kind !== 'operator')
    throw new UsageError('say which: advertiser, publisher or operator');
  const email = cleanEmail(values['email'] ?? '');
  const name = (values['name'] ?? '').trim();
  if (!isEmail(email) || (kind !== 'operator' && name === ''))
    throw new UsageError('--email (and, except for operators, --name) are needed');
  const timeZone = values['zone'] ?? 'UTC';
  if (!isValidZone(timeZone))
    throw new UsageError('--zone must be an IANA time zone such as Europe/Berlin');
  return {
    kind,
    email,
    name,
    timeZone,
    url: values['url'] ?? '',
    billingEnabled: flags.has('billing'),
    approved: flags.has('approved'),
    teamRole: 'owner',
  };
}

const create =
  (wish: AccountWish): Work =>
  async (desk) => {
    try {
      const opened = await desk.open(wish);
      return [
        ...(opened.id === null ? [] : [`id        ${opened.id}`, `api key   ${opened.api_key}`]),
        `login     ${wish.email}`,
        `password  ${opened.password}`,
      ];
    } catch (error) {
      if (error instanceof AppError && error.code === 'already_exists')
        throw new CommandFailure(`somebody signs in as ${wish.email} already`, { cause: error });
      throw error;
    }
  };

const change =
  (verb: 'approve' | 'block' | 'unblock', id: string): Work =>
  async (desk) => {
    const isPublisher = await desk.setStatus(
      'publisher',
      id,
      verb === 'block' ? 'blocked' : 'approved',
    );
    const isAdvertiser =
      verb !== 'approve' &&
      !isPublisher &&
      (await desk.setStatus('advertiser', id, verb === 'block' ? 'blocked' : 'active'));
    if (!isPublisher && !isAdvertiser)
      throw new CommandFailure(`there is no account ${id} that can be changed so`);
    return [`done: ${verb} ${id}`];
  };
