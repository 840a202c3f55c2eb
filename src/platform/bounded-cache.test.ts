import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createBoundedCache } from './bounded-cache.js';

test('a full cache forgets the entry unused for longest', () => {
  const cache = createBoundedCache<string, number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  assert.equal(cache.get('b'), undefined);
  assert.equal(cache.get('a'), 1);
  assert.equal(cache.get('c'), 3);
});

test('a cache never holds more than its limit and only ever answers the last value set', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer())), (limit, writes) => {
    const cache = createBoundedCache<number, number>(limit);
    const last = new Map<number, number>();
    for (const [key, value] of writes) {
      cache.set(key, value);
      last.set(key, value);
      assert.ok(cache.size <= limit);
      assert.equal(cache.get(key), value);
    }
    for (const [key, value] of last) assert.ok([undefined, value].includes(cache.get(key)));
  }));
});
