import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProductIndex } from './product-index.js';

const titles = [
  'Damen Laufschuhe schwarz, Leder',
  'Herren Laufschuhe schwarz',
  'Damen Laufschuhe weiß',
  'Regenjacke blau mit Kapuze',
  'Regenjacke blau',
  'Kinder Rucksack rot',
  'Kaffeemaschine silber',
  'Straw Hat for Men',
  'Fur Coat, Brown',
];
const index = createProductIndex();
index.bulk(
  titles.map((title, at) => ({
    product_id: String(at),
    title,
    brand: null,
    merchant: 'Laden',
    category: null,
    description: '',
    priceMicros: 50_000_000,
    regularPriceMicros: null,
    currency: 'EUR',
    inStock: true,
    hasImage: true,
  })),
);
const found = (query: string): string[] =>
  index.search({ query, limit: 5, fit: true }).hits.map(({ id }) => titles[Number(id)] ?? '');

test('a German wish finds by kind, colour and wearer in any form of the words', () => {
  const shoes = found('schwarze Laufschuhe für Damen');
  assert.equal(shoes[0], 'Damen Laufschuhe schwarz, Leder');
  assert.ok(!shoes.includes('Herren Laufschuhe schwarz'));
  assert.deepEqual(found('Ich suche einen roten Rucksack für Kinder'), ['Kinder Rucksack rot']);
  assert.deepEqual(found('gute Kaffeemaschinen in Silber')[0], 'Kaffeemaschine silber');
});

test('what is refused in German is left out', () => {
  assert.deepEqual(found('blaue Regenjacke ohne Kapuze'), ['Regenjacke blau']);
});

test('small words of another language stay things in ours', () => {
  assert.deepEqual(found('fur coat'), ['Fur Coat, Brown']);
  assert.deepEqual(found('straw hat for men'), ['Straw Hat for Men']);
});
