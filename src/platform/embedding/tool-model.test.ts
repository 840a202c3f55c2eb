import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readTools } from '../catalog-folder/read-tools.js';
import { readVocabulary } from './reader-model.js';
import { messageTokens, readToolLayout } from './tool-model.js';
import { createToolReader, type ToolReader } from './tool-reader.js';
import { createWordPiece } from './word-piece.js';

const { samples, tools } = readToolLayout();
let reader: ToolReader;
before(async () => {
  const log = { info() {}, warn() {} };
  reader = createToolReader({ workers: 1, cacheSize: 10, log, patienceMs: Infinity });
  await reader.ready;
});
after(() => reader.close());

test('messages become the tokens they were trained as', () => {
  const tokenizer = createWordPiece(readVocabulary());
  assert.ok(samples.length >= 3);
  for (const { text, ids } of samples) assert.deepEqual(messageTokens(tokenizer, text), ids);
});

test('the weights that ship tell the tools they told after training', async () => {
  for (const { text, best, need } of samples) {
    const [row] = await reader.embed([text]);
    assert.ok(row !== undefined);
    const likeliest = tools[row.indexOf(Math.max(...row.subarray(0, tools.length)))];
    assert.equal(likeliest, best, text);
    assert.ok(Math.abs((row[tools.length] ?? 0) - need) < 1, text);
  }
});

test('every tool of the index was taught', async () => {
  const taught = new Set(tools);
  const others = (await readTools()).flatMap(({ slug }) => (taught.has(slug) ? [] : [slug]));
  assert.deepEqual(others, [], 'npm run train:tools');
});
