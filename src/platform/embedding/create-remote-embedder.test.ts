import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRemoteEmbedder } from './create-remote-embedder.js';
import { EmbedderUnavailable } from './embedder.js';

const silent = { info() {}, warn() {} };
type Call = { url: string; headers: Headers; input: string[] };

function endpoint(answer: (input: string[]) => Response): { fetch: typeof fetch; calls: Call[] } {
  const calls: Call[] = [];
  return {
    calls,
    fetch: (url, init) => {
      // Written by the code under test.
      const { input } = JSON.parse(String(init?.body)) as { input: string[] };
      calls.push({ url: String(url), headers: new Headers(init?.headers), input });
      return Promise.resolve(answer(input));
    },
  };
}
const vectors = (input: string[]): Response =>
  Response.json({
    data: input.map((text, index) => ({ index, embedding: [text.length, 0, 3] })).reverse(),
  });
const base = {
  baseUrl: 'https://models.example/v1/',
  apiKey: 'secret',
  model: 'm',
  timeoutMs: 1000,
  cacheSize: 10,
  log: silent,
};

test('vectors come from the endpoint in order and normalised, and are asked for once', async () => {
  const remote = endpoint(vectors);
  const embedder = createRemoteEmbedder({ ...base, fetch: remote.fetch });
  await embedder.ready;
  assert.equal(embedder.status, 'ready');
  assert.equal(embedder.dimensions, 3);
  const [four] = await embedder.embed(['four', 'longer text', 'four']);
  assert.deepEqual(
    [...four!].map((value) => Math.round(value * 1000)),
    [800, 0, 600],
  );
  await embedder.embed(['longer text']);
  assert.deepEqual(
    remote.calls.map((call) => call.input),
    [['ready'], ['four', 'longer text']],
  );
  assert.equal(remote.calls[0]?.url, 'https://models.example/v1/embeddings');
  assert.equal(remote.calls[0]?.headers.get('authorization'), 'Bearer secret');
  assert.equal(embedder.modelId, 'remote:m');
});

test('an endpoint that is away leaves matching lexical until it is back', async () => {
  let up = false;
  const remote = endpoint((input) => (up ? vectors(input) : new Response('no', { status: 503 })));
  const embedder = createRemoteEmbedder({ ...base, fetch: remote.fetch });
  await embedder.ready;
  assert.equal(embedder.status, 'lexical-only');
  await assert.rejects(embedder.embed(['a']), EmbedderUnavailable);
  up = true;
  await embedder.embed(['a']);
  assert.equal(embedder.status, 'ready');
});

for (const [what, body] of [
  ['no rows', {}],
  ['too few rows', { data: [] }],
  ['null', null],
  ['no numbers', { data: [{ index: 0, embedding: ['x'] }] }],
  ['a zero vector', { data: [{ index: 0, embedding: [0, 0] }] }],
] as const) {
  test(`an answer with ${what} is refused`, async () => {
    const embedder = createRemoteEmbedder({
      ...base,
      fetch: endpoint(() => Response.json(body)).fetch,
    });
    await embedder.ready;
    await assert.rejects(embedder.embed(['a']), EmbedderUnavailable);
  });
}

test('a caller that leaves and a closed embedder stop the request', async () => {
  const hanging: typeof fetch = (_url, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  const embedder = createRemoteEmbedder({ ...base, fetch: hanging });
  const abort = new AbortController();
  const left = embedder.embed(['a'], { signal: abort.signal });
  abort.abort(new Error('gone'));
  await assert.rejects(left, { message: 'gone' });
  await embedder.close();
  await embedder.ready;
});
