import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createProductIndex } from './product-index.js';
import { titleKinship } from './title-kinship.js';

const product = (id: string, title: string, description = '') => ({
  product_id: id,
  title,
  brand: null,
  merchant: 'Shop',
  category: null,
  description,
  color: null,
  currency: 'USD',
  priceMicros: 10_000_000,
  regularPriceMicros: null,
  inStock: true,
  hasImage: true,
});

describe('what the first listings have in common', () => {
  it('counts for others by the rarity of what they share, and no title vouches for itself', () => {
    const asked = new Set([1, 2]);
    const kin = titleKinship(
      [
        [1, 2, 7],
        [1, 2, 7, 8],
        [1, 2, 9],
        [1, 7, 8],
        [1, 2],
      ],
      [0, 0, 0, 0, 0],
      (term) => asked.has(term),
      () => 1,
    );
    assert.equal(kin[2], 0);
    assert.equal(kin[4], 0);
    assert.ok((kin[3] ?? 0) > 0 && (kin[1] ?? 0) > 0);
  });

  it('is not said five times over by the sizes of one thing', () => {
    const sizes = Array.from({ length: 5 }, () => [1, 7]);
    const kin = (groups: number[]) =>
      titleKinship(
        [...sizes, [1, 8], [1, 8]],
        groups,
        (term) => term === 1,
        () => 1,
      );
    assert.equal(kin([3, 3, 3, 3, 3, 0, 0])[6], kin([3, 3, 3, 3, 3, 0, 0])[5]);
    assert.equal(kin([0, 0, 0, 0, 0, 0, 0])[6], 0);
    assert.ok((kin([3, 3, 3, 3, 3, 0, 0])[6] ?? 0) > 0);
  });

  it('a listing with every word in its running text stays when it ranks level with what fits', () => {
    const index = createProductIndex();
    index.bulk([
      product('title', 'Quartz tumbler bracket'),
      product('text', 'Wall mount', 'Tumbler holder'),
      product('aside', 'Garden chair', `${'Soft and wide. '.repeat(40)} Holds a tumbler.`),
      ...Array.from({ length: 40 }, (_, at) => product(`other${at}`, `Plain lamp ${at}`)),
    ]);
    const ids = index.search({ query: 'tumbler', limit: 10, fit: true }).hits.map(({ id }) => id);
    assert.deepEqual(ids.slice(0, 1), ['title']);
    assert.ok(!ids.includes('aside'));
  });
});
