import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentText, negativePhrases } from './match-document.js';

const empty = { context: '', brand: '', adText: '', landingTerms: '', negativeContext: '' };

test('an ad group means its context, and where that is empty its ad or its brand', () => {
  assert.equal(documentText({ ...empty, context: 'Tents', adText: 'Sleep outside' }), 'Tents');
  assert.equal(documentText({ ...empty, adText: 'Sleep', brand: 'Acme' }), 'Sleep');
  assert.equal(documentText({ ...empty, brand: 'Acme' }), 'Acme');
});

test('negative context is read phrase by phrase', () => {
  assert.deepEqual(
    negativePhrases('job seekers, free software\nno complaints; avoid politics or religion.'),
    ['job seekers', 'free software', 'complaints', 'politics', 'religion'],
  );
  assert.deepEqual(negativePhrases('  '), []);
});
