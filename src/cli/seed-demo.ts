import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { App } from '../app.js';
import { type Config, demoMode } from '../config.js';
import { announce, channels } from '../platform/channels.js';
import { collectGarbage } from '../platform/collect-garbage.js';
import type { Db } from '../platform/db/db.js';
import { eventFacts } from '../platform/events/event-facts.js';
import { linkDemoStore } from '../surfaces/catalog-import/queries.js';
import { seedDemoProducts } from '../surfaces/catalog-import/demo/seed-demo-products.js';
import { addPerson, openAdvertiser, openPublisher } from '../surfaces/accounts/open-account.js';
import { readDemoCampaigns } from './demo/demo-campaigns.js';
import { seedAsked } from './demo/seed-asked.js';
import { seedCampaigns, seedReviewed } from './demo/seed-campaigns.js';
import { seedConversions } from './demo/seed-conversions.js';
import { seedHistory } from './demo/seed-history.js';
import { seedInvoices } from './demo/seed-invoices.js';
import { seedPayouts } from './demo/seed-payouts.js';
import { seedYear, yearBegin } from './demo/seed-year.js';
import { packageRoot } from './package-root.js';
import { dayMs } from '../domain/time/utc-day.js';

export interface DemoAccounts {
  base_url: string;
  publisher: { id: string; api_key: string };
  advertiser: { id: string; api_key: string };
  operator: { email: string; password: string };
  logins: { role: string; email: string; password: string }[];
}

/**
 * On an empty store, when asked for or nobody else can reach it: demo accounts, written to
 * demo.json, the only place their keys can be read again.
 */
export async function seedDemo(
  app: App,
  config: Config,
  baseUrl: string,
  print: (line: string) => void,
): Promise<DemoAccounts | null> {
  const { services } = app;
  const seed = (demo: DemoAccounts): Promise<void> => {
    print('Making the demo with a year of history, once; this takes a while…');
    return seedInventory(app, demo);
  };
  const mode = demoMode(config);
  if (mode === '0') return null;
  const file = join(resolve(config.DATA_DIR), 'demo.json');
  const { db } = services;
  if (await hasAccounts(db)) {
    // Written by the branch below.
    const known = existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as DemoAccounts)
      : null;
    if (known === null) return null;
    const current = { ...known, base_url: baseUrl };
    writeKeys(file, current);
    // A first start that was cut off is finished by the next one.
    if (mode === '1' && (await isUnfinished(app, current))) await seed(current);
    return current;
  }
  const demo = await openDemoAccounts(app, baseUrl, file);
  if (demo === null) return null;
  await services.directory.refresh();
  if (mode === '1') await seed(demo);
  return demo;
}

/** Whole or not at all: killed in the middle of it, a server would not start again. */
function writeKeys(file: string, demo: DemoAccounts): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

async function hasAccounts(db: Db): Promise<boolean> {
  const [accounts] = await db.query<{ count: number }>(
    `select (select count(*) from advertisers) + (select count(*) from publishers) as count`,
  );
  return (accounts?.count ?? 0) > 0;
}

/**
 * Null when another node that starts on the same empty database was first. The keys are in `file`
 * before there are accounts for them: a start that is cut off in between loses nothing.
 */
function openDemoAccounts(app: App, baseUrl: string, file: string): Promise<DemoAccounts | null> {
  const { db, clock, mintId } = app.services;
  const password = (): string => randomBytes(9).toString('base64url');
  const opening = { mintId, now: clock() };
  return db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('sidelight.demo'))`);
    if (await hasAccounts(tx)) return null;
    const advertiser = await openAdvertiser(
      { tx, ...opening },
      {
        name: 'Demo Advertiser',
        email: 'advertiser@demo.example',
        billingEnabled: true,
        isDemo: true,
      },
    );
    const publisher = await openPublisher(
      { tx, ...opening },
      {
        name: 'Demo Assistant',
        url: 'https://assistant.demo.example',
        status: 'approved',
        isDemo: true,
      },
    );
    const logins = [
      {
        role: 'advertiser',
        email: 'advertiser@demo.example',
        password: password(),
        accountId: advertiser.id,
      },
      {
        role: 'publisher',
        email: 'publisher@demo.example',
        password: password(),
        accountId: publisher.id,
      },
      { role: 'operator', email: 'operator@demo.example', password: password(), accountId: null },
    ] as const;
    for (const login of logins) await addPerson({ tx, ...opening }, login);
    const demo = {
      base_url: baseUrl,
      publisher: { id: publisher.id, api_key: publisher.apiKey },
      advertiser: { id: advertiser.id, api_key: advertiser.apiKey },
      operator: { email: logins[2].email, password: logins[2].password },
      logins: logins.map(({ role, email, password: secret }) => ({
        role,
        email,
        password: secret,
      })),
    };
    writeKeys(file, demo);
    return demo;
  });
}

/** A store older than a day is somebody's own by now, whatever it lacks. */
async function isUnfinished(app: App, demo: DemoAccounts): Promise<boolean> {
  const { db, clock } = app.services;
  await app.services.eventLog.drain();
  const rows = await db.query(
    `select 1
     from advertisers a
     where a.id = $1 and a.created_at > $2
       and not exists (select 1 from installation where name = 'demo_seeded')`,
    [demo.advertiser.id, new Date(clock() - dayMs)],
  );
  return rows.length > 0;
}

/**
 * Campaigns over many topics, a rival for the auctions, a year of totals, and a month of events.
 * Each step looks whether it was done already.
 */
async function seedInventory(app: App, demo: DemoAccounts): Promise<void> {
  const { db } = app.services;
  await seedDemoProducts(app.services);
  const rivalId = await openRival(app);
  await app.services.directory.refresh();
  const { campaigns, rivals, ...reviewed } = readDemoCampaigns(packageRoot());
  for (const [id, wanted] of [
    [demo.advertiser.id, campaigns],
    [rivalId, rivals],
  ] as const) {
    const known = await db.query(`select 1 from campaigns where advertiser_id = $1 limit 1`, [id]);
    if (known.length === 0) await seedCampaigns(app, id, wanted);
  }
  await db.transaction(async (tx) => {
    await linkDemoStore(tx, demo.advertiser.id, 'Demo: Gifts');
    await announce(tx, channels.catalog, 'merchants');
  });
  const others = await openPublishers(app);
  await seedYear(app, [demo.publisher.id, ...others], [...campaigns, ...rivals]);
  await seedHistory(app, demo.publisher.id, [...campaigns, ...rivals]);
  // On a slow machine the spool took some of it; conversions must find their clicks.
  await app.services.eventLog.drain();
  await seedReviewed(app, demo.advertiser.id, reviewed);
  await seedInvoices(app, [demo.advertiser.id, rivalId]);
  await seedPayouts(app, [demo.publisher.id, ...others], demo.operator.email);
  await seedAsked(app, rivalId, [...campaigns, ...rivals]);
  const clicks = await db.query<{ id: string; at: Date; advertiserId: string }>(
    `select id, at, advertiser_id as "advertiserId"
     from ${eventFacts()} e
     where kind = 'click' and publisher_id = $1 and advertiser_id = $2 and invalid is null
     order by id`,
    [demo.publisher.id, demo.advertiser.id],
  );
  await seedConversions(
    app,
    demo.advertiser.id,
    clicks.map((click) => ({ ...click, at: click.at.getTime() })),
  );
  // While nobody is let in yet: the first batch of them keeps the engine for a quarter of a second.
  await app.services.eventLog.drain();
  await finishSeeding(app);
  await app.serving.inventory.refresh(null);
  await app.serving.balance();
  // A year of rows was made here, and the doors are not open yet.
  await db.giveBack?.();
  await collectGarbage();
}

/** Those who have a year behind them have been here that long, and so have their campaigns. */
function finishSeeding({ services: { db, clock } }: App): Promise<void> {
  return db.transaction(async (tx) => {
    const begin = new Date(yearBegin(clock()));
    for (const accounts of ['advertisers', 'publishers'])
      await tx.query(`update ${accounts} set created_at = $1 where is_demo and created_at > $1`, [
        begin,
      ]);
    await tx.query(
      `update campaigns c
       set created_at = $1, start_time = $1, submitted_for_review_at = $1, reviewed_at = $1
       from advertisers a
       where a.id = c.advertiser_id and a.is_demo and c.review_status = 'approved'
         and c.created_at > $1`,
      [begin],
    );
    await tx.query(
      `insert into installation (name, value)
       values ('demo_seeded', 'yes')
       on conflict do nothing`,
    );
  });
}

const otherPublishers = ['Trail Notes', 'Kitchen Copilot', 'Dev Desk'] as const;

/** Assistants of other people, so that network and advertisers see more than one. */
function openPublishers({ services: { db, clock, mintId } }: App): Promise<string[]> {
  return db.transaction(async (tx) => {
    const ids: string[] = [];
    for (const name of otherPublishers) {
      const [known] = await tx.query<{ id: string }>(
        `select id from publishers where name = $1 and is_demo`,
        [name],
      );
      const opened =
        known ??
        (await openPublisher(
          { tx, mintId, now: clock() },
          {
            name,
            url: `https://${name.toLowerCase().replace(' ', '-')}.demo.example`,
            status: 'approved',
            isDemo: true,
          },
        ));
      ids.push(opened.id);
    }
    return ids;
  });
}

function openRival({ services: { db, clock, mintId } }: App): Promise<string> {
  const email = 'rival@demo.example';
  return db.transaction(async (tx) => {
    const [known] = await tx.query<{ id: string }>(`select id from advertisers where email = $1`, [
      email,
    ]);
    if (known !== undefined) return known.id;
    const opened = await openAdvertiser(
      { tx, mintId, now: clock() },
      { name: 'Demo Rival', email, billingEnabled: true, isDemo: true },
    );
    return opened.id;
  });
}
