// Reports over years of generated totals, against the bare query that returns the same rows.
import { performance } from 'node:perf_hooks';
import type { Db } from '../src/platform/db/db.js';
import { buildTestApp, type TestApp } from '../test/support/test-app.js';
import { openEmbeddedTestDatabase, openServerTestDatabase } from '../test/support/test-database.js';
import {
  download,
  show,
  type Time,
  timeWith,
  type Timing,
  watchMemory,
} from './support/report-timing.js';

export const summary = 'reports over years of totals: latency, ratio to a bare query, memory';

const now = Date.parse('2026-11-15T12:00:00Z');

/** `npm run bench -- reports [server|embedded] [scale]`: scale 1 is the full size. */
export async function run(args: string[]): Promise<void> {
  const engine = args[0] === 'embedded' ? 'embedded' : 'server';
  const scale = Number(args[1] ?? 1);
  const db =
    engine === 'embedded'
      ? await openEmbeddedTestDatabase()
      : (await openServerTestDatabase()).database;
  const app = { ...(await buildTestApp(db, { now })), time: await timeWith(db) };
  try {
    const data = await generate(app, scale);
    process.stdout.write(`${engine} engine, scale ${scale}\n`);
    await measureMetrics(app, data.advertiser);
    await measureStats(app, data.publisher);
    await measureAdGroups(app, data.advertiser);
    await measureUsers(app, data.publisher, data.users);
  } finally {
    await app.close();
  }
}

interface Account {
  id: string;
  apiKey: string;
}

type Bench = TestApp & { time: Time };

async function generate(
  app: TestApp,
  scale: number,
): Promise<{ advertiser: Account; publisher: Account; users: number }> {
  const { db } = app;
  const started = performance.now();
  const [advertiser, publisher, neighbour] = [
    await app.newAdvertiser(),
    await app.newPublisher(),
    await app.newPublisher(),
  ];
  const campaign = app.services.mintId(now);
  await db.query(
    `insert into campaigns (id, advertiser_id, name, landing_page, daily_budget_micros)
     values ($1, $2, 'Bench', 'https://bench.example', 1)`,
    [campaign, advertiser.id],
  );
  await addCampaignTotals(db, advertiser.id, campaign, scale);
  await addPublisherTotals(db, publisher.id, neighbour.id, scale);
  await addAdGroups(db, advertiser.id, campaign, scale);
  const users = Math.ceil(1_000_000 * scale);
  await addUsers(db, publisher.id, users);
  await db.script('vacuum analyze');
  process.stdout.write(`generated in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  return { advertiser, publisher, users };
}

async function addCampaignTotals(
  db: Db,
  advertiserId: string,
  campaignId: string,
  scale: number,
): Promise<void> {
  for (const [table, step] of [
    ['campaign_totals', '15 minutes'],
    ['campaign_hours', '1 hour'],
  ] as const)
    await db.query(
      `insert into ${table} (
           advertiser_id, campaign_id, bucket, impressions, clicks, conversions, spend_micros,
           revenue_micros, value_micros
         )
       select $1, $2, at, 40 + extract(hour from at)::int, 3, 1, 123456, 86419, 5000000
       from generate_series($3::timestamptz - $4 * interval '1 day', $3, interval '${step}') at`,
      [advertiserId, campaignId, new Date(now), Math.ceil(365 * scale)],
    );
}

/**
 * Two publishers in turn, as time would have written them: alone in its table, one would be read
 * from end to end.
 */
async function addPublisherTotals(
  db: Db,
  publisherId: string,
  neighbourId: string,
  scale: number,
): Promise<void> {
  const days = Math.ceil(3650 * scale);
  for (const [table, step] of [
    ['publisher_totals', '15 minutes'],
    ['publisher_hours', '1 hour'],
  ] as const)
    await db.query(
      `insert into ${table} (
           publisher_id, bucket, requests, wins, impressions, viewable, clicks, conversions,
           revenue_micros
         )
       select p, at, 90, 70, 60, 40, 2, 0, 54321
       from generate_series($2::timestamptz - $3 * interval '1 day', $2, interval '${step}') at,
         unnest($1::uuid[]) p`,
      [[publisherId, neighbourId], new Date(now), days],
    );
  await db.query(
    `insert into publisher_days (
         publisher_id, dimension, day, value, impressions, clicks, revenue_micros
       )
     select $1, 'device', at::date, device, 480, 16, 434568
     from generate_series($2::timestamptz - $3 * interval '1 day', $2, interval '1 day') at,
       unnest(array['desktop', 'mobile', 'tablet']) device`,
    [publisherId, new Date(now), days],
  );
}

async function addAdGroups(
  db: Db,
  advertiserId: string,
  campaignId: string,
  scale: number,
): Promise<void> {
  await db.query(
    `insert into ad_groups (id, campaign_id, advertiser_id, name)
     select gen_random_uuid(), $1, $2, 'Group ' || n
     from generate_series(1, $3::int) n`,
    [campaignId, advertiserId, Math.ceil(2000 * scale)],
  );
  for (const [table, column] of [
    ['ad_group_totals', 'bucket'],
    ['ad_group_days', 'day'],
  ])
    await db.query(
      `insert into ${table} (
           advertiser_id, campaign_id, ad_group_id, ${column}, impressions, clicks, conversions,
           spend_micros
         )
       select $1, $2, g.id, at, 400 + abs(hashtext(g.id::text)) % 90, 7, 1,
         1234567 + extract(doy from at)::int
       from generate_series($3::timestamptz - interval '364 days', $3, interval '1 day') at
       cross join lateral (select id from ad_groups where advertiser_id = $1 order by at, id) g`,
      [advertiserId, campaignId, new Date(now)],
    );
}

async function addUsers(db: Db, publisherId: string, users: number): Promise<void> {
  // Indexes made at the end are made in a tenth of the time.
  const indexes = await db.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition
     from pg_indexes
     where tablename = 'publisher_users' and indexname <> 'publisher_users_pkey'`,
  );
  for (const index of indexes) await db.script(`drop index ${index.name}`);
  for (let from = 1; from <= users; from += 50_000)
    await db.query(
      `insert into publisher_users (
           publisher_id, user_id, requests, ads_served, impressions, clicks, revenue_micros,
           first_seen, last_seen
         )
       select $1, md5(n::text), n % 997, n % 499, n % 251, n % 13, n % 100003,
         $2::timestamptz - n % 9000 * interval '1 hour',
         $2::timestamptz - n % 90 * interval '1 minute'
       from generate_series($3::int, $4::int) n`,
      [publisherId, new Date(now), from, Math.min(users, from + 49_999)],
    );
  for (const index of indexes) await db.script(index.definition);
}

const ask = async (app: TestApp, account: Account, url: string): Promise<void> => {
  const answer = await app.http.inject({ url, headers: { 'x-api-key': account.apiKey } });
  if (answer.statusCode !== 200) throw new Error(answer.body);
};

/** As many rows of as many numbers, from nowhere. */
async function bare(app: Bench, rows: number): Promise<Timing> {
  return app.time(() =>
    app.db.query(
      `select n as day, n::bigint as a, n::bigint as b, n::bigint as c, n::bigint as d,
         n::bigint as e, n::bigint as f, n::bigint as g, n::bigint as h
       from generate_series(1, $1::int) n`,
      [rows],
    ),
  );
}

async function measureMetrics(app: Bench, account: Account): Promise<void> {
  const floor = await bare(app, 365);
  for (const tz of ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe']) {
    const ms = await app.time(() =>
      ask(app, account, `/advertiser-dashboard/metrics?days=365&tz=${tz}`),
    );
    show(
      `metrics, 365 days, ${tz}`,
      ms,
      50,
      `, ${(ms.best / floor.best).toFixed(1)} × the bare rows`,
    );
  }
  show(
    'metrics, 7 days, Asia/Kathmandu',
    await app.time(() =>
      ask(app, account, '/advertiser-dashboard/metrics?days=7&tz=Asia/Kathmandu'),
    ),
    50,
  );
}

async function measureStats(app: Bench, account: Account): Promise<void> {
  const floor = await bare(app, 3650);
  for (const tz of ['UTC', 'America/New_York', 'Asia/Kathmandu']) {
    const ms = await app.time(() =>
      ask(app, account, `/publisher-dashboard/stats?days=3650&tz=${tz}`),
    );
    show(
      `stats, 3650 days, ${tz}`,
      ms,
      100,
      `, ${(ms.best / floor.best).toFixed(1)} × the bare rows`,
    );
  }
}

async function measureAdGroups(app: Bench, account: Account): Promise<void> {
  const address = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const floor = await bareSeries(app, account);
  show('bare rows of as many series and days', floor, Number.NaN);
  for (const [accept, tz] of [
    ['application/json', 'UTC'],
    ['text/csv', 'UTC'],
    ['application/json', 'America/New_York'],
  ] as const) {
    let [bytes, above] = [0, 0];
    const ms = await app.time(async () => {
      const memory = watchMemory();
      const answer = await download(
        `${address}/advertiser-dashboard/ad-group-metrics?days=365&tz=${tz}`,
        { 'x-api-key': account.apiKey, accept },
      );
      [bytes, above] = [answer.bytes, Math.max(above, memory.stop())];
      return answer.ms;
    }, 3);
    show(
      `ad groups × 365 days, ${accept}, ${tz}, ${(bytes / 1e6).toFixed(0)} MB`,
      ms,
      2000,
      `, at most ${(above / 1e6).toFixed(0)} MB above idle, ${(ms.best / floor.best).toFixed(1)} × the bare rows`,
    );
  }
}

/** The stored rows of the same series, read in the same portions and thrown away. */
async function bareSeries(app: Bench, account: Account): Promise<Timing> {
  const groups = await app.db.query<{ id: string }>(
    'select id from ad_groups where advertiser_id = $1 order by created_at, id',
    [account.id],
  );
  return app.time(async () => {
    for (let from = 0; from < groups.length; from += 64)
      await app.db.query(
        `select ad_group_id, day, impressions, clicks, conversions, spend_micros
         from ad_group_days
         where advertiser_id = $1 and ad_group_id = any($2::uuid[])`,
        [account.id, groups.slice(from, from + 64).map((group) => group.id)],
      );
  }, 3);
}

async function measureUsers(app: Bench, account: Account, users: number): Promise<void> {
  const pages = Math.ceil(users / 50);
  for (const sort of [
    'requests',
    'ads_served',
    'impressions',
    'clicks',
    'revenue_microdollars',
    'first_seen',
    'last_seen',
  ]) {
    for (const [name, page] of [
      ['first', 1],
      ['middle', Math.ceil(pages / 2)],
      ['last', pages],
    ] as const)
      show(
        `users by ${sort}, ${name} page`,
        await app.time(
          () => ask(app, account, `/publisher-dashboard/users?sort=${sort}&page=${page}`),
          5,
        ),
        200,
      );
  }
  show(
    'users, search',
    await app.time(() => ask(app, account, '/publisher-dashboard/users?search=abc1'), 3),
    Number.NaN,
  );
}
