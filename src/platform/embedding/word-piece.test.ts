import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createWordPiece, vocabularyOf } from './word-piece.js';

const words = ['[CLS]', '[SEP]', '[UNK]', 'fly', '##ing', 'cafe', '!', '東', '京', "'", 't', 'don'];
const tokenizer = createWordPiece(
  vocabularyOf(
    JSON.stringify({ model: { vocab: Object.fromEntries(words.map((each, id) => [each, id])) } }),
  ),
);
const read = (text: string, most = 128): string[] =>
  tokenizer.encode(text, most).map((id) => words[id]!);

test('words are cut into the longest known pieces between the two markers', () => {
  assert.deepEqual(read('Flying Café!'), ['[CLS]', 'fly', '##ing', 'cafe', '!', '[SEP]']);
});

test('punctuation and ideographs stand alone, unknown words are one token', () => {
  assert.deepEqual(read("don't 東京 qqq"), [
    '[CLS]',
    'don',
    "'",
    't',
    '東',
    '京',
    '[UNK]',
    '[SEP]',
  ]);
});

test('control characters vanish and long text ends with the end marker', () => {
  assert.deepEqual(read('fl\u0000y'), ['[CLS]', 'fly', '[SEP]']);
  assert.deepEqual(read('fly fly fly fly fly', 4), ['[CLS]', 'fly', 'fly', '[SEP]']);
});

test('a long text is read by its first and its last pieces', () => {
  const numbers = Array.from({ length: 9 }, (_, at) => `w${at}`);
  const tokens = ['[CLS]', '[SEP]', '[UNK]', ...numbers];
  const tokenizer = createWordPiece(new Map(tokens.map((token, id) => [token, id])));
  const read = (text: string, ...most: [number, number?]): string =>
    tokenizer
      .pieces(text, ...most)
      .map((id) => tokens[id])
      .join(' ');
  assert.equal(read(numbers.join(' '), 3, 2), 'w0 w1 w2 w7 w8');
  assert.equal(read(numbers.join(' '), 5, 4), numbers.join(' '));
  assert.equal(read(numbers.join(' '), 3), 'w0 w1 w2');
});

test('any text fits the limit and keeps both markers', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 20 }), (text, most) => {
      const tokens = read(text, most);
      assert.ok(tokens.length >= 2 && tokens.length <= most);
      assert.equal(tokens[0], '[CLS]');
      assert.equal(tokens.at(-1), '[SEP]');
    }),
  );
});

test('a file without a vocabulary is refused', () => {
  assert.throws(() => vocabularyOf('{}'));
});
