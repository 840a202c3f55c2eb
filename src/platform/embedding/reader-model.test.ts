import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { joinTurns } from '../../domain/reading/turns.js';
import { createReader, type Reader } from './create-reader.js';
import { encodeTurns, readReaderLayout, readVocabulary } from './reader-model.js';
import { createWordPiece } from './word-piece.js';

const { samples } = readReaderLayout();
const turnsOf = (sample: (typeof samples)[number]) => ({
  newest: sample.newest,
  previous: sample.previous,
  assistant: sample.answer,
});

let reader: Reader;
before(async () => {
  reader = createReader({
    workers: 1,
    cacheSize: 10,
    log: { info() {}, warn() {} },
    patienceMs: Infinity,
  });
  await reader.ready;
});
after(() => reader.close());

test('conversations become the tokens they were trained as', () => {
  const tokenizer = createWordPiece(readVocabulary());
  assert.ok(samples.length >= 4);
  for (const sample of samples)
    assert.deepEqual(encodeTurns(tokenizer, joinTurns(turnsOf(sample))), {
      ids: sample.ids,
      types: sample.types,
    });
});

test('the weights that ship read as they did after training', async () => {
  for (const sample of samples) {
    const reading = await reader.read(turnsOf(sample));
    const cosine = reading.vector.reduce(
      (sum, value, at) => sum + value * (sample.vector[at] ?? 0),
      0,
    );
    assert.ok(cosine > 0.97, `${sample.newest}: ${cosine}`);
    assert.ok(Math.abs(reading.need - (sample.heads[0] ?? 0)) < 1, String(reading.need));
  }
});

test('a conversation is read once', async () => {
  const turns = { newest: 'a tent for four', previous: null, assistant: null };
  assert.equal(reader.peek(turns), undefined);
  const reading = await reader.read(turns);
  assert.deepEqual(reader.peek(turns), reading);
});

test('an offer and a conversation of the same words lie in the same place', async () => {
  const [offer] = await reader.embed(['tents for families']);
  const said = { newest: 'tents for families', previous: null, assistant: null };
  const { vector } = await reader.read(said);
  assert.deepEqual(offer, vector.slice());
});
