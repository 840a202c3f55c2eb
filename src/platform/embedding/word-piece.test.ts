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

test('a request loses its commonest words down to seven, in order; numbers, rare words and pieces stay', () => {
  // The earlier in the vocabulary, the commoner.
  const common = [
    '[CLS]',
    '[SEP]',
    '[UNK]',
    '5',
    'the',
    'a',
    'in',
    'is',
    'we',
    'need',
    'near',
    'people',
    'hotel',
    'zoo',
    'affordable',
    'ber',
    '##lin',
  ];
  const brief = createWordPiece(
    vocabularyOf(
      JSON.stringify({
        model: { vocab: Object.fromEntries(common.map((each, id) => [each, id])) },
      }),
    ),
  );
  const briefly = (text: string): string =>
    brief
      .encodeBriefly(text, 128)
      .map((id) => common[id])
      .join(' ');
  assert.equal(briefly('we need a hotel'), '[CLS] we need a hotel [SEP]');
  assert.equal(
    briefly('we need a affordable hotel in berlin near the zoo in 5'),
    '[CLS] affordable hotel ber ##lin near zoo 5',
  );
  const story = Array.from({ length: 30 }, () => 'the').join(' ');
  assert.equal(briefly(story), `[CLS] ${story} [SEP]`);
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
