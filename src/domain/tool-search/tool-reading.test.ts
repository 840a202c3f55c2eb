import assert from 'node:assert/strict';
import { test } from 'node:test';
import { categorySharesOf, createReadingOrder } from './tool-reading.js';
import { toolCategories } from './tool.js';

const tools = [
  { slug: 'mailer', alternatives: [] },
  { slug: 'newcomer', alternatives: ['mailer', 'poster', 'unheard-of'] },
  { slug: 'poster', alternatives: ['mailer'] },
  { slug: 'stranger', alternatives: ['unheard-of'] },
];
/** In the order of the model, with the need between the two. */
const taught = { tools: ['poster', 'mailer'], wishes: ['self', 'open'] };

test('what the model tells stands in the order of the index, beside the likeliest tool', () => {
  const { likeness, need } = createReadingOrder(tools, taught)(Float32Array.of(1, 4, -2));
  assert.deepEqual([likeness[0], likeness[2], need], [0, -3, -2]);
});

test('behind them stands what the message wishes of any tool', () => {
  const { wishes } = createReadingOrder(tools, taught)(Float32Array.of(1, 4, -2, 3, -5));
  assert.deepEqual(
    [...wishes],
    [
      ['self', 3],
      ['open', -5],
    ],
  );
});

test('a tool the model was not taught stands where those alternatives do that it knows', () => {
  const { likeness } = createReadingOrder(tools, taught)(Float32Array.of(1, 4, 0));
  assert.equal(likeness[1], -1.5);
});

test('a tool of which nothing is known is the least likely, and so is what is far behind', () => {
  const { likeness } = createReadingOrder(tools, taught)(Float32Array.of(-90, 4, 0));
  assert.deepEqual([likeness[2], likeness[3]], [-10, -10]);
});

test('categories share what their tools have together', () => {
  const likeness = Float32Array.from([0, Math.log(0.5), Math.log(0.5)]);
  const nothing = new Map<string, number>();
  const shares = categorySharesOf(
    { likeness, need: 0, wishes: nothing, outright: nothing },
    Uint8Array.of(3, 3, 5),
  );
  assert.equal(shares.length, toolCategories.length);
  assert.ok(Math.abs((shares[3] ?? 0) - 0.75) < 1e-6);
  assert.ok(Math.abs((shares[5] ?? 0) - 0.25) < 1e-6);
  assert.equal(shares[0], 0);
});
