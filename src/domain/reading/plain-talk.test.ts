import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainTalk } from './plain-talk.js';

const idle = new Set(['hello there', 'thanks']);

test('what is certain is told without a model', () => {
  assert.equal(plainTalk('Hello there!', idle), 'small_talk');
  assert.equal(plainTalk('  ?! ', idle), 'empty');
  assert.equal(plainTalk('```js\nlet a = book(flight);\nrun(a)\n``` fix', idle), 'code');
  assert.equal(plainTalk('where can I buy 東京', idle), null);
  assert.equal(plainTalk('東京でホテルを探しています', idle), 'foreign_script');
  assert.equal(plainTalk('недорогой отель в Москве', idle), 'foreign_script');
});

test('what is not certain is left to the reading', () => {
  for (const text of [
    'thanks, and where do I buy one?',
    'what does `npm i` cost me in a hosting plan ```x```',
    'café près de la gare',
    '12345',
  ])
    assert.equal(plainTalk(text, idle), null, text);
});
