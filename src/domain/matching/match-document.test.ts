import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentTexts, negativePhrases } from './match-document.js';
import { topicCatalogue, topicTexts } from './topic-catalogue.js';

const empty = { context: '', brand: '', adText: '', landingTerms: '', negativeContext: '' };

test('the whole context comes first, then its clauses and the ad', () => {
  assert.deepEqual(
    documentTexts({ ...empty, context: 'Tents, stoves and boots', adText: 'Sleep outside' }),
    ['Tents, stoves and boots', 'Tents', 'stoves', 'boots', 'Sleep outside'],
  );
});

test('a context of one clause is not repeated, and the ad stands in for an empty one', () => {
  assert.deepEqual(documentTexts({ ...empty, context: 'Tents' }), ['Tents']);
  assert.deepEqual(documentTexts({ ...empty, adText: 'Sleep outside', brand: 'Acme' }), [
    'Sleep outside',
  ]);
  assert.deepEqual(documentTexts(empty), []);
});

test('negative context is read phrase by phrase', () => {
  assert.deepEqual(
    negativePhrases('job seekers, free software\nno complaints; avoid politics or religion.'),
    ['job seekers', 'free software', 'complaints', 'politics', 'religion'],
  );
  assert.deepEqual(negativePhrases('  '), []);
});

test('every topic of the catalogue has a description, examples and a name of its own', () => {
  assert.ok(topicCatalogue.length > 150);
  assert.equal(new Set(topicCatalogue.map(({ id }) => id)).size, topicCatalogue.length);
  assert.equal(new Set(topicTexts).size, topicTexts.length);
  for (const { description, examples, id } of topicCatalogue) {
    assert.notEqual(description, '');
    assert.ok(examples.length > 0, id);
  }
});
