import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventFacts } from '../../src/platform/events/event-facts.js';
import { type App, buildApp } from '../../src/app.js';
import { openStore } from '../../src/cli/open-store.js';
import { readConfig } from '../../src/config.js';
import { createRandom } from '../../src/domain/decision/seeded-random.js';
import { grclidOf } from '../../src/domain/grclid.js';
import type { TrackingToken } from '../../src/domain/tracking-token.js';
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
    return await new Simulation(app, store.db, clock, options).run();
  } finally {
    await app.close();
    await store.db.close();
    rmSync(folder, { recursive: true, force: true });
  }
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

class Simulation {
  private readonly app: App;
  private readonly db: Db;
  private readonly clock: { now: number };
  private readonly options: FraudOptions;
  private readonly random: () => number;
  private readonly results = new Map<string, KindResult>();
  private shops: Shop[] = [];
  private ownShop: Shop = { id: '', apiKey: '', ads: [] };
  private pixelId = '';

  constructor(app: App, db: Db, clock: { now: number }, options: FraudOptions) {
    this.app = app;
    this.db = db;
    this.clock = clock;
    this.options = options;
    this.random = createRandom(options.seed);
  }

  async run(): Promise<KindResult[]> {
    const { clock, options } = this;
    const { jobs } = this.app.services;
    const publishers = await this.open();
    for (const job of ['judge-traffic', 'judge-traffic-long'] as const)
      await jobs.enqueue(this.db, job, 'first', {});
    const hours = 10;
    for (let day = 0; day < options.days; day += 1) {
      const start = clock.now;
      // A shop tells of all its purchases, most of which no ad led to.
      for (const shop of [...this.shops, this.ownShop]) await this.tellServer(shop, `other ${day}`);
      for (let n = 0; n < hours; n += 1)
        await this.hour(publishers, Math.round(options.views / hours));
      clock.now = start + dayMs;
      await jobs.runDue();
    }
    await this.settle(publishers);
    return [...this.results.values()];
  }

  private pick<T>(list: readonly T[]): T {
    // Nobody picks from an empty list.
    return list[Math.floor(this.random() * list.length)] as T;
  }

  private between([least, most]: readonly [number, number]): number {
    return least * (most / least) ** this.random();
  }

  private addressIn(country: string): string {
    for (;;) {
      const parts = [
        1 + Math.floor(this.random() * 222),
        ...[0, 0, 0].map(() => Math.floor(this.random() * 256)),
      ];
      const address = parts.join('.');
      if (
        this.app.services.countryOf(address) === country &&
        !this.app.services.isDataCentre(address)
      )
        return address;
    }
  }

  private async openShop(name: string): Promise<Shop> {
    const email = `${name}@test.example`;
    const opened = await this.db.transaction((tx) =>
      openAdvertiser(
        { tx, mintId: this.app.services.mintId, now: this.clock.now },
        { name, email, billingEnabled: true },
      ),
    );
    await insertInventory(this.db, opened.id, 10);
    const ads = await this.db.query<Shop['ads'][number]>(
      `select a.campaign_id as "campaignId", a.ad_group_id as "adGroupId", a.id as "adId"
       from ads a
       where a.advertiser_id = $1`,
      [opened.id],
    );
    return { ...opened, ads };
  }

  private async open(): Promise<Publisher[]> {
    const opening = { mintId: this.app.services.mintId, now: this.clock.now };
    this.shops = [await this.openShop('first'), await this.openShop('second')];
    this.ownShop = await this.openShop('own');
    const publishers: Publisher[] = [];
    for (const kind of publisherKinds(this.options.differ, this.options.areHard))
      for (let n = 0; n < kind.publishers; n += 1) {
        const opened = await this.db.transaction((tx) =>
          openPublisher({ tx, ...opening }, { name: `${kind.name} ${n}`, status: 'approved' }),
        );
        publishers.push({
          ...opened,
          kind,
          clickRate: this.between(kind.clickRate),
          conversionRate: kind.conversionRate[1] === 0 ? 0 : this.between(kind.conversionRate),
          addresses: Array.from({ length: kind.addresses }, () => this.addressIn('US')),
          claimedMicros: 0,
          madeUpMicros: 0,
        });
      }
    await this.db.query(`update campaigns set daily_budget_micros = 1000000000000`);
    await this.app.services.directory.refresh();
    const pixel = await this.app.http.inject({
      method: 'POST',
      url: '/advertiser-dashboard/pixels',
      headers: { 'x-api-key': this.shops[0]?.apiKey ?? '' },
      payload: { url: 'https://shop.example' },
    });
    this.pixelId = pixel.json().id;
    return publishers;
  }

  private viewOf(publisher: Publisher): View {
    const { kind } = publisher;
    const chance = this.random();
    const model = chance < 0.5 ? 'cpc' : chance < 0.8 ? 'cpa' : 'cpm';
    const shop = this.random() < (kind.ownShop ?? 0) ? this.ownShop : this.pick(this.shops);
    const token: TrackingToken = {
      serveId: this.app.services.mintId(this.clock.now),
      advertiserId: shop.id,
      ...this.pick(shop.ads),
      publisherId: publisher.id,
      placement: 'below_response',
      billingModel: model,
      priceMicros: prices[model],
      node: this.app.services.node.number,
      test: false,
      holdsAdGroup: false,
      holdsAdvertiser: false,
    };
    const country = kind.addresses > 0 ? 'US' : this.pick(countries);
    const there =
      this.random() < kind.displaced
        ? this.pick(countries.filter((one) => one !== country))
        : country;
    const address = kind.addresses > 0 ? this.pick(publisher.addresses) : this.addressIn(there);
    return {
      publisher,
      shop,
      token,
      p: this.app.services.trackingTokens.seal(token),
      country,
      headers: {
        'user-agent': this.pick(kind.agents === 'people' ? people : machines),
        'x-forwarded-for': address,
      },
      clicks: this.random() < publisher.clickRate,
    };
  }

  private visit(path: string, view: View) {
    return this.app.http.inject({ url: `${path}?p=${view.p}`, headers: view.headers });
  }

  private async show(views: readonly View[]): Promise<void> {
    await this.app.services.eventLog.append(
      views.map(({ token, country }) => ({
        ...token,
        id: token.serveId,
        kind: 'win',
        at: this.clock.now,
        country,
        data: { charge: token.billingModel, price_micros: token.priceMicros, topic: '' },
      })),
    );
    const shown = views.filter((view) => view.publisher.kind.shows);
    await Promise.all(shown.map((view) => this.visit('/ack', view)));
    for (const { publisher, token } of shown) {
      this.resultOf(publisher).sent += 1;
      if (token.billingModel === 'cpm') this.claim(publisher, prices.cpm, false);
    }
  }

  private claim(publisher: Publisher, micros: number, isMadeUp: boolean): void {
    publisher.claimedMicros += micros * share;
    if (isMadeUp) publisher.madeUpMicros += micros * share;
    // What its people earn a publisher that makes up the rest is its own.
    if (publisher.kind.madeUp === undefined || isMadeUp)
      this.resultOf(publisher).claimedMicros += micros * share;
  }

  private async click(view: View): Promise<void> {
    const { publisher, token, shop } = view;
    const { kind } = publisher;
    await this.visit('/track/click', view);
    this.resultOf(publisher).sent += 1;
    const { madeUp = 0 } = kind;
    const isMadeUp = this.random() < madeUp;
    if (token.billingModel === 'cpc') this.claim(publisher, prices.cpc, isMadeUp);
    // The rate is of all its clicks.
    const rate = isMadeUp ? 0 : publisher.conversionRate / (1 - madeUp);
    const buys = this.random() < rate || shop === this.ownShop;
    const fakes = this.random() < kind.fakeConversions;
    if ((buys || fakes) && token.billingModel === 'cpa') this.claim(publisher, prices.cpa, false);
    if (buys) await this.tellServer(shop, token.serveId, grclidOf(token.serveId));
    if (fakes) await this.tellPixel(token.serveId, view.headers);
  }

  private tellServer(shop: Shop, eventId: string, grclid?: string) {
    return this.app.http.inject({
      method: 'POST',
      url: '/gateway/events',
      headers: { authorization: `Bearer ${shop.apiKey}` },
      payload: {
        data: [
          {
            event_name: 'Purchase',
            event_id: eventId,
            event_time: Math.floor(this.clock.now / 1000),
            user_data: grclid === undefined ? {} : { click_id: grclid },
          },
        ],
      },
    });
  }

  private tellPixel(serveId: string, headers: Record<string, string>) {
    return this.app.http.inject({
      method: 'POST',
      url: '/track/gr-events',
      headers: { ...headers, origin: 'https://shop.example' },
      payload: {
        pixel_id: this.pixelId,
        visitor_id: serveId,
        events: [
          {
            event_type: 'Purchase',
            event_id: `fake-${serveId}`,
            url: 'https://shop.example/',
            timestamp: this.clock.now,
            click_id: grclidOf(serveId),
          },
        ],
      },
    });
  }

  private resultOf({ kind }: Publisher): KindResult {
    let result = this.results.get(kind.name);
    if (result === undefined) this.results.set(kind.name, (result = nothingYet(kind)));
    return result;
  }

  /** A whole number whose mean is this. */
  private wholeNumber(mean: number): number {
    return Math.floor(mean + (mean % 1 === 0 ? 0 : this.random()));
  }

  private async hour(publishers: readonly Publisher[], views: number): Promise<void> {
    const shown = publishers.flatMap((publisher) =>
      Array.from({ length: this.wholeNumber(views * (publisher.kind.volume ?? 1)) }, () =>
        this.viewOf(publisher),
      ),
    );
    await this.show(shown);
    const start = this.clock.now;
    const clicks = shown
      .filter((view) => view.clicks)
      .map((view) => ({ view, at: start + this.between(view.publisher.kind.delayMs) }))
      .sort((a, b) => a.at - b.at);
    for (const { view, at } of clicks) {
      this.clock.now = Math.round(at);
      await this.click(view);
    }
    this.clock.now = start + 3_600_000;
    await this.app.services.jobs.runDue();
  }

  private async settle(publishers: readonly Publisher[]): Promise<void> {
    // Earnings are held; findings go on until they are free.
    for (let day = 0; day < 20; day += 1) {
      this.clock.now += dayMs;
      await this.app.services.jobs.runDue();
    }
    for (const publisher of publishers) {
      const answer = await this.app.http.inject({
        url: '/publisher-dashboard/earnings',
        headers: { 'x-api-key': publisher.apiKey },
      });
      const result = this.resultOf(publisher);
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
      const [row] = await this.db.query<{ count: number }>(
        `select count(*) as count
         from ${eventFacts()} e
         where publisher_id = $1
           and (invalid is not null or kind in ('impression_reversal', 'click_reversal'))`,
        [publisher.id],
      );
      result.filtered += row?.count ?? 0;
    }
  }
}

function nothingYet({ name, isHonest }: PublisherKind): KindResult {
  return {
    name,
    isHonest,
    claimedMicros: 0,
    payableMicros: 0,
    unprovenMicros: 0,
    sent: 0,
    filtered: 0,
  };
}
