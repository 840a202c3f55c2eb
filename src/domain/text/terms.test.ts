import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fold, identifiersIn, tokenize } from './tokenize.js';
import { isStopWord } from './stop-words.js';
import { stem } from './stem.js';
import { termsOf } from './terms.js';

test('text is cut into folded words without accents and apostrophes', () => {
  assert.deepEqual(tokenize("The driver's Café – don't PANIC!"), [
    'the',
    'driver',
    'cafe',
    'dont',
    'panic',
  ]);
});

test('scripts without spaces are cut per character', () => {
  assert.deepEqual(tokenize('東京 flights'), ['東', '京', 'flights']);
});

test('Korean and Cyrillic words stay whole', () => {
  assert.equal(tokenize('여행 보험').length, 2);
  assert.deepEqual(tokenize('Купить Билет'), ['купить', 'билет']);
});

test('identifiers are joined without separators', () => {
  assert.deepEqual(identifiersIn('Sony WH-1000XM5 and a 401(k) or 401k plan, ISO 9001'), [
    'wh1000xm5',
    '401k',
  ]);
});

test('inflections of one word share a stem', () => {
  const families = [
    ['flight', 'flights'],
    ['book', 'booking', 'booked', 'books'],
    ['cancel', 'cancels', 'cancelled', 'canceled'],
    ['install', 'installing'],
    ['travel', 'travelling', 'traveled'],
    ['rate', 'rating', 'rates', 'rated'],
    ['city', 'cities'],
    ['insurance', 'insurances'],
    ['shoe', 'shoes'],
    ['run', 'running', 'runs'],
    ['lease', 'leasing', 'leased'],
    ['box', 'boxes'],
    ['translate', 'translated', 'translating'],
    ['buy', 'bought', 'buying'],
    ['match', 'matches', 'matching'],
    ['hire', 'hiring', 'hires'],
    ['mortgage', 'mortgages'],
    ['charge', 'charging', 'charged'],
    ['ski', 'skis'],
    ['sell', 'sold', 'selling'],
    ['fill', 'filling'],
    ['price', 'pricing', 'priced', 'prices'],
  ];
  for (const family of families)
    assert.equal(
      new Set(family.map(stem)).size,
      1,
      `${family.join(', ')} → ${family.map(stem).join(', ')}`,
    );
});

test('different words keep different stems', () => {
  for (const [one, other] of [
    ['gas', 'ga'],
    ['rat', 'rate'],
    ['car', 'care'],
    ['bus', 'bu'],
    ['plan', 'plane'],
    ['thing', 'th'],
    ['star', 'stare'],
  ] as const) {
    assert.notEqual(stem(one), stem(other), `${one} ${other}`);
  }
});

test('terms leave stop words out', () => {
  assert.deepEqual(termsOf('I am looking for the cheapest flights to Paris'), [
    'cheapest',
    'flight',
    'paris',
  ]);
  assert.ok(isStopWord('dont'));
});

test('any text gives tokens that are folded, not empty and stable when cut again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      for (const token of tokenize(text)) {
        assert.notEqual(token, '');
        assert.equal(fold(token), token);
        assert.equal(typeof stem(token), 'string');
        assert.notEqual(stem(token), '');
      }
    }),
  );
});
