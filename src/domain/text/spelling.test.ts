import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdsHash, mendSpelling, type WordKnowledge, wordHash } from './spelling.js';

const uses = new Map([
  ['running', 40],
  ['shoes', 60],
  ['hotel', 90],
  ['hotels', 20],
  ['insurance', 30],
  ['plates', 5],
]);
const others = new Set(['pilates', 'which', 'there', 'should', 'cheap', 'morning', 'sexist']);
const words: WordKnowledge = {
  isWord: (word) => uses.has(word) || others.has(word),
  useOf: (word) => uses.get(word) ?? null,
};
const mended = (text: string): string => mendSpelling(text, words);

test('a letter swapped, lost, doubled, added or mistaken is put right', () => {
  for (const slip of ['runnign', 'runing', 'runnning', 'runnirng', 'runnimg'])
    assert.equal(mended(`cheap ${slip} shoes, which`), 'cheap running shoes, which');
  assert.equal(mended('Insurence? cheap'), 'insurance? cheap');
});

test('what is a word, however rare, stays', () => {
  for (const text of ['pilates in the morning', 'that was sexist', 'cheap shoes'])
    assert.equal(mended(text), text);
});

test('names, addresses, numbers and code stay', () => {
  for (const text of [
    'which Hotels in Runnign, cheap',
    'cheap shoes at runnign.com',
    'cheap shoes a_runnign there',
    'cheap shoes runnign2 there',
    'cheap shoes runnIgn there',
    "cheap shoes runnign's there",
    'cheap shoes runnigné there',
  ])
    assert.equal(mended(text), text);
});

test('a text of many unknown words is another language or code and stays', () => {
  const text = 'runnign schuhe guenstig kaufen';
  assert.equal(mended(text), text);
});

test('each part of a conversation begins a sentence of its own', () => {
  assert.equal(
    mended('which cheap hotel\u001eRunnign shoes'),
    'which cheap hotel\u001erunning shoes',
  );
});

test('twice the text takes about twice the work, whatever it holds', () => {
  let asked = 0;
  const counting: WordKnowledge = {
    isWord: (word) => words.isWord(word),
    useOf(word) {
      asked += 1;
      return words.useOf(word);
    },
  };
  const work = (text: string): number => {
    asked = 0;
    mendSpelling(text, counting);
    return asked;
  };
  const hostile = `${'which '.repeat(200)}${`${'x'.repeat(24)} `.repeat(8)}`;
  assert.ok(work(hostile) < 8 * 24 * 60);
  assert.equal(work(hostile.repeat(2)), 0);
});

test('every word of a list is found by its number, and hardly another', () => {
  const list = ['alpha', 'beta', 'gamma', 'delta'];
  const sorted = Uint32Array.from(list, wordHash).sort();
  for (const word of list) assert.ok(holdsHash(sorted, wordHash(word)));
  assert.equal(holdsHash(sorted, wordHash('epsilon')), false);
  assert.equal(holdsHash(new Uint32Array(0), 1), false);
});
