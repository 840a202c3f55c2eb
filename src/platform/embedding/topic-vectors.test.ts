import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { topicTexts } from '../../domain/matching/topic-catalogue.js';
import type { Embedder } from './embedder.js';
import { buildTopicVectors, loadTopicVectors } from './topic-vectors.js';

let folder: string;
let file: URL;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'topic-vectors-'));
  file = pathToFileURL(join(folder, 'topics.bin'));
});
after(() => rm(folder, { recursive: true }));

/** A model that writes the length of a text into its vector. */
function fakeEmbedder(
  modelId: string,
  status: Embedder['status'] = 'ready',
): Embedder & { asked: number } {
  return {
    asked: 0,
    modelId,
    status,
    dimensions: 2,
    embed(texts) {
      this.asked += texts.length;
      return Promise.resolve(texts.map((text) => Float32Array.of(text.length, 1)));
    },
    peek: () => undefined,
    ready: Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

test('what the build wrote is read without embedding anything', async () => {
  const embedder = fakeEmbedder('one');
  assert.equal(await buildTopicVectors(() => embedder, 'one', file), true);
  assert.equal(
    await buildTopicVectors(() => assert.fail('the file is up to date'), 'one', file),
    false,
  );
  const later = fakeEmbedder('one');
  const vectors = await loadTopicVectors(later, undefined, file);
  assert.equal(later.asked, 0);
  assert.deepEqual(
    vectors.map(([length]) => length),
    topicTexts.map((text) => text.length),
  );
});

test('a file of another model, a damaged file and a missing one are not used', async () => {
  const other = fakeEmbedder('two');
  await loadTopicVectors(other, undefined, file);
  assert.equal(other.asked, topicTexts.length);
  const damaged = pathToFileURL(join(folder, 'damaged.bin'));
  await writeFile(damaged, (await readFile(file)).subarray(0, 999));
  for (const wrong of [damaged, pathToFileURL(join(folder, 'none.bin'))]) {
    const embedder = fakeEmbedder('one');
    await loadTopicVectors(embedder, undefined, wrong);
    assert.equal(embedder.asked, topicTexts.length);
  }
});

test('without a model nothing is built', async () => {
  const target = pathToFileURL(join(folder, 'never.bin'));
  assert.equal(
    await buildTopicVectors(() => fakeEmbedder('one', 'lexical-only'), 'one', target),
    false,
  );
  await assert.rejects(readFile(target));
});
