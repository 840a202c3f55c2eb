import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { buildTestApp, type TestApp } from '../../../../test/support/test-app.js';
import { openServerTestDatabase } from '../../../../test/support/test-database.js';
import type { ShopAnswer } from '../schema.js';
import { followCatalog } from './follow-catalog.js';
import { startIndexThread } from './index-thread.js';

const many = 400;

async function fillShop(app: TestApp): Promise<void> {
  const [merchant] = await app.db.query<{ id: string }>(
    `insert into merchants (id, slug, name, created_at)
     values ($1, 'lamps', 'Lamp shop', now())
     returning id`,
    [app.services.mintId(app.clock.now)],
  );
  await app.db.query(
    `insert into products (
       id, merchant_id, external_id, title, description, currency, price_micros, in_stock,
       image_url, page_url, content_hash, changed_in, updated_at
     )
     select 'lamps:' || n, $1, 'x' || n, 'Quokka lamp ' || n, '', 'USD', 9000000, true,
       'https://shop.example/i.png', 'https://shop.example/p', '', $2, now()
     from generate_series(1, $3::int) n`,
    [merchant?.id, app.services.mintId(app.clock.now), many],
  );
}

/** Takes the database away from everybody, as a stopped server is. */
async function databaseSwitch(url: string) {
  const { pathname } = new URL(url);
  const name = pathname.slice(1);
  const admin = new pg.Client({ connectionString: new URL('/postgres', url).href });
  await admin.connect();
  return {
    async off(): Promise<void> {
      await admin.query(`alter database ${name} with allow_connections false`);
      await admin.query(
        `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1`,
        [name],
      );
    },
    on: () => admin.query(`alter database ${name} with allow_connections true`),
    close: () => admin.end(),
  };
}

test('a search while the database is away says that listings are missing, and they come', async () => {
  const { database, url } = await openServerTestDatabase();
  const app = await buildTestApp(database);
  const power = await databaseSwitch(url);
  const { apiKey } = await app.newPublisher();
  await fillShop(app);
  // `inject` would wait for the journal, which has nowhere to go for a while.
  const origin = await app.http.listen({ host: '127.0.0.1', port: 0 });
  const search = async (): Promise<ShopAnswer> => {
    const answer = await fetch(`${origin}/shop/search`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'quokka lamp' }),
    });
    return (await answer.json()) as ShopAnswer;
  };
  await power.off();
  // The first search begins the build.
  const early = await search();
  assert.equal(early.count, 0);
  assert.match(early.reasoning, /yet: the listings are still being indexed\.$/);
  await power.on();
  for (let tries = 0; /indexed/.test((await search()).reasoning); tries += 1) {
    assert.ok(tries < 300, 'the build was not tried again');
    await sleep(100);
  }
  assert.match((await search()).reasoning, new RegExp(`the best of ${many} that fit\\.$`));
  await power.close();
  await app.close();
});

test('a build the database leaves on the way is finished when it is back', async () => {
  const { database, url } = await openServerTestDatabase();
  const app = await buildTestApp(database);
  const power = await databaseSwitch(url);
  await fillShop(app);
  let changes = 0;
  const catalog = await followCatalog({
    ...app.services,
    db: database,
    importWaitMs: 60_000,
    startThread: (onLost) => {
      const thread = startIndexThread(onLost);
      const change: typeof thread.change = async (list) => {
        if ((changes += 1) === 3) await power.off();
        await thread.change(list);
      };
      return new Proxy(thread, {
        get: (own, name) => (name === 'change' ? change : Reflect.get(own, name)),
      });
    },
  });
  await catalog.settled();
  const { indexed, ready } = catalog.progress();
  assert.ok(!ready && indexed > 0 && indexed < many, `${indexed} are indexed`);
  assert.equal(catalog.isWhole(), false);
  await power.on();
  for (let tries = 0; !catalog.progress().ready; tries += 1) {
    assert.ok(tries < 300, 'the build was not tried again');
    await sleep(100);
  }
  assert.deepEqual(catalog.progress(), { indexed: many, of: many, ready: true });
  assert.equal(catalog.isWhole(), true);
  await catalog.close();
  await power.close();
  await app.close();
});
