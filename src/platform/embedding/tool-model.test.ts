import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readTools } from '../catalog-folder/read-tools.js';
import { messageTokens, readToolLayout, readToolVocabulary } from './tool-model.js';
import { createToolReader, type ToolReader } from './tool-reader.js';
import { createWordPiece } from './word-piece.js';

const { samples, tools, wishes } = readToolLayout();
let reader: ToolReader;
before(async () => {
  const log = { info() {}, warn() {} };
  reader = createToolReader({ workers: 1, cacheSize: 10, log, patienceMs: Infinity });
  await reader.ready;
});
after(() => reader.close());

test('messages become the tokens they were trained as', () => {
  const tokenizer = createWordPiece(readToolVocabulary());
  assert.ok(samples.length >= 3);
  for (const { text, ids } of samples) assert.deepEqual(messageTokens(tokenizer, text), ids);
});

test('the weights that ship tell the tools they told after training', async () => {
  for (const { text, best, need, wishes: wished } of samples) {
    const [row] = await reader.embed([text]);
    assert.ok(row !== undefined);
    // Whole numbers round: of two tools that are as likely either may come first.
    const most = Math.max(...row.subarray(0, tools.length));
    assert.ok((row[tools.indexOf(best)] ?? 0) > most - 1.5, `${text}: ${best}`);
    assert.ok(Math.abs((row[tools.length] ?? 0) - need) < 1, text);
    const told = wishes.filter((_, at) => (row[tools.length + 1 + at] ?? 0) > 0);
    assert.deepEqual(told, wished, text);
  }
});

test('every tool of the index was taught', async () => {
  const taught = new Set(tools);
  const others = (await readTools()).flatMap(({ slug }) => (taught.has(slug) ? [] : [slug]));
  assert.deepEqual(others, [], 'npm run train:tools');
});
