import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProductIndex } from './product-index.js';
import { readStatedFacts } from './stated-facts.js';

test('a list of names and values is read as values, whatever stands between them', () => {
  const values = ['8 GB', 'clamshell', '15.6 inch'];
  for (const between of [' ', '. ', '; ', ' • ']) {
    const list = ['Memory: 8 GB', 'Form factor: clamshell', 'Display diagonal: 15.6 inch'].join(
      between,
    );
    const { prose, facts, names } = readStatedFacts(`A quiet machine${between}${list}`);
    for (const value of values) assert.ok(facts.includes(value), `${between}: ${facts}`);
    assert.doesNotMatch(facts, /memory|factor|diagonal|quiet/i);
    assert.doesNotMatch(prose, /memory|clamshell/i);
    assert.match(prose, /quiet machine/);
    assert.match(names, /Memory: .*diagonal:/);
    assert.doesNotMatch(names, /factor/, 'a value that names something speaks for itself');
  }
});

test('headings over sentences, a single colon and times stay running text', () => {
  for (const text of [
    'Soft to the touch: made of bamboo.',
    'Open from 10:30 to 18:00, call 555:12 or 16:10.',
    ['Comfort', 'Warranty', 'Care']
      .map((name) => `${name}: a long sentence that tells why this is worth its price and more.`)
      .join(' '),
  ])
    assert.deepEqual(readStatedFacts(text), { prose: text, facts: '', names: '' });
});

test('no word of a description is lost but names of facts that name something', () => {
  const note = 'what follows is a sentence that goes on for a good while longer than a fact would';
  const text = `Colour: red Size: M Note: ${note} Weight: 2 kg Depth: 4 cm`;
  const { prose, facts, names } = readStatedFacts(text);
  const words = (all: string): string[] => all.match(/\w+/g)?.sort() ?? [];
  assert.deepEqual(words([prose, facts, names].join(' ')), words(text));
  const made = readStatedFacts(`${text} Material: solid steel`);
  assert.match(made.facts, /solid steel/);
  assert.doesNotMatch([made.prose, made.names].join(' '), /Material/);
  assert.match(prose, /Note: what follows/);
});

test('a fact in a description counts for more than a mention in passing', () => {
  const index = createProductIndex();
  const product = (product_id: string, description: string) => ({
    product_id,
    title: 'Notebook 15',
    brand: null,
    merchant: 'shop',
    category: null,
    description,
    currency: 'USD',
    priceMicros: 10_000_000,
    regularPriceMicros: null,
    inStock: true,
    hasImage: true,
  });
  index.bulk([
    product(
      'said',
      `Goes with an hexacore desktop. ${'It is light and quiet to carry. '.repeat(2)}`,
    ),
    product('listed', 'Made to travel. Type: hexacore. Memory: 8 GB. Weight: 2 kg.'),
  ]);
  const ids = (query: string): string[] =>
    index.search({ query, limit: 5, fit: false }).hits.map(({ id }) => id);
  assert.deepEqual(ids('notebook hexacore'), ['listed', 'said']);
  assert.deepEqual(ids('memory'), ['listed'], 'what a fact is called is still found');
});

test('what a fact is called is no word of what a listing is', () => {
  const index = createProductIndex();
  const listing = (product_id: string, title: string, description: string) => ({
    product_id,
    title,
    description,
    brand: null,
    merchant: 'shop',
    category: null,
    currency: 'USD',
    priceMicros: 10_000_000,
    regularPriceMicros: null,
    inStock: true,
    hasImage: true,
  });
  index.bulk([
    listing('board', 'Pro mainboard', 'Lan controller: Realtek. Chipset: Intel. Colour: black.'),
    listing('jog', 'Shuttle Pro', 'Multimedia controller for editing films with both hands.'),
    listing('blue', 'Speaker', 'Bluetooth version: 4.0. Weight: 2 kg. Aux: yes.'),
  ]);
  const ids = (query: string): string[] =>
    index.search({ query, limit: 5, fit: false }).hits.map(({ id }) => id);
  assert.equal(ids('pro controller')[0], 'jog');
  assert.ok(!ids('controller').includes('board'));
  assert.deepEqual(ids('bluetooth'), ['blue'], 'where the value is a number it says what there is');
});

test('a description that says the title again makes a listing more of what it is called', () => {
  const index = createProductIndex();
  const listing = (product_id: string, title: string, description: string) => ({
    product_id,
    title,
    description,
    brand: 'Acme',
    merchant: 'shop',
    category: null,
    color: null,
    currency: 'USD',
    priceMicros: 10_000_000,
    regularPriceMicros: null,
    inStock: true,
    hasImage: true,
  });
  index.bulk([
    listing('other', 'Acme TX-12 calculator desktop display', 'Twelve digits, tilted'),
    listing('named', 'Acme dc7800 ultra slim desktop computer', 'dc7800 ultra slim desktop'),
  ]);
  const [first] = index.search({ query: 'desktop', limit: 2, fit: true }).hits;
  assert.equal(first?.id, 'named');
});
