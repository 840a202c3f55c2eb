import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findUnsupportedClaims } from './claims.js';

describe('claims', () => {
  const page = 'Free returns for 30 days. From $1,200. Our lightest tent. Rated by 4,500 campers.';
  it('a figure, price, superlative or guarantee nobody made is found', () => {
    assert.deepEqual(findUnsupportedClaims('The best tent, guaranteed for 10 years.', [page]), [
      'best',
      'guaranteed',
      '10',
    ]);
    assert.deepEqual(findUnsupportedClaims('Only $30', [page]), ['only', '$30']);
    assert.deepEqual(findUnsupportedClaims('Save 30%', [page]), ['save', '30%']);
  });
  it('what a source says may be said', () => {
    assert.deepEqual(findUnsupportedClaims('Free returns for 30 days, from $1200.', [page]), []);
    assert.deepEqual(
      findUnsupportedClaims('A tent for two weeks outdoors', [page, 'two weeks']),
      [],
    );
  });
});
