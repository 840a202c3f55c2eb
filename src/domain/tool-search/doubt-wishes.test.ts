import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWishDoubts } from './doubt-wishes.js';
import type { Tool } from './tool.js';

const toolWith = (selfHostable: boolean, regions: readonly string[]) =>
  ({
    facts: {
      self_hostable: selfHostable,
      open_source: false,
      free_tier: null,
      price_level: 2,
      regions,
      languages: [],
      frameworks: [],
    },
    credentials: null,
  }) as unknown as Tool; // All that conditions ask for.
/** A service with servers in the US, another one in the EU, and one to be run by oneself. */
const doubted = createWishDoubts([
  toolWith(false, ['us']),
  toolWith(false, ['eu']),
  toolWith(true, []),
]);
const heard = (likeness: readonly number[], odds: Record<string, number>) =>
  Object.fromEntries(
    doubted({
      likeness: Float32Array.from(likeness),
      need: 3,
      wishes: new Map(Object.entries(odds)),
      outright: new Map(),
    }).wishes,
  );

test('a wish that the likeliest tools meet stays as it was heard', () => {
  assert.deepEqual(heard([-9, -9, 0], { self: 2 }), { self: 2 });
  assert.deepEqual(heard([0, -9, -1], { self: 2 }), { self: 2 });
});

test('a wish is doubted the more, the further behind everything is that meets it', () => {
  assert.deepEqual(heard([0, -9, -5], { self: 2, us: 3 }), { self: 0, us: 3 });
  assert.deepEqual(heard([0, -9, -9], { self: 2, eu: 3 }), { self: -2, eu: -1 });
});

test('what no condition stands for is not doubted', () => {
  assert.deepEqual(heard([0, -9, -9], { cheap: 2, 'not-us': 1 }), { cheap: 2, 'not-us': 1 });
});
