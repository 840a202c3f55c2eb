import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductDocument } from './product-document.js';
import { createProductIndex } from './product-index.js';

type Row = [title: string, more?: Partial<ProductDocument>];

const rows: readonly Row[] = [
  [
    'Hallmer Expandable Garden Hose, 15 m',
    {
      category: 'Garden > Hoses',
      description:
        'Rolls up small and comes in a storage case. Fits the tap of any phone booth garden.',
    },
  ],
  ['Hallmer Expandable Garden Hose, 30 m', { category: 'Garden > Hoses' }],
  [
    'Brightwire Clear Phone Case, 6.1 inch',
    { category: 'Electronics > Phone Cases', description: 'For phones of 6.1 inch.' },
  ],
  ['Voltmeer USB-C Charger, 100 W', { category: 'Electronics > Chargers' }],
  ['Sony WH-1000XM4 Wireless Headphones', { brand: 'Sony', category: 'Electronics > Headphones' }],
  ['Hard Carrying Case for Sony WH-1000XM4', { category: 'Electronics > Headphone Accessories' }],
  ["Nordlys Women's Running Shoes, Gray, Size 10", { category: 'Shoes > Running' }],
  ["Nordlys Women's Running Shoes, Gray, Size 9", { category: 'Shoes > Running' }],
  ["Nordlys Men's Running Shoes, Black", { category: 'Shoes > Running', priceMicros: 45_000_000 }],
  ["Nordlys Kids' Running Shoes, Red", { category: 'Shoes > Running', priceMicros: 30_000_000 }],
  ['Trail Running Shoes, Blue', { category: 'Shoes > Running', priceMicros: 120_000_000 }],
  [
    'Ironbark Digital Tire Pump',
    { category: 'Automotive > Tire Inflators', description: 'Small enough for a pair of shoes.' },
  ],
  ['Tidewater Dress Watch, Silver, 41 mm', { category: 'Jewelry > Watches' }],
  ["Two Rivers Women's Midi Dress, Burgundy", { category: 'Clothing > Dresses' }],
  [
    'Oat Granola with Honey',
    { category: 'Grocery > Cereal', description: 'Contains sugar and honey.' },
  ],
  ['Seed Granola, Sugar-Free', { category: 'Grocery > Cereal', description: 'Just seeds.' }],
  ['Bifold Wallet, Brown', { category: 'Accessories > Wallets', description: 'Genuine leather.' }],
  ['Canvas Wallet, Gray', { category: 'Accessories > Wallets', description: 'No leather at all.' }],
  [
    'Flat Wiper Blades, Pair',
    { category: 'Automotive > Wipers', attributes: { material: 'coated rubber' } },
  ],
  ['Urban Bike Helmet, Green', { category: 'Sports > Cycling > Helmets' }],
  ['Ceramic Coffee Mugs, Set of 4', { category: 'Kitchen > Mugs' }],
  ['Gartenstuhl aus Holz, Größe L', { category: 'Möbel', brand: 'Müller' }],
  ['Беговые кроссовки, красные', { category: 'Обувь' }],
  ['無線イヤホン 黒', { category: 'イヤホン' }],
  ['Café Crème Espresso Cups', { category: 'Kitchen > Cups' }],
];

const index = createProductIndex();
index.bulk(
  rows.map(([title, more], at) => ({
    product_id: String(at),
    title,
    brand: null,
    merchant: 'Shop',
    category: null,
    description: '',
    currency: 'USD',
    priceMicros: 80_000_000,
    regularPriceMicros: null,
    inStock: true,
    hasImage: true,
    ...more,
  })),
);

function titles(query: string): string[] {
  return index
    .search({ query, limit: 20, fit: true })
    .hits.map((hit) => rows[Number(hit.id)]?.[0] ?? '');
}

/** Exactly these, in any order. */
function finds(query: string, expected: readonly string[]): void {
  assert.deepEqual(titles(query).sort(), [...expected].sort(), query);
}

const hose15 = 'Hallmer Expandable Garden Hose, 15 m';
const women10 = "Nordlys Women's Running Shoes, Gray, Size 10";
const women9 = "Nordlys Women's Running Shoes, Gray, Size 9";
const men = "Nordlys Men's Running Shoes, Black";
const kids = "Nordlys Kids' Running Shoes, Red";
const trail = 'Trail Running Shoes, Blue';

test('a number that is also somewhere else makes nothing fit', () => {
  assert.ok(!titles('iphone 15 case').includes(hose15));
  for (const query of [
    '100 watt bulb',
    '15 inch laptop',
    '6.1 inch ruler',
    'iphone 15',
    '100 piece puzzle',
    'room 41',
    '30',
  ])
    finds(query, query === '30' ? ['Hallmer Expandable Garden Hose, 30 m'] : []);
});

test('a number with its unit finds the listing that has both', () => {
  assert.equal(titles('15 m hose')[0], hose15);
  assert.equal(titles('hose 15m')[0], hose15);
  assert.equal(titles('100w charger')[0], 'Voltmeer USB-C Charger, 100 W');
});

test('a brand and its accessory are told apart', () => {
  assert.equal(titles('sony headphones')[0], 'Sony WH-1000XM4 Wireless Headphones');
  assert.equal(titles('case for sony wh-1000xm4')[0], 'Hard Carrying Case for Sony WH-1000XM4');
  assert.equal(titles('sony wh-1000xm4 case')[0], 'Hard Carrying Case for Sony WH-1000XM4');
});

test('a refusal holds however it is said', () => {
  for (const query of [
    'wallet without leather',
    'wallet not leather',
    'wallet, no leather',
    'leather free wallet',
    'wallet w/o leather',
    'wallet (no leather please)',
  ])
    finds(query, ['Canvas Wallet, Gray']);
  for (const query of [
    'granola without sugar',
    'sugar free granola',
    'granola no sugar',
    'sugar-free granola',
  ])
    finds(query, ['Seed Granola, Sugar-Free']);
});

test('a size in words leaves out listings of another size and keeps those that name none', () => {
  finds('running shoes size 10', [women10, men, kids, trail]);
  assert.equal(titles('running shoes size 10')[0], women10);
  finds("women's running shoes in size 9", [women9, trail]);
  assert.deepEqual(
    index.search({ query: 'running shoes size 10', limit: 5, fit: true }).applied.sizes,
    ['10'],
  );
  assert.equal(
    index.search({ query: 'plus size dress', limit: 5, fit: true }).applied.sizes,
    undefined,
  );
  assert.equal(
    index.search({ query: 'pan size 10 inch', limit: 5, fit: true }).applied.sizes,
    undefined,
  );
  assert.deepEqual(
    index.search({ query: 'shoes size 10', limit: 5, fit: true, filters: { sizes: ['9'] } }).applied
      .sizes,
    ['9'],
  );
});

test('a price in words is a bound', () => {
  for (const query of [
    'running shoes under $50',
    'running shoes below 50 dollars',
    'running shoes up to $50',
    'running shoes less than 50 usd',
  ])
    finds(query, [men, kids]);
  finds('running shoes over $100', [trail]);
  finds('running shoes between $40 and $50', [men]);
  finds('running shoes under 50 euros', []);
});

test('who it is for leaves out what is for others only', () => {
  finds('mens running shoes', [men, trail]);
  for (const query of ["women's running shoes", 'running shoes for women', 'ladies running shoes'])
    finds(query, [women10, women9, trail]);
  finds('boys running shoes', [kids, trail]);
  finds('running shoes for my wife', [women10, women9, trail]);
  finds('running shoes for dad', [men, trail]);
  finds('girls dress', []);
  assert.equal(
    index.search({ query: 'mens running shoes', limit: 20, fit: false }).total,
    index.search({ query: 'running shoes mens', limit: 20, fit: false }).total,
  );
});

test('a word that means something else on another shelf is no fit', () => {
  assert.ok(!titles('dress').slice(0, 1).includes('Tidewater Dress Watch, Silver, 41 mm'));
  assert.ok(!titles('shoes for school').includes('Ironbark Digital Tire Pump'));
  for (const query of ['jacket', 'coat', 'rain jacket']) finds(query, []);
});

test('one and many are the same', () => {
  for (const query of ['mug', 'mugs', 'coffee mug', 'ceramic mugs'])
    finds(query, ['Ceramic Coffee Mugs, Set of 4']);
  for (const query of ['wallet', 'wallets']) assert.equal(titles(query).length, 2, query);
});

test('a slip of the finger is repaired, another word is not made of a name', () => {
  for (const query of ['runing shoos', 'runnign shoes', 'rnuning shoes'])
    assert.equal(titles(query).length, 5, query);
  assert.equal(titles('headfones')[0], 'Sony WH-1000XM4 Wireless Headphones');
  for (const query of ['nike air max', 'harry potter', 'lego star wars', 'puma', 'fork', 'cable'])
    finds(query, []);
});

test('letters of other languages are letters', () => {
  for (const query of [
    'gartenstuhl',
    'Gartenstuhl Größe L',
    'gartenstuhl grosse l',
    'müller gartenstuhl',
    'MULLER Gartenstuhl',
  ])
    finds(query, ['Gartenstuhl aus Holz, Größe L']);
  finds('кроссовки', ['Беговые кроссовки, красные']);
  finds('КРОССОВКИ красные', ['Беговые кроссовки, красные']);
  finds('イヤホン', ['無線イヤホン 黒']);
  for (const query of ['cafe creme cups', 'café crème', 'Cafe\u0301 cre\u0300me cups'])
    finds(query, ['Café Crème Espresso Cups']);
});

test('only what holds every word is said to', () => {
  const tier = (query: string): number | undefined =>
    index.search({ query, limit: 1, fit: true }).hits[0]?.tier;
  assert.equal(tier('running shoes'), 3);
  assert.equal(tier('rolex dress watch'), 0);
});

test('two words together name another kind of thing than the last alone', () => {
  const shelf = createProductIndex();
  const things: readonly Row[] = [
    ['Peregrine 27 inch Monitor, Black', { category: 'Electronics > Monitors' }],
    ['Napworth Video Baby Monitor', { category: 'Baby > Monitors' }],
    ...Array.from({ length: 40 }, (_, at): Row => [
      `Ceramic Mug ${at}`,
      { category: 'Kitchen > Mugs' },
    ]),
    ...Array.from({ length: 6 }, (): Row => [
      'Verdine Beard Oil, 30 ml',
      { category: 'Beauty > Beard Care' },
    ]),
  ];
  shelf.bulk(
    things.map(([title, more], at) => ({
      product_id: String(at),
      title,
      brand: null,
      merchant: 'Shop',
      category: null,
      description: '',
      currency: 'USD',
      priceMicros: 1,
      regularPriceMicros: null,
      inStock: true,
      hasImage: true,
      ...more,
    })),
  );
  const found = (query: string): (string | undefined)[] =>
    shelf.search({ query, limit: 5, fit: true }).hits.map((hit) => things[Number(hit.id)]?.[0]);
  for (const query of [
    'blood pressure monitor',
    'motor oil',
    'engine oil 5w-30',
    'oil 5w-30',
    'oil filter',
  ])
    assert.deepEqual(found(query), [], query);
  assert.equal(found('27 inch monitor')[0], 'Peregrine 27 inch Monitor, Black');
  assert.equal(found('baby monitor')[0], 'Napworth Video Baby Monitor');
  assert.equal(found('beard oil')[0], 'Verdine Beard Oil, 30 ml');
});
