import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { uuidTime } from '../domain/uuid.js';
import { createMintId } from './ids.js';

describe('minted ids', () => {
  it('sort in the order they were minted, also within a millisecond', () => {
    const mintId = createMintId();
    const ids = Array.from({ length: 3_000 }, (_, index) =>
      mintId(1_800_000_000_000 + (index >> 9)),
    );
    assert.deepEqual([...ids].sort(), ids);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(uuidTime(ids[0] ?? ''), 1_800_000_000_000);
  });

  it('stay different when a clock stands still', () => {
    const mintId = createMintId();
    const ids = new Set(Array.from({ length: 20_000 }, () => mintId(1_800_000_000_000)));
    assert.equal(ids.size, 20_000);
  });
});
