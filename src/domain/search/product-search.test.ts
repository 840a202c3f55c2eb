import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductDocument } from './product-document.js';
import { createProductIndex, type ProductIndex } from './product-index.js';
import type { ProductSearch } from './product-search.js';

type Row = Partial<ProductDocument> & { title: string };

const catalog: readonly Row[] = [
  { title: 'Acme Leather Wallet, Brown' },
  { title: 'Acme Canvas Wallet, Gray', description: 'No leather, just strong canvas.' },
  { title: 'Slim Card Wallet', description: 'Made from genuine leather.' },
  { title: 'Sony WH-1000XM4 Wireless Headphones', brand: 'Sony' },
  { title: 'Case for Sony WH-1000XM4 Headphones' },
  { title: 'Foldable Headphone Stand' },
  { title: 'Dell 27 inch 4K Monitor', brand: 'Dell', priceMicros: 300_000_000 },
  { title: 'Dell 32 inch 4K Monitor', brand: 'Dell', priceMicros: 450_000_000 },
  { title: 'Monitor Arm for Desk' },
  { title: 'Maglite LED Flashlight' },
  { title: 'Rechargeable Flash Light for Camping' },
  { title: 'Stemless Wine Glasses, Set of 4' },
  { title: 'Crystal Wine Glasses with Long Stem' },
  {
    title: "Women's Trail Running Shoes, Blue",
    category: 'Shoes > Running',
    description:
      'Lightweight shoe for trails, with a sole that grips on wet stone and dries overnight in any tent.',
  },
  { title: "Men's Road Running Shoes, Black", category: 'Shoes > Running' },
  { title: 'Wool Blanket, Cream', description: 'Cozy boho style throw.' },
  { title: 'Wool Blanket, Navy', description: 'Simple modern throw.' },
  { title: 'Samsung 1TB Portable SSD', brand: 'Samsung' },
  { title: 'Kingston 500GB SSD', brand: 'Kingston' },
  { title: 'Ceramic Coffee Mug' },
];

function shelfOf(rows: readonly Row[]): ProductIndex {
  const index = createProductIndex();
  index.bulk(
    rows.map((row, at) => ({
      product_id: String(at),
      brand: null,
      merchant: 'Shop',
      category: null,
      description: '',
      currency: 'USD',
      priceMicros: 20_000_000,
      regularPriceMicros: null,
      inStock: true,
      hasImage: true,
      ...row,
    })),
  );
  return index;
}

function demo(): ProductIndex {
  return shelfOf(catalog);
}

const index = demo();

function titles(query: string, more: Partial<ProductSearch> = {}): string[] {
  return index
    .search({ query, limit: 10, fit: true, ...more })
    .hits.map((hit) => catalog[Number(hit.id)]?.title ?? '');
}

test('"without leather" leaves out what has leather, and keeps what says it has none', () => {
  assert.deepEqual(titles('wallet without leather'), ['Acme Canvas Wallet, Gray']);
  assert.deepEqual(titles('wallet, no leather'), ['Acme Canvas Wallet, Gray']);
  assert.deepEqual(index.search({ query: 'wallet not leather', limit: 5, fit: false }).excluded, [
    'leather',
  ]);
});

test('"stemless" is without a stem', () => {
  assert.equal(titles('wine glasses without stem')[0], 'Stemless Wine Glasses, Set of 4');
});

test('a thing comes before an accessory for it', () => {
  assert.equal(titles('sony headphones')[0], 'Sony WH-1000XM4 Wireless Headphones');
  assert.equal(titles('monitor').at(-1), 'Monitor Arm for Desk');
});

test('a compound that ends in an accessory is one, and so is what is plugged into the thing', () => {
  const named = ['HP Tablet QuickDock', 'HP Tablet Hub', 'HP Compaq 615 Tablet with Pen, 2009'];
  const shop = shelfOf(named.map((title) => ({ title, brand: 'HP' })));
  const first = (query: string): string =>
    named[Number(shop.search({ query, limit: 3, fit: true }).hits[0]?.id)] ?? '';
  assert.equal(first('tablet'), 'HP Compaq 615 Tablet with Pen, 2009');
  assert.equal(first('tablet hub'), 'HP Tablet Hub');
});

test('a model number is found however it is cut', () => {
  for (const query of ['WH-1000XM4', 'wh1000xm4', 'wh 1000xm4', 'sony wh-1000xm4'])
    assert.equal(titles(query)[0], 'Sony WH-1000XM4 Wireless Headphones', query);
});

test('measures are one word however they are written', () => {
  for (const query of ['27 inch monitor', '27" monitor', '27in monitor', '27-inch monitor'])
    assert.equal(titles(query)[0], 'Dell 27 inch 4K Monitor', query);
  assert.equal(titles('1000 gb ssd')[0], 'Samsung 1TB Portable SSD');
});

test('compounds are found joined and split', () => {
  for (const query of ['flashlight', 'flash light'])
    assert.deepEqual(
      titles(query).sort(),
      ['Maglite LED Flashlight', 'Rechargeable Flash Light for Camping'],
      query,
    );
});

test('an unknown word is respelt, a known one never', () => {
  const found = index.search({ query: 'wireles headpones', limit: 5, fit: true });
  assert.equal(catalog[Number(found.hits[0]?.id)]?.title, 'Sony WH-1000XM4 Wireless Headphones');
  assert.equal(found.corrected, 'wireless headphones');
  assert.equal(index.search({ query: 'wireless headphones', limit: 5, fit: true }).corrected, null);
});

test('all words go before some words', () => {
  assert.equal(
    titles('blue running shoes', { fit: false })[0],
    "Women's Trail Running Shoes, Blue",
  );
});

test('nothing is returned rather than noise', () => {
  for (const query of [
    'trampoline',
    'mortgage refinancing',
    'electric guitar strings',
    'flights to paris',
  ])
    assert.deepEqual(titles(query), [], query);
});

test('a long query finds what a short one finds', () => {
  assert.equal(
    titles(
      'Hi, I am looking for something good: trail running shoes for my wife, ideally blue and lightweight, please nothing too expensive',
    )[0],
    "Women's Trail Running Shoes, Blue",
  );
});

test('a price said in words is a bound, a price sent as a parameter wins', () => {
  assert.ok(!titles('4k monitor under $400').includes('Dell 32 inch 4K Monitor'));
  assert.ok(
    titles('4k monitor under $400', { filters: { priceMaxMicros: 500_000_000 } }).includes(
      'Dell 32 inch 4K Monitor',
    ),
  );
});

test('style moves listings, adds none and removes none', () => {
  assert.equal(titles('wool blanket', { style: 'boho and cozy' })[0], 'Wool Blanket, Cream');
  assert.equal(titles('wool blanket', { style: 'modern simple' })[0], 'Wool Blanket, Navy');
  assert.equal(titles('wool blanket', { style: 'ceramic coffee' }).length, 2);
});

test('tiers tell how much of the query was found where', () => {
  const tiers = new Map(
    index
      .search({ query: 'trail shoes lightweight', limit: 10, fit: false })
      .hits.map((hit) => [hit.id, hit.tier]),
  );
  assert.equal(tiers.get('13'), 1);
  assert.equal(tiers.get('14'), 0);
  assert.equal(index.search({ query: 'coffee mug', limit: 1, fit: true }).hits[0]?.tier, 3);
});

test('a negation in front of a thing is a feature of it', () => {
  const rows = [
    'No Show Socks, 6 Pairs',
    'Crew Socks, 6 Pairs',
    'Non-Slip Yoga Mat',
    'Yoga Mat',
    'Nonslip Bath Mat',
    'Gluten-Free Bread',
    'Wheat Bread with Gluten',
  ];
  const shelf = shelfOf(rows.map((title) => ({ title })));
  const first = (query: string): string[] =>
    shelf.search({ query, limit: 9, fit: true }).hits.map((hit) => rows[Number(hit.id)] ?? '');
  assert.equal(first('no show socks')[0], 'No Show Socks, 6 Pairs');
  assert.deepEqual(first('non slip mat').slice(0, 2).sort(), [
    'Non-Slip Yoga Mat',
    'Nonslip Bath Mat',
  ]);
  assert.deepEqual(first('gluten free bread'), ['Gluten-Free Bread']);
  assert.equal(first('socks').length, 2);
});

test('where little fits, what has two words that name it stands behind, one word alone does not', () => {
  const titles = [
    'Ultimate Guard French Tarot Sleeves',
    'Ultimate Guard Flip Deck Case',
    'Ultimate Chocolate Cake Stand',
    ...Array.from({ length: 40 }, (_, at) => `Garden Hose Number ${at}`),
  ];
  const shelf = shelfOf(titles.map((title) => ({ title })));
  const found = (fit: boolean): string[] =>
    shelf.search({ query: 'ultimate guard french tarot', limit: 10, fit }).hits.map(({ id }) => id);
  assert.deepEqual(found(true), ['0', '1']);
  assert.deepEqual(found(false), ['0', '1', '2']);
});

test('a description of a few words is another name; a long one that mentions the word is not', () => {
  const rows = [
    ['Sony VCT-R640', 'Sony Tripod VCT-R640'],
    [
      'Camera bag',
      'Holds a camera, two lenses, a small tripod, a flash, spare batteries, a charger, filters and whatever else is taken along',
    ],
  ];
  const shelf = shelfOf(rows.map(([title = '', description = '']) => ({ title, description })));
  assert.deepEqual(
    shelf
      .search({ query: 'tripod', limit: 5, fit: true })
      .hits.map((hit) => rows[Number(hit.id)]?.[0]),
    ['Sony VCT-R640'],
  );
});

test('however many sizes and colours a thing has, it takes one place', () => {
  const shelf = createProductIndex();
  const things = Array.from({ length: 12 }, (_, thing) =>
    Array.from({ length: 300 }, (__, at) => ({ thing, id: `${thing}-${at}` })),
  ).flat();
  shelf.bulk(
    things.map(({ thing, id }) => ({
      product_id: id,
      group: `shop ${thing}`,
      title: `Rain jacket ${'warm '.repeat(thing)}${id}`,
      brand: null,
      merchant: 'Shop',
      category: null,
      description: '',
      currency: 'USD',
      priceMicros: 1,
      regularPriceMicros: null,
      inStock: true,
      hasImage: true,
    })),
  );
  const { hits, total } = shelf.search({ query: 'rain jacket', limit: 10, fit: true });
  assert.equal(total, 3600);
  assert.deepEqual(
    hits.map((hit) => hit.id.split('-')[0]),
    ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
  );
  shelf.upsert({
    product_id: '0-0',
    title: 'Rain jacket 0-0',
    brand: null,
    merchant: 'Shop',
    category: null,
    description: '',
    currency: 'USD',
    priceMicros: 1,
    regularPriceMicros: null,
    inStock: true,
    hasImage: true,
  });
  assert.equal(shelf.search({ query: 'rain jacket', limit: 20, fit: true }).hits.length, 13);
});

test('a colour that is not there is told, and the nearest comes first', () => {
  const index = createProductIndex();
  index.bulk(
    ['Red Armchair', 'Armchair, Sky Blue', 'Armchair', 'Ceramic Coffee Mug'].map((title, at) => ({
      product_id: String(at),
      title,
      brand: null,
      merchant: 'M',
      category: null,
      description: '',
      currency: 'USD',
      priceMicros: 10_000_000,
      regularPriceMicros: null,
      inStock: true,
      hasImage: true,
    })),
  );
  const found = index.search({ query: 'navy armchair', limit: 5, fit: true });
  assert.equal(found.missingColor, 'navy');
  assert.deepEqual(
    found.hits.map(({ id }) => id),
    ['1', '2', '0'],
  );
  assert.equal(index.search({ query: 'red armchair', limit: 5, fit: true }).missingColor, null);
});
