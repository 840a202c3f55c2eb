import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ProductDocument } from './product-document.js';
import { createProductIndex, type ProductIndex } from './product-index.js';

function listing(id: string, title: string, more: Partial<ProductDocument> = {}): ProductDocument {
  return {
    product_id: id,
    title,
    brand: null,
    merchant: 'Shop',
    category: null,
    description: '',
    currency: 'USD',
    priceMicros: 10_000_000,
    regularPriceMicros: null,
    inStock: true,
    hasImage: true,
    ...more,
  };
}

function shop(titles: readonly string[]): ProductIndex {
  const index = createProductIndex();
  index.bulk(titles.map((title, at) => listing(String(at), title)));
  return index;
}

const words = fc.constantFrom(
  'red',
  'blue',
  'shoe',
  'shirt',
  'lamp',
  'wool',
  'steel',
  'large',
  'desk',
  'cotton',
);
const products = fc.array(
  fc.record({
    id: fc.nat(12),
    title: fc.array(words, { minLength: 1, maxLength: 5 }),
    text: fc.array(words, { maxLength: 8 }),
    price: fc.nat(9),
    gone: fc.boolean(),
  }),
  { maxLength: 40 },
);

test('changes one by one leave the same index as one build of what is left', () => {
  fc.assert(
    fc.property(products, fc.array(words, { minLength: 1, maxLength: 3 }), (changes, query) => {
      const index = createProductIndex();
      const left = new Map<string, ProductDocument>();
      for (const { id, title, text, price, gone } of changes) {
        const product = listing(String(id), title.join(' '), {
          description: text.join(' '),
          priceMicros: price * 1_000_000,
          inStock: price > 0,
        });
        if (gone) assert.equal(index.remove(product.product_id), left.delete(product.product_id));
        else {
          index.upsert(product);
          left.set(product.product_id, product);
        }
      }
      const fresh = createProductIndex();
      fresh.bulk(left.values());
      assert.equal(index.size, left.size);
      const request = { query: query.join(' '), limit: 50, fit: false };
      const [one, other] = [index.search(request), fresh.search(request)];
      assert.deepEqual(
        one.hits.map((hit) => hit.id).sort(),
        other.hits.map((hit) => hit.id).sort(),
      );
      assert.deepEqual(one.facets.priceRangeMicros, other.facets.priceRangeMicros);
      assert.equal(one.total, other.total);
    }),
  );
});

test('after many changes the index is compacted and still answers', () => {
  const index = createProductIndex();
  for (let round = 0; round < 12; round++)
    for (let id = 0; id < 500; id++)
      index.upsert(
        listing(
          String(id),
          `round${round} lamp ${id % 2 === 0 ? 'even' : 'odd'}, ${id % 3 === 0 ? 'Red' : 'Blue'}`,
          { brand: `B${id % 5}` },
        ),
      );
  assert.equal(index.size, 500);
  assert.ok(index.stats().postings < 500 * 12 * 6);
  const found = index.search({
    query: 'even',
    filters: { colors: ['red'], brands: ['b0'] },
    limit: 500,
    fit: true,
  });
  assert.deepEqual(
    found.hits.map((hit) => Number(hit.id)).sort((a, b) => a - b),
    Array.from({ length: 500 }, (_, id) => id).filter(
      (id) => id % 2 === 0 && id % 3 === 0 && id % 5 === 0,
    ),
  );
  assert.equal(index.search({ query: 'round3', limit: 5, fit: true }).total, 0);
});

test('a new price or stock touches no text', () => {
  const index = createProductIndex();
  assert.equal(index.upsert(listing('a', 'Desk lamp')), 'added');
  assert.equal(index.upsert(listing('a', 'Desk lamp', { priceMicros: 5_000_000 })), 'offer');
  assert.equal(index.upsert(listing('a', 'Floor lamp')), 'changed');
  assert.deepEqual(index.search({ query: 'lamp', limit: 5, fit: true }).facets.priceRangeMicros, {
    min: 10_000_000,
    max: 10_000_000,
  });
  assert.equal(index.search({ query: 'desk', limit: 5, fit: true }).total, 0);
  index.upsert(listing('a', 'Floor lamp', { inStock: false }));
  assert.equal(index.search({ query: 'lamp', limit: 5, fit: false }).total, 0);
});

test('progress is told during a bulk build', () => {
  const heard: number[] = [];
  createProductIndex().bulk(
    Array.from({ length: 2500 }, (_, at) => listing(String(at), 'Lamp')),
    (done) => heard.push(done),
  );
  assert.deepEqual(heard, [1000, 2000, 2500]);
});

test('facets count the whole matching set, ten of each at most', () => {
  const index = createProductIndex();
  index.bulk(
    Array.from({ length: 60 }, (_, at) =>
      listing(String(at), 'Desk lamp', {
        brand: `Brand ${at % 15}`,
        merchant: at < 20 ? 'Big' : 'BIG',
        currency: at === 0 ? 'EUR' : 'USD',
        priceMicros: at * 1_000_000,
      }),
    ),
  );
  const { facets, total, hits } = index.search({ query: 'lamp', limit: 3, fit: true });
  assert.deepEqual([total, hits.length, facets.brands.length], [60, 3, 10]);
  assert.deepEqual(facets.merchants, [{ value: 'Big', count: 60 }]);
  assert.deepEqual(facets.categories, [{ value: 'furniture_decor', count: 60 }]);
  assert.deepEqual(facets.priceRangeMicros, { min: 1_000_000, max: 59_000_000 });
  assert.equal(
    shop(['Desk lamp']).search({ query: 'lamp', filters: { currency: 'EUR' }, limit: 3, fit: true })
      .facets.priceRangeMicros,
    null,
  );
});

test('any query and any style is answered without an error', () => {
  const index = shop([
    'Red wool shirt, M',
    'Sony WH-1000XM4 headphones',
    '27" 4K monitor',
    'Wine glasses without stem',
  ]);
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.string({ maxLength: 40 }),
      fc.boolean(),
      (query, style, fit) => {
        const { hits, total } = index.search({ query, style, fit, limit: 10 });
        assert.ok(hits.length <= total && hits.every((hit) => Number.isFinite(hit.score)));
      },
    ),
  );
});

test('thirty thousand changes later, numbers used again mix nothing up', () => {
  const index = createProductIndex();
  const kinds = ['lamp', 'chair', 'rug', 'kettle', 'tent', 'drill', 'mug'];
  const now = new Map<string, ProductDocument>();
  let seed = 7;
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let change = 0; change < 30_000; change++) {
    const id = String(next(900));
    if (next(6) === 0) {
      assert.equal(index.remove(id), now.delete(id));
      continue;
    }
    const product = listing(
      id,
      `Brand${next(40)} ${kinds[next(7)] ?? ''} model${next(5000)}, ${next(2) === 0 ? 'Red' : 'Blue'}, Size ${next(12)}`,
      {
        description: `word${next(300)} word${next(300)} word${next(300)} ${kinds[next(7)] ?? ''}`,
        category: 'Shoes > Running',
      },
    );
    index.upsert(product);
    now.set(id, product);
  }
  const fresh = createProductIndex();
  fresh.bulk(now.values());
  for (const query of [...kinds, 'brand7', 'word12', 'red lamp', 'mug brand3']) {
    for (const filters of [{}, { colors: ['red'], sizes: ['7'] }]) {
      const request = { query, filters, limit: 900, fit: false };
      const [one, other] = [index.search(request), fresh.search(request)];
      assert.deepEqual(
        one.hits.map((hit) => hit.id).sort(),
        other.hits.map((hit) => hit.id).sort(),
        query,
      );
      assert.deepEqual(one.facets, other.facets);
    }
  }
  assert.ok(index.stats().postings < now.size * 12 * 12, String(index.stats().postings));
});
