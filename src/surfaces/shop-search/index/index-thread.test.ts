import assert from 'node:assert/strict';
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
