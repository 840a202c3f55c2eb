import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { itemProblems } from '../../../domain/commerce/catalog-item.js';
import { colorsIn } from '../../../domain/search/colors.js';
import { categorize, productCategories } from '../../../domain/search/product-categories.js';
import { productTokens } from '../../../domain/search/product-tokens.js';
import { makeDemoProducts } from './demo-products.js';
import { readDemoShops } from './seed-demo-products.js';

const { merchants, shelves } = readDemoShops();
const shops = merchants.map((merchant) => ({
  merchant,
  items: makeDemoProducts(merchant, merchants, shelves),
}));
const all = shops.flatMap(({ items }) => items);

describe('demo products', () => {
  it('fill a believable market: merchants, shelves, currencies, sales, colours and sizes', () => {
    assert.ok(all.length >= 2000);
    assert.ok(merchants.length >= 12);
    assert.deepEqual(new Set(all.map((item) => item.currency)), new Set(['USD', 'EUR']));
    const onSale = all.filter(
      (item) => item.salePriceMicros !== null && item.salePriceMicros < item.priceMicros,
    ).length;
    assert.ok(onSale > all.length * 0.1 && onSale < all.length * 0.4);
    assert.ok(
      all.filter((item) => {
        const { low, high } = colorsIn(productTokens(item.title).words);
        return (low | high) !== 0;
      }).length > 800,
    );
    assert.ok(all.filter((item) => item.sizes.length > 0).length > 800);
    assert.ok(all.some((item) => !item.inStock));
  });

  it('stand on the shelf they were made for, each of the fifteen', () => {
    for (const shelf of shelves) {
      for (const merchant of merchants.filter((each) => each.shelves.includes(shelf.shelf))) {
        for (const item of makeDemoProducts(merchant, merchants, [shelf]))
          assert.equal(categorize(item.category, item.title), shelf.shelf, item.title);
      }
    }
    assert.deepEqual(new Set(shelves.map((shelf) => shelf.shelf)), new Set(productCategories));
  });

  it('are valid, unlike each other and the same every time', () => {
    for (const { merchant, items } of shops) {
      assert.equal(new Set(items.map((item) => item.externalId)).size, items.length);
      assert.deepEqual(makeDemoProducts(merchant, merchants, shelves), items);
    }
    for (const item of all) assert.deepEqual(itemProblems(item), []);
  });
});
