import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildVectors, readBuiltVectors } from './built-vectors.js';
import type { Embedder } from './embedder.js';

describe('vectors made by the build', () => {
  let folder: string;
  let file: URL;
  let asked: string[] = [];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sidelight-vectors-'));
    file = pathToFileURL(join(folder, 'vectors.bin'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const open =
    (status: 'ready' | 'lexical-only' = 'ready') =>
    (): Embedder => ({
      modelId: 'm',
      status,
      dimensions: 3,
      ready: Promise.resolve(),
      peek: () => undefined,
      close: () => Promise.resolve(),
      embed: (texts) => {
        asked.push(...texts);
        return Promise.resolve(
          texts.map((text) => Float32Array.from([text.length / 10, 0.5, -0.25])),
        );
      },
    });

  it('only texts that are new are embedded, and every text gets its own vector back', async () => {
    assert.equal(await buildVectors(file, ['a', 'bb', 'a'], 'm', open()), 2);
    asked = [];
    assert.equal(await buildVectors(file, ['a', 'bb', 'ccc'], 'm', open()), 1);
    assert.deepEqual(asked, ['ccc']);
    const [a, ccc, missing] = await readBuiltVectors(file, 'm', ['a', 'ccc', 'dddd']);
    assert.ok(Math.abs((a?.[0] ?? 0) - 0.1) < 0.005 && Math.abs((ccc?.[0] ?? 0) - 0.3) < 0.005);
    assert.equal(missing, null);
    assert.equal(await buildVectors(file, ['a', 'bb', 'ccc'], 'm', open()), 0);
  });

  it('vectors of another model, a torn file or no file at all are not read', async () => {
    assert.deepEqual(await readBuiltVectors(file, 'other', ['a']), [null]);
    assert.deepEqual(await readBuiltVectors(file, null, ['a']), [null]);
    assert.deepEqual(await readBuiltVectors(pathToFileURL(join(folder, 'none')), 'm', ['a']), [
      null,
    ]);
    truncateSync(file, 20);
    assert.deepEqual(await readBuiltVectors(file, 'm', ['a']), [null]);
  });

  it('without a model nothing is written', async () => {
    assert.equal(
      await buildVectors(
        pathToFileURL(join(folder, 'other.bin')),
        ['a'],
        'm',
        open('lexical-only'),
      ),
      0,
    );
    assert.deepEqual(await readBuiltVectors(pathToFileURL(join(folder, 'other.bin')), 'm', ['a']), [
      null,
    ]);
  });
});
