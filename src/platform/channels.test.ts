import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channels } from './channels.js';

test('what is written on a channel is read from it', () => {
  const { inventory, catalog, dislikes, choices } = channels;
  for (const news of [
    { campaignId: 'c', adGroupId: null },
    { campaignId: 'c', adGroupId: 'g' },
  ])
    assert.deepEqual(inventory.read(inventory.write(news)), news);
  for (const news of [
    { batchId: 'b', goesOn: true, productIds: ['prd_1', 'prd_2'] },
    { batchId: 'b', goesOn: false, productIds: null },
    'merchants',
  ] as const)
    assert.deepEqual(catalog.read(catalog.write(news)), news);
  const many = Array.from({ length: 400 }, (_, n) => `prd_${String(n).padStart(20, '0')}`);
  for (const productIds of [many, ['of two words'], []]) {
    const payload = catalog.write({ batchId: 'b', goesOn: true, productIds });
    assert.ok(payload.length < 8000);
    assert.deepEqual(catalog.read(payload), { batchId: 'b', goesOn: true, productIds: null });
  }
  const dislike = { publisherId: 'p', subject: 'somebody: with "marks"', adId: 'a' };
  assert.deepEqual(dislikes.read(dislikes.write(dislike)), dislike);
  for (const news of [
    { publisherId: 'p', subject: '~s' },
    { advertiserId: 'a', identity: 'i' },
  ])
    assert.deepEqual(choices.read(choices.write(news)), news);
});

test('an empty message means that everything may have changed', () => {
  for (const channel of Object.values(channels)) assert.equal(channel.read(''), null);
});

test('no two channels have one name', () => {
  const names = Object.values(channels).map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});
