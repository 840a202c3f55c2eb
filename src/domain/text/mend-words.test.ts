import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createWordMender } from './mend-words.js';

const dictionary = new Set(['horse', 'sheep', 'patch', 'commune', 'thanks']);
const mend = createWordMender(
  [
    'a hotel in Vienna on Friday',
    'coffee machine, coffees and toffees',
    'sleep in a house',
    'match and patches',
    'recommend a nice lunch',
  ],
  (word) => dictionary.has(word),
);

test('one slip is mended: letters swapped, left out, doubled or wrong', () => {
  for (const [slip, meant] of [
    ['hotle', 'hotel'],
    ['firday', 'friday'],
    ['cofee', 'coffee'],
    ['cofffee', 'coffee'],
    ['mashine', 'machine'],
    ['machin', 'machine'],
    ['recomend', 'recommend'],
  ] as const)
    assert.equal(mend(slip), meant);
});

test('words that exist stay, in every form, and so does what nothing is near to', () => {
  for (const word of [
    'horse',
    'sheep',
    'patched',
    'patching',
    'hotels',
    'vienna',
    'toffee',
    'lunc',
    'zzzzzz',
    'r2d2x',
    'café',
    'otel',
    'lotel',
    'mchaine',
  ])
    assert.equal(mend(word), word);
});

test('any text is mended into a word it knows or left alone', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (text) => {
      const mended = mend(text);
      assert.equal(mend(mended), mended);
    }),
  );
});
