import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ProductDocument } from '../../../domain/search/product-document.js';
import { startIndexThread } from './index-thread.js';

function listing(id: number): ProductDocument {
  return {
    product_id: String(id),
    title: `Desk lamp ${id}`,
    brand: null,
    merchant: 'Shop',
    category: null,
    description: 'warm light '.repeat(60),
    currency: 'USD',
    priceMicros: 10_000_000,
    regularPriceMicros: null,
    inStock: true,
    hasImage: true,
  };
}

const lamps = { query: 'lamp', limit: 3, fit: true };

test('a search is answered before a long list of changes is in, and finds all of it afterwards', async () => {
  const thread = startIndexThread(assert.fail);
  const order: string[] = [];
  const changed = thread
    .change(Array.from({ length: 4000 }, (_, id) => ({ upsert: listing(id) })))
    .then(() => order.push('changed'));
  const early = await thread.search(lamps);
  order.push('searched');
  await changed;
  assert.deepEqual(order, ['searched', 'changed']);
  assert.ok(early.total < 4000);
  assert.equal((await thread.search(lamps)).total, 4000);
  await thread.change([{ remove: '7' }, { remove: 'unknown' }]);
  assert.deepEqual([thread.size, (await thread.search(lamps)).total], [3999, 3999]);
  await thread.close();
});

test('what cannot be indexed fails alone, and what is asked of a closed index is refused', async () => {
  const thread = startIndexThread(assert.fail);
  // A title that is no text, as no door lets it in.
  const broken = { ...listing(1), title: null } as unknown as ProductDocument;
  await assert.rejects(thread.change([{ upsert: broken }]), TypeError);
  await thread.change([{ upsert: listing(2) }]);
  assert.equal((await thread.search(lamps)).total, 1);
  const due = thread.search(lamps);
  const closing = thread.close();
  await assert.rejects(due, { name: 'IndexThreadLost' });
  await closing;
  await assert.rejects(thread.search(lamps), { name: 'IndexThreadLost' });
});

test('an index that was saved answers as it did, and goes on from there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-index-'));
  const path = join(folder, 'product-index');
  const first = startIndexThread(assert.fail);
  await first.change(
    Array.from({ length: 900 }, (_, id) => ({
      upsert: { ...listing(id), brand: `Brand ${id % 7}`, sizes: [`${id % 9} cm`] },
    })),
  );
  await first.change([{ remove: '3' }]);
  const asked = ['lamp', 'brand 4 lamp', 'desk lamp 77', 'dsk lamp', 'lamp 5 cm'];
  const answers = (thread: typeof first) =>
    Promise.all(
      asked.map(async (query) => {
        const found = await thread.search({ query, limit: 20, fit: true });
        return { ...found, facets: await found.facets };
      }),
    );
  const before = await answers(first);
  const [, during] = await Promise.all([first.save(path), first.search(lamps)]);
  assert.equal(during.total, 899);
  await first.close();

  const second = startIndexThread(assert.fail);
  assert.equal(await second.load(path), null);
  assert.equal(second.size, 899);
  assert.deepEqual(await answers(second), before);
  await second.change([{ upsert: { ...listing(5), title: 'Oil lantern' } }]);
  await second.change(
    Array.from({ length: 400 }, (_, id) => ({ upsert: listing(id === 5 ? 2000 : id) })),
  );
  assert.equal((await second.search({ ...lamps, query: 'lantern' })).total, 1);
  // Nobody told of the rest.
  await second.retain();
  assert.equal(second.size, 401);
  await second.close();
  rmSync(folder, { recursive: true });
});

test('a saved index that is damaged, or that other code made, is not read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-index-'));
  const path = join(folder, 'product-index');
  const thread = startIndexThread(assert.fail);
  assert.equal(await thread.load(path), null);
  await thread.change([{ upsert: listing(1) }]);
  await thread.save(path);
  await thread.close();
  const saved = readFileSync(path);
  for (const [place, reason] of [
    [saved.length >> 1, 'damaged'],
    [0, 'made by other code'],
  ] as const) {
    const hurt = Buffer.from(saved);
    hurt[place] = (hurt[place] ?? 0) ^ 1;
    writeFileSync(path, hurt);
    const next = startIndexThread(assert.fail);
    assert.equal(await next.load(path), reason);
    assert.equal(next.size, 0);
    await next.close();
  }
  rmSync(folder, { recursive: true });
});

test('who searches while the thread practises is answered, and as always', async () => {
  const thread = startIndexThread(assert.fail);
  thread.practise();
  assert.equal((await thread.search(lamps)).total, 0);
  await thread.change(Array.from({ length: 500 }, (_, id) => ({ upsert: listing(id) })));
  const { facets, ...before } = await thread.search(lamps);
  thread.practise();
  thread.practise();
  for (let round = 0; round < 20; round++) {
    const { facets: again, ...found } = await thread.search(lamps);
    assert.deepEqual(found, before);
    assert.deepEqual(await again, await facets);
  }
  assert.deepEqual((await facets).merchants, [{ value: 'Shop', count: 500 }]);
  await thread.close();
  await assert.rejects(thread.search(lamps), { name: 'IndexThreadLost' });
  thread.practise();
});
