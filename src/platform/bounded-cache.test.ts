import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createBoundedCache, remember } from './bounded-cache.js';

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
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer())),
      (limit, writes) => {
        const cache = createBoundedCache<number, number>(limit);
        const last = new Map<number, number>();
        for (const [key, value] of writes) {
          cache.set(key, value);
          last.set(key, value);
          assert.ok(cache.size <= limit);
          assert.equal(cache.get(key), value);
        }
        for (const [key, value] of last) assert.ok([undefined, value].includes(cache.get(key)));
      },
    ),
  );
});

test('what is used again and again is never forgotten', () => {
  const cache = createBoundedCache<number, number>(10);
  cache.set(0, 0);
  for (let n = 1; n < 1000; n += 1) {
    cache.set(n, n);
    assert.equal(cache.get(0), 0);
  }
});

test('a remembered function is asked once for each argument it still knows', () => {
  let asked = 0;
  const twice = remember((n: number) => ((asked += 1), n * 2), 4);
  assert.deepEqual([twice(1), twice(1), twice(2), twice(1)], [2, 2, 4, 2]);
  assert.equal(asked, 2);
});
