import { readIdentities } from '../surfaces/privacy/read-identities.js';
import { erasePerson } from '../surfaces/privacy/erasing/erase.js';
import { optOut } from '../surfaces/privacy/opt-out.js';
import { findMasterSecret } from '../platform/secrets/master-secret.js';
import { createPseudonyms } from '../platform/secrets/pseudonyms.js';
import { createSealer } from '../platform/secrets/sealer.js';
import { isUuid, nilUuid } from '../domain/uuid.js';
import type { Db } from '../platform/db/db.js';
import { type Command, type CommandInput, parseOptions, UsageError } from './command.js';

export const privacyCommand: Command = {
  help: [
    'Usage: sidelight privacy erase   [--email E] [--phone P] [--external-id ID] [--visitor V] [--advertiser ID]',
    '       sidelight privacy opt-out [same options]',
    '',
    'E-mail, phone and external id may be given plain or as their SHA-256. Without --advertiser every account is meant.',
    '',
    'erase    removes links between the person and ad clicks, the hashes kept with ads served and with conversions, the page,',
    '         order context and device of those conversions, what they answered in lead forms and, without --advertiser, their',
    '         searches. Counts and money stay. Run opt-out too if the person must not come back.',
    'opt-out  conversions that name the person are skipped from now on and nothing of them is stored.',
    '',
    'Example: sidelight privacy erase --email ada@example.com',
  ].join('\n'),
  async run({ args, config, openStore, print }) {
    const { values, rest } = parseOptions(args, {
      values: ['email', 'phone', 'external-id', 'visitor', 'advertiser'],
    });
    const [verb] = rest;
    const advertiserId = values['advertiser'] ?? nilUuid;
    const identities = {
      em: values['email'] ?? null,
      ph: values['phone'] ?? null,
      external_id: values['external-id'] ?? null,
      visitor_id: values['visitor'] ?? null,
    };
    if (
      (verb !== 'erase' && verb !== 'opt-out') ||
      !isUuid(advertiserId) ||
      readIdentities(identities).keys.length === 0
    )
      throw new UsageError('try "sidelight privacy --help"');
    const store = await openStore();
    try {
      await store.settle(print);
      if (verb === 'opt-out') {
        await optOut(
          { db: store.db, clock: Date.now },
          advertiserId,
          readIdentities(identities).keys,
          'operator',
        );
        print('on the opt-out list');
        return 0;
      }
      const erased = await erase(store.db, config, identities, advertiserId);
      print(
        `erased: ${erased.links} links to clicks, ${erased.viewers} links to ads seen, ${erased.conversions} conversions made anonymous, ${erased.servedAds} served ads made anonymous, ${erased.leads} answers to lead forms, ${erased.searches} searches`,
      );
      await vacuumErased(store.db);
      return 0;
    } finally {
      await store.close();
    }
  },
};

async function erase(
  db: Db,
  config: CommandInput['config'],
  identities: Parameters<typeof erasePerson>[1],
  advertiserId: string,
): Promise<Awaited<ReturnType<typeof erasePerson>>> {
  const secret = await findMasterSecret({
    secretKey: config.SECRET_KEY,
    dataDir: config.DATA_DIR,
    db,
    passphrase: config.BACKUP_PASSPHRASE,
  });
  return erasePerson(
    {
      db,
      sealer: createSealer(secret),
      pseudonyms: createPseudonyms(secret),
    },
    identities,
    advertiserId,
  );
}

/** Old row versions go with the next vacuum; asked for here so that erased means erased. */
async function vacuumErased(db: Db): Promise<void> {
  for (const table of [
    'click_links',
    'viewer_links',
    'conversions',
    'events',
    'pixel_sessions',
    'leads',
    'shop_searches',
    'tool_searches',
  ])
    await db.query(`vacuum ${table}`);
}
