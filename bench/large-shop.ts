import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, buildApp } from '../src/app.js';
import { openStore, type Store } from '../src/cli/open-store.js';
import { readConfig } from '../src/config.js';
import type { CatalogItem } from '../src/domain/commerce/catalog-item.js';
import { systemClock } from '../src/platform/clock.js';
import { silentLog } from '../src/platform/log.js';
import { openPublisher } from '../src/surfaces/accounts/open-account.js';
import { runImport } from '../src/surfaces/catalog-import/run-import.js';
import { itemOf } from './products/listing-item.js';
import { makeProducts, makeQueries } from './products/make-products.js';

export const summary =
  'ads and shop searches during an import, while the index is built, and with one kept on disk';

/**
 * Arguments: products (100000); `few` for a shop of five kinds of things, where every search finds a
 * fifth of it. The embedded engine, or DATABASE_URL; through HTTP.
 */
export async function run(args: readonly string[]): Promise<void> {
  const products = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 100_000);
  const shop = args.includes('few') ? fewKinds(products) : manyKinds(products);
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-shop-'));
  const config = readConfig({
    DATA_DIR: folder,
    DEMO: '0',
    MATCHING: 'fast',
    ...process.env,
  });
  const first = await open(config);
  const key = await openAccount(first);
  const merchantId = await openMerchant(first);
  await ask(first, key, shop.queries, 'during the import', () =>
    runImport(first.app.services, {
      target: { merchantId, merchantSlug: 'bench', feedId: null },
      source: 'bench',
      format: 'jsonl',
      rows: shop.rows,
      maxMissingPercent: 100,
      isSnapshot: true,
    }),
  );
  await close(first);
  const second = await open(config);
  second.app.start();
  await ask(second, key, shop.queries, 'after a restart, while the index is built', async () => {
    while (!second.app.catalog.progress().ready) await pause(20);
  });
  await ask(second, key, shop.queries, 'the first minute with the index built', () =>
    pause(60_000),
  );
  await close(second);
  const third = await open(config);
  third.app.start();
  await ask(third, key, shop.queries, 'after another restart, the index read from disk', () =>
    pause(20_000),
  );
  await close(third);
  rmSync(folder, { recursive: true, force: true });
}

interface Opened {
  app: App;
  store: Store;
  address: string;
}

async function open(config: ReturnType<typeof readConfig>): Promise<Opened> {
  const store = await openStore(config);
  const { db, nodeDir } = store;
  const app = await buildApp({ config, db, nodeDir, log: silentLog, clock: systemClock });
  const address = await app.http.listen({ port: 0, host: '127.0.0.1' });
  db.slow?.onSlow(({ ms, text }) =>
    process.stdout.write(`  ${Math.round(ms)} ms: ${text.slice(0, 90)}\n`),
  );
  return { app, store, address };
}

async function close({ app, store }: Opened): Promise<void> {
  await app.close();
  await store.close();
}

async function openAccount({ app, store }: Opened): Promise<string> {
  const opening = { mintId: app.services.mintId, now: Date.now() };
  const publisher = await store.db.transaction((tx) =>
    openPublisher({ tx, ...opening }, { name: 'Bench', status: 'approved' }),
  );
  await app.services.directory.refresh();
  return publisher.apiKey;
}

async function openMerchant({ app, store }: Opened): Promise<string> {
  const id = app.services.mintId(Date.now());
  await store.db.query(
    `insert into merchants (id, slug, name, created_at) values ($1, 'bench', 'Bench', now())`,
    [id],
  );
  return id;
}

interface Row {
  row: number;
  item: CatalogItem;
}
interface Shop {
  rows: AsyncIterable<Row>;
  queries: readonly string[];
}

/** Listings and searches as shops have them. */
function manyKinds(count: number): Shop {
  async function* rows(): AsyncGenerator<Row> {
    let row = 0;
    for (const product of makeProducts(count, 1)) yield { row: row++, item: itemOf(product) };
  }
  return { rows: rows(), queries: makeQueries(2000, 7) };
}

const kinds = ['running shoes', 'rain jacket', 'desk lamp', 'coffee grinder', 'dog leash'];
const colors = ['black', 'navy', 'red', 'green', 'white'];

async function* rowsOfFew(count: number): AsyncGenerator<Row> {
  for (let n = 0; n < count; n += 1) {
    const kind = kinds[n % kinds.length] ?? '';
    const color = colors[Math.floor(n / 5) % colors.length] ?? '';
    yield {
      row: n,
      item: {
        externalId: `p${n}`,
        groupId: null,
        title: `${color} ${kind} model ${n % 977}`,
        brand: `Brand ${n % 300}`,
        category: null,
        description: `A ${color} ${kind} for every day. `.repeat(10),
        color,
        sizes: [],
        gender: null,
        attributes: {},
        currency: 'USD',
        priceMicros: (10 + (n % 200)) * 1_000_000,
        salePriceMicros: null,
        saleStartsAt: null,
        saleEndsAt: null,
        regularPublished: true,
        inStock: true,
        imageUrl: `https://shop.example/${n}.png`,
        pageUrl: `https://shop.example/${n}`,
        checkoutItemId: null,
        continueUrl: null,
        variants: [],
      },
    };
  }
}

function fewKinds(count: number): Shop {
  const queries = Array.from({ length: 20 }, (_, n) => `${colors[n % 5]} ${kinds[n % 4]}`);
  return { rows: rowsOfFew(count), queries };
}

/** Searches and asks for ads, one after the other, for as long as the work takes. */
async function ask(
  { app, store, address }: Opened,
  key: string,
  queries: readonly string[],
  when: string,
  work: () => Promise<unknown>,
): Promise<void> {
  process.stdout.write(`\n${when}\n`);
  const slowBefore = store.db.slow?.count ?? 0;
  const times: Record<'search' | 'ad', number[]> = { search: [], ad: [] };
  let isDone = false;
  const started = performance.now();
  const working = work().finally(() => (isDone = true));
  for (let n = 0; !isDone; n += 1) {
    for (const kind of ['search', 'ad'] as const) {
      const begun = performance.now();
      const status = await send(
        address,
        requestOf(kind, key, queries[n % queries.length] ?? '', n),
      );
      if (status >= 300) throw new Error(`${kind} answered ${status}`);
      times[kind].push(performance.now() - begun);
    }
    await pause(20);
  }
  await working;
  for (const [kind, list] of Object.entries(times)) {
    list.sort((a, b) => a - b);
    const at = (share: number): string =>
      (list[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0).toFixed(1);
    process.stdout.write(
      `  ${kind}: ${list.length} answered, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms\n`,
    );
  }
  const { indexed } = app.catalog.progress();
  process.stdout.write(
    `  ${((performance.now() - started) / 1000).toFixed(1)} s, ${indexed} products indexed, ${(store.db.slow?.count ?? 0) - slowBefore} statements over 50 ms\n`,
  );
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** The status, once all of the answer is here. */
function send(address: string, { url, headers, payload }: Request): Promise<number> {
  const body = JSON.stringify(payload);
  return new Promise((resolve, reject) => {
    httpRequest(
      new URL(url, address),
      { agent, method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
        answer.on('error', reject);
      },
    )
      .on('error', reject)
      .end(body);
  });
}

type Request = ReturnType<typeof requestOf>;

function requestOf(kind: 'search' | 'ad', key: string, query: string, n: number) {
  const headers = { authorization: `Bearer ${key}`, 'x-api-key': key };
  return kind === 'search'
    ? {
        url: '/shop/search',
        headers,
        payload: { query, max_results: 5 },
      }
    : {
        url: '/api/v1/ad',
        headers,
        payload: {
          messages: [{ role: 'user', content: 'looking for an affordable hotel in Berlin' }],
          sessionId: `s${n}`,
          placements: [{ placement: 'below_response', placement_id: 'main' }],
        },
      };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
