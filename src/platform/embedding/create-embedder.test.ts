import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createEmbedder } from './create-embedder.js';
import { EmbedderUnavailable, createNoEmbedder } from './embedder.js';
import type { Embedder } from './embedder.js';

const silent = { info() {}, warn() {} };
const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * other[at]!, 0);

let embedder: Embedder;
before(async () => {
  embedder = createEmbedder({ workers: 1, cacheSize: 3, log: silent, patienceMs: Infinity });
  await embedder.ready;
});
after(() => embedder.close());

test('vectors are normalised and as long as the model says', async () => {
  const [vector] = await embedder.embed(['a quiet dishwasher']);
  assert.equal(embedder.status, 'ready');
  assert.equal(vector?.length, embedder.dimensions);
  assert.ok(Math.abs(dot(vector!, vector!) - 1) < 1e-5);
});

test('near meanings have a larger dot product than far ones', async () => {
  const [stranded, insurance, pizza] = await embedder.embed([
    'my flight got cancelled and I am stuck',
    'Travel insurance for trip cancellations',
    'Stone for baking pizza',
  ]);
  assert.ok(dot(stranded!, insurance!) > dot(stranded!, pizza!) + 0.1);
});

test('a text has the same vector whatever it is embedded with', async () => {
  const [alone] = await embedder.embed(['winter tyres for a small car']);
  await embedder.embed(['one', 'two', 'three', 'four']);
  const [, together] = await embedder.embed([
    'a much longer text about something quite different',
    'winter tyres for a small car',
  ]);
  assert.deepEqual(together, alone);
});

test('the cache is bounded and answers without work', async () => {
  await embedder.embed(['p', 'q', 'r', 's']);
  assert.equal(embedder.peek('p'), undefined);
  assert.ok(embedder.peek('s'));
});

test('empty, long and foreign texts are embedded too', async () => {
  const vectors = await embedder.embed([
    '',
    'word '.repeat(5000),
    '東京の天気',
    '\u0000\u0007 tab\tnew\nline',
    '👩‍👩‍👧 🙂',
    'x'.repeat(100_000),
  ]);
  for (const vector of vectors) assert.ok(vector.every(Number.isFinite));
});

test('the same text asked for twice at once is one vector', async () => {
  const [[one], [other]] = await Promise.all([
    embedder.embed(['twice at once']),
    embedder.embed(['twice at once']),
  ]);
  assert.equal(one, other);
});

test('an aborted caller leaves, and the text can be asked for again', async () => {
  const abort = new AbortController();
  const blocking = embedder.embed([
    'a text that keeps the only thread busy for a while '.repeat(8),
  ]);
  const left = embedder.embed(['waiting in the queue'], { signal: abort.signal });
  abort.abort(new Error('gone'));
  await assert.rejects(left, { message: 'gone' });
  const [again] = await embedder.embed(['waiting in the queue']);
  assert.equal(again?.length, 384);
  await blocking;
  await assert.rejects(embedder.embed(['x'], { signal: abort.signal }), { message: 'gone' });
});

test('conversations go before texts waiting to be indexed', async () => {
  const order: string[] = [];
  const indexing = ['i1', 'i2', 'i3'].map((text) =>
    embedder.embed([`index ${text}`], { priority: 'indexing' }).then(() => order.push(text)),
  );
  const conversation = embedder
    .embed(['someone is waiting'])
    .then(() => order.push('conversation'));
  await Promise.all([...indexing, conversation]);
  assert.ok(order.indexOf('conversation') <= 1, order.join());
});

test('a thread that is given no core while someone waits is relieved by one that does not stand back', async () => {
  // Simulated: a thread that stands back answers only when the other has read everything.
  const over = join(mkdtempSync(join(tmpdir(), 'sidelight-test-')), 'over');
  const simulated = `import { existsSync, writeFileSync } from 'node:fs';
    import { parentPort, workerData } from 'node:worker_threads';
    const over = ${JSON.stringify(over)};
    const answer = (value) => parentPort.postMessage({ kind: 'vector', vector: new Float32Array(384).fill(value) });
    const answerAfter = () => existsSync(over) ? answer(0) : setTimeout(answerAfter, 20);
    parentPort.on('message', ({ text }) => {
      if (workerData.standsBack) return answerAfter();
      if (text === 'three') writeFileSync(over, '');
      answer(text.length);
    });
    parentPort.postMessage({ kind: 'loaded' });`;
  const warned: string[] = [];
  const starved = createEmbedder({
    workers: 1,
    cacheSize: 3,
    log: { info() {}, warn: (_, message) => warned.push(message) },
    workerUrl: new URL(`data:text/javascript,${encodeURIComponent(simulated)}`),
  });
  await starved.ready;
  const [[first], [second]] = await Promise.all([starved.embed(['one']), starved.embed(['three'])]);
  assert.deepEqual([first?.[0], second?.[0]], [3, 5]);
  assert.equal(warned.length, 1);
  await starved.close();
});

test('a model that cannot load leaves matching lexical', async () => {
  const broken = createEmbedder({
    workers: 2,
    cacheSize: 3,
    log: silent,
    workerUrl: new URL('data:text/javascript,throw new Error("no native part")'),
  });
  const waiting = broken.embed(['hello']);
  await assert.rejects(waiting, EmbedderUnavailable);
  await broken.ready;
  assert.equal(broken.status, 'lexical-only');
  assert.equal(broken.modelId, null);
  await assert.rejects(broken.embed(['hello']), EmbedderUnavailable);
  await broken.close();
});

test('closing while loading settles everything', async () => {
  const closing = createEmbedder({ workers: 1, cacheSize: 3, log: silent });
  const waiting = closing.embed(['hello']);
  const refused = assert.rejects(waiting, EmbedderUnavailable);
  await closing.close();
  await closing.ready;
  await refused;
});

test('without an embedder every call says so', async () => {
  const none = createNoEmbedder();
  assert.equal(none.status, 'lexical-only');
  await assert.rejects(none.embed(['hello']), EmbedderUnavailable);
});

test('one that waits to be asked loads with the first text', async () => {
  const loaded: string[] = [];
  const simulated = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ text }) =>
      parentPort.postMessage({ kind: 'vector', vector: new Float32Array(384).fill(text.length) }));
    parentPort.postMessage({ kind: 'loaded' });`;
  const asleep = createEmbedder({
    workers: 1,
    cacheSize: 3,
    log: { info: (_, message) => loaded.push(message), warn() {} },
    patienceMs: Infinity,
    whenAsked: true,
    workerUrl: new URL(`data:text/javascript,${encodeURIComponent(simulated)}`),
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.deepEqual([asleep.status, loaded], ['asleep', []]);
  const [vector] = await asleep.embed(['lamp']);
  assert.deepEqual([vector?.[0], asleep.status, loaded.length], [4, 'ready', 1]);
  await asleep.close();
});
