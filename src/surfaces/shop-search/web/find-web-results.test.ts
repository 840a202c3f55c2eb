import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLog } from '../../../platform/log.js';
import type { Outbound } from '../../../platform/outbound/guarded-fetch.js';
import { createWebFinder, readListing } from './find-web-results.js';
import { createWebSearch } from './web-search.js';

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
const page = (product: object): string =>
  `<html><head><script type="application/ld+json">${JSON.stringify({ '@type': 'Product', ...product })}</script></head></html>`;

/** Answers from a table; anything else is unreachable. */
function web(pages: Readonly<Record<string, string | Buffer>>, asked: string[] = []): Outbound {
  return async (url) => {
    asked.push(url);
    const found = Object.entries(pages).find(([place]) => url.startsWith(place))?.[1];
    if (found === undefined) throw new Error('unreachable');
    return {
      url,
      status: 200,
      headers: { 'content-type': typeof found === 'string' ? 'text/html' : 'image/png' },
      body: Buffer.from(found),
    };
  };
}

describe('web results', () => {
  it('states price and currency only when the page states both', () => {
    const read = (offers: object) =>
      readListing(page({ name: 'Lamp', offers }), 'https://www.shop.example/lamp');
    assert.deepEqual(
      [
        read({ price: 10, priceCurrency: 'EUR' })?.price,
        read({ price: 10, priceCurrency: 'EUR' })?.currency,
      ],
      [10, 'EUR'],
    );
    for (const offers of [
      { price: 10 },
      { priceCurrency: 'EUR' },
      { price: 'from ten', priceCurrency: 'EUR' },
      { price: 10, priceCurrency: 'euros' },
    ])
      assert.deepEqual([read(offers)?.price, read(offers)?.currency], [null, null]);
    assert.equal(
      read({ price: 10, priceCurrency: 'EUR', availability: 'https://schema.org/OutOfStock' }),
      null,
    );
    assert.equal(read({})?.site, 'shop.example');
    assert.equal(readListing('<html><h1>News</h1></html>', 'https://news.example/'), null);
  });

  it('reads Open Graph where there is no JSON-LD, and one sentence of the description', () => {
    const html =
      '<meta property="og:title" content="Tea &amp; pot"><meta property="og:type" content="product"><meta property="product:price:amount" content="12.00"><meta property="product:price:currency" content="usd"><meta property="og:description" content="Keeps tea warm. Also pours well.">';
    assert.deepEqual(readListing(html, 'https://a.example/t'), {
      name: 'Tea & pot',
      brand: null,
      price: 12,
      currency: 'USD',
      description: 'Keeps tea warm.',
      image_url: null,
      url: 'https://a.example/t',
      site: 'a.example',
    });
  });

  it('searches by either provider, keeps five pages that sell and only pictures that are pictures', async () => {
    const results = Array.from({ length: 9 }, (_, at) => ({ url: `https://s${at}.example/p` }));
    const pages: Record<string, string | Buffer> = {
      'http://searx.local/search': JSON.stringify({ results: [{ url: 'ftp://x' }, ...results] }),
      'https://api.search.brave.com/res/v1/web/search': JSON.stringify({ web: { results } }),
      'https://s0.example/p': '<html>no product</html>',
      'https://s1.example/p': page({ name: 'Lamp 1', image: '/real.png' }),
      'https://s1.example/real.png': png,
      'https://s2.example/p': page({ name: 'Lamp 2', image: '/fake.png' }),
      'https://s2.example/fake.png': Buffer.from('<svg onload="alert(1)"/>'),
      'https://s3.example/p': page({ name: 'Lamp 3' }),
      'https://s4.example/p': page({ name: 'Lamp 4' }),
      'https://s5.example/p': page({ name: 'Lamp 5' }),
      'https://s6.example/p': page({ name: 'Lamp 6' }),
    };
    for (const provider of ['searxng', 'brave'] as const) {
      const outbound = web(pages);
      const search = createWebSearch(
        { provider, url: provider === 'searxng' ? 'http://searx.local' : '', apiKey: 'k' },
        outbound,
      );
      const found = await createWebFinder({ search, outbound, log: silentLog })('lamp');
      assert.deepEqual(
        found.map((each) => each.name),
        ['Lamp 1', 'Lamp 2', 'Lamp 3', 'Lamp 4', 'Lamp 5'],
      );
      assert.deepEqual(
        found.slice(0, 2).map((each) => each.image_url),
        ['https://s1.example/real.png', null],
      );
    }
  });

  it('does not wait for a slow page when there are enough others', async () => {
    const results = Array.from({ length: 7 }, (_, at) => ({ url: `https://s${at}.example/p` }));
    const quick = web({
      'http://searx.local/search': JSON.stringify({ results }),
      ...Object.fromEntries(
        results.slice(1).map(({ url }, at) => [url, page({ name: `Lamp ${at + 1}` })]),
      ),
    });
    const outbound: Outbound = (url, options) =>
      url.startsWith('https://s0.example')
        ? new Promise((_, reject) =>
            options?.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
          )
        : quick(url, options);
    const find = createWebFinder({
      search: createWebSearch(
        { provider: 'searxng', url: 'http://searx.local', apiKey: '' },
        outbound,
      ),
      outbound,
      log: silentLog,
      budgetMs: 3_600_000,
    });
    assert.deepEqual(
      (await find('lamp')).map((each) => each.name),
      ['Lamp 1', 'Lamp 2', 'Lamp 3', 'Lamp 4', 'Lamp 5'],
    );
  });

  it('a provider that fails, or none, gives an empty list', async () => {
    const outbound = web({});
    assert.deepEqual(
      await createWebFinder({
        search: createWebSearch({ provider: 'brave', url: '', apiKey: '' }, outbound),
        outbound,
        log: silentLog,
      })('x'),
      [],
    );
    assert.deepEqual(await createWebFinder({ search: null, outbound, log: silentLog })('x'), []);
  });
});
