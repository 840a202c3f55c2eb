import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventFacts } from '../../src/platform/events/event-facts.js';
import { type App, buildApp } from '../../src/app.js';
import { openStore } from '../../src/cli/open-store.js';
import { readConfig } from '../../src/config.js';
import { createRandom } from '../../src/domain/decision/seeded-random.js';
import { grclidOf } from '../../src/domain/grclid.js';
import { sealToken, type TrackingToken } from '../../src/domain/tracking-token.js';
import type { Db } from '../../src/platform/db/db.js';
import { silentLog } from '../../src/platform/log.js';
import { openAdvertiser, openPublisher } from '../../src/surfaces/accounts/open-account.js';
import { insertInventory } from '../support/inventory.js';
import { type PublisherKind, publisherKinds } from './publisher-kinds.js';

const dayMs = 86_400_000;
const people = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
];
const machines = [
  'python-requests/2.31.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36',
  'curl/8.5.0',
];
const countries = ['US', 'DE', 'GB', 'FR', 'IN'];
const prices = { cpm: 10_000, cpc: 500_000, cpa: 4_000_000 } as const;
const share = 0.7;

export interface FraudOptions {
  seed: number;
  days: number;
  /** Views of each publisher a day. */
  views: number;
  /** Whether honest publishers differ fourfold in how often people click and buy. */
  differ: boolean;
  /** With those that are harder to tell from people. */
  areHard: boolean;
}

export interface KindResult {
  name: string;
  isHonest: boolean;
  /** What all of its traffic would have earned without any filter, and what can be paid. */
  claimedMicros: number;
  payableMicros: number;
  /** Earned, and waiting for evidence. */
  unprovenMicros: number;
  /** Beacons sent, and those filtered or taken back. */
  sent: number;
  filtered: number;
}

interface Publisher {
  id: string;
  apiKey: string;
  kind: PublisherKind;
  clickRate: number;
  conversionRate: number;
  addresses: string[];
  /** What its clicks would have earned, and those of them that were made up. */
  claimedMicros: number;
  madeUpMicros: number;
}

interface Shop {
  id: string;
  apiKey: string;
  ads: { campaignId: string; adGroupId: string; adId: string }[];
}

/** Days of traffic of honest and dishonest publishers through the app's own doors. */
export async function simulateFraud(options: FraudOptions): Promise<KindResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-fraud-'));
  const config = readConfig({ DATA_DIR: folder, DEMO: '0', MATCHING: 'fast' });
  const store = await openStore(config);
  const clock = { now: Date.UTC(2026, 2, 2, 8) };
  const app = await buildApp({
    config,
    db: store.db,
    log: silentLog,
    clock: () => clock.now,
    nodeDir: store.nodeDir,
  });
  try {
    return await createSimulation(app, store.db, clock, options).run();
  } finally {
    await app.close();
    await store.db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function createSimulation(app: App, db: Db, clock: { now: number }, options: FraudOptions) {
  const random = createRandom(options.seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const between = ([least, most]: readonly [number, number]): number =>
    least * (most / least) ** random();
  const { mintId, trackingKeys, nonce, node, eventLog, countryOf, isDataCentre } = app.services;
  const results = new Map<string, KindResult>();
  let shops: Shop[] = [];
  let ownShop: Shop = { id: '', apiKey: '', ads: [] };
  let pixelId = '';

  function addressIn(country: string): string {
    for (;;) {
      const parts = [
        1 + Math.floor(random() * 222),
        ...[0, 0, 0].map(() => Math.floor(random() * 256)),
      ];
      const address = parts.join('.');
      if (countryOf(address) === country && !isDataCentre(address)) return address;
    }
  }

  async function openShop(name: string): Promise<Shop> {
    const email = `${name}@test.example`;
    const opened = await db.transaction((tx) =>
      openAdvertiser({ tx, mintId, now: clock.now }, { name, email, billingEnabled: true }),
    );
    await insertInventory(db, opened.id, 10);
    const ads = await db.query<Shop['ads'][number]>(
      `select a.campaign_id as "campaignId", a.ad_group_id as "adGroupId", a.id as "adId"
       from ads a
       where a.advertiser_id = $1`,
      [opened.id],
    );
    return { ...opened, ads };
  }

  async function open(): Promise<Publisher[]> {
    const opening = { mintId, now: clock.now };
    shops = [await openShop('first'), await openShop('second')];
    ownShop = await openShop('own');
    const publishers: Publisher[] = [];
    for (const kind of publisherKinds(options.differ, options.areHard))
      for (let n = 0; n < kind.publishers; n += 1) {
        const opened = await db.transaction((tx) =>
          openPublisher({ tx, ...opening }, { name: `${kind.name} ${n}`, status: 'approved' }),
        );
        publishers.push({
          ...opened,
          kind,
          clickRate: between(kind.clickRate),
          conversionRate: kind.conversionRate[1] === 0 ? 0 : between(kind.conversionRate),
          addresses: Array.from({ length: kind.addresses }, () => addressIn('US')),
          claimedMicros: 0,
          madeUpMicros: 0,
        });
      }
    await db.query(`update campaigns set daily_budget_micros = 1000000000000`);
    await app.services.directory.refresh();
    const pixel = await app.http.inject({
      method: 'POST',
      url: '/advertiser-dashboard/pixels',
      headers: { 'x-api-key': shops[0]?.apiKey ?? '' },
      payload: { url: 'https://shop.example' },
    });
    pixelId = pixel.json().id;
    return publishers;
  }

  interface View {
    publisher: Publisher;
    shop: Shop;
    token: TrackingToken;
    p: string;
    country: string;
    headers: Record<string, string>;
    clicks: boolean;
  }

  function viewOf(publisher: Publisher): View {
    const { kind } = publisher;
    const drawn = random();
    const model = drawn < 0.5 ? 'cpc' : drawn < 0.8 ? 'cpa' : 'cpm';
    const shop = random() < (kind.ownShop ?? 0) ? ownShop : pick(shops);
    const token: TrackingToken = {
      serveId: mintId(clock.now),
      advertiserId: shop.id,
      ...pick(shop.ads),
      publisherId: publisher.id,
      placement: 'below_response',
      billingModel: model,
      priceMicros: prices[model],
      node: node.number,
      test: false,
      holdsAdGroup: false,
      holdsAdvertiser: false,
    };
    const country = kind.addresses > 0 ? 'US' : pick(countries);
    const there =
      random() < kind.displaced ? pick(countries.filter((one) => one !== country)) : country;
    const address = kind.addresses > 0 ? pick(publisher.addresses) : addressIn(there);
    return {
      publisher,
      shop,
      token,
      p: sealToken(token, trackingKeys.current(), nonce()),
      country,
      headers: {
        'user-agent': pick(kind.agents === 'people' ? people : machines),
        'x-forwarded-for': address,
      },
      clicks: random() < publisher.clickRate,
    };
  }

  const visit = (path: string, view: View) =>
    app.http.inject({ url: `${path}?p=${view.p}`, headers: view.headers });

  async function show(views: readonly View[]): Promise<void> {
    await eventLog.append(
      views.map(({ token, country }) => ({
        ...token,
        id: token.serveId,
        kind: 'win',
        at: clock.now,
        country,
        data: { charge: token.billingModel, price_micros: token.priceMicros, topic: '' },
      })),
    );
    const shown = views.filter((view) => view.publisher.kind.shows);
    await Promise.all(shown.map((view) => visit('/ack', view)));
    for (const { publisher, token } of shown) {
      resultOf(publisher).sent += 1;
      if (token.billingModel === 'cpm') claim(publisher, prices.cpm, false);
    }
  }

  function claim(publisher: Publisher, micros: number, isMadeUp: boolean): void {
    publisher.claimedMicros += micros * share;
    if (isMadeUp) publisher.madeUpMicros += micros * share;
    // What its people earn a publisher that makes up the rest is its own.
    if (publisher.kind.madeUp === undefined || isMadeUp)
      resultOf(publisher).claimedMicros += micros * share;
  }

  async function click(view: View): Promise<void> {
    const { publisher, token, shop } = view;
    const { kind } = publisher;
    await visit('/track/click', view);
    resultOf(publisher).sent += 1;
    const { madeUp = 0 } = kind;
    const isMadeUp = random() < madeUp;
    if (token.billingModel === 'cpc') claim(publisher, prices.cpc, isMadeUp);
    // The rate is of all its clicks.
    const rate = isMadeUp ? 0 : publisher.conversionRate / (1 - madeUp);
    const buys = random() < rate || shop === ownShop;
    const fakes = random() < kind.fakeConversions;
    if ((buys || fakes) && token.billingModel === 'cpa') claim(publisher, prices.cpa, false);
    if (buys) await tellServer(shop, token.serveId, grclidOf(token.serveId));
    if (fakes) await tellPixel(token.serveId, view.headers);
  }

  const tellServer = (shop: Shop, eventId: string, grclid?: string) =>
    app.http.inject({
      method: 'POST',
      url: '/gateway/events',
      headers: { authorization: `Bearer ${shop.apiKey}` },
      payload: {
        data: [
          {
            event_name: 'Purchase',
            event_id: eventId,
            event_time: Math.floor(clock.now / 1000),
            user_data: grclid === undefined ? {} : { click_id: grclid },
          },
        ],
      },
    });
  const tellPixel = (serveId: string, headers: Record<string, string>) =>
    app.http.inject({
      method: 'POST',
      url: '/track/gr-events',
      headers: { ...headers, origin: 'https://shop.example' },
      payload: {
        pixel_id: pixelId,
        visitor_id: serveId,
        events: [
          {
            event_type: 'Purchase',
            event_id: `fake-${serveId}`,
            url: 'https://shop.example/',
            timestamp: clock.now,
            click_id: grclidOf(serveId),
          },
        ],
      },
    });

  function resultOf({ kind }: Publisher): KindResult {
    let result = results.get(kind.name);
    if (result === undefined)
      results.set(
        kind.name,
        (result = {
          name: kind.name,
          isHonest: kind.isHonest,
          claimedMicros: 0,
          payableMicros: 0,
          unprovenMicros: 0,
          sent: 0,
          filtered: 0,
        }),
      );
    return result;
  }

  /** A whole number whose mean is this. */
  const drawn = (mean: number): number => Math.floor(mean + (mean % 1 === 0 ? 0 : random()));

  async function hour(publishers: readonly Publisher[], views: number): Promise<void> {
    const shown = publishers.flatMap((publisher) =>
      Array.from({ length: drawn(views * (publisher.kind.volume ?? 1)) }, () => viewOf(publisher)),
    );
    await show(shown);
    const start = clock.now;
    const clicks = shown
      .filter((view) => view.clicks)
      .map((view) => ({ view, at: start + between(view.publisher.kind.delayMs) }))
      .sort((a, b) => a.at - b.at);
    for (const { view, at } of clicks) {
      clock.now = Math.round(at);
      await click(view);
    }
    clock.now = start + 3_600_000;
    await app.services.jobs.runDue();
  }

  async function settle(publishers: readonly Publisher[]): Promise<void> {
    // Earnings are held; findings go on until they are free.
    for (let day = 0; day < 20; day += 1) {
      clock.now += dayMs;
      await app.services.jobs.runDue();
    }
    for (const publisher of publishers) {
      const answer = await app.http.inject({
        url: '/publisher-dashboard/earnings',
        headers: { 'x-api-key': publisher.apiKey },
      });
      const result = resultOf(publisher);
      const { payable, held_because: because } = answer.json<{
        payable: number;
        held_because: { reason: string; amount: number }[];
      }>();
      const waiting = because.find(({ reason }) => reason === 'unproven')?.amount ?? 0;
      const counted =
        publisher.kind.madeUp === undefined
          ? 1
          : publisher.madeUpMicros / Math.max(1, publisher.claimedMicros);
      result.payableMicros += Math.round(payable * counted * 1e6);
      result.unprovenMicros += Math.round(waiting * counted * 1e6);
      const [row] = await db.query<{ count: number }>(
        `select count(*) as count
         from ${eventFacts()} e
         where publisher_id = $1
           and (invalid is not null or kind in ('impression_reversal', 'click_reversal'))`,
        [publisher.id],
      );
      result.filtered += row?.count ?? 0;
    }
  }

  return {
    async run(): Promise<KindResult[]> {
      const publishers = await open();
      for (const job of ['judge-traffic', 'judge-traffic-long'] as const)
        await app.services.jobs.enqueue(db, job, 'first', {});
      const hours = 10;
      for (let day = 0; day < options.days; day += 1) {
        const start = clock.now;
        // A shop tells of all its purchases, most of which no ad led to.
        for (const shop of [...shops, ownShop]) await tellServer(shop, `other ${day}`);
        for (let n = 0; n < hours; n += 1)
          await hour(publishers, Math.round(options.views / hours));
        clock.now = start + dayMs;
        await app.services.jobs.runDue();
      }
      await settle(publishers);
      return [...results.values()];
    },
  };
}
