import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { openShopSearch } from '../../../test/support/open-shop-search.js';
import { openEmbeddedTestDatabase } from '../../../test/support/test-database.js';

describe('a colour that is not there', () => {
  const { search, stock } = openShopSearch({ name: 'embedded', open: openEmbeddedTestDatabase });
  const names = async (query: string, more = {}): Promise<string[]> =>
    (await search({ query, max_results: 5, ...more })).products.map(({ name }) => name);

  before(() =>
    stock('Colours', [
      { category: 'Kitchen > Kettles', title: 'Wombat kettle, navy' },
      { category: 'Kitchen > Kettles', title: 'Wombat kettle, white' },
      { category: 'Kitchen > Kettles', title: 'Wombat kettle, burgundy' },
      { category: 'Kitchen > Kettles', title: 'Wombat kettle' },
      { category: 'Makeup > Lipstick', title: 'Wombat lipstick, purple' },
      { category: 'Kitchen > Jugs', title: 'Wombat jug, red', attributes: { material: 'glass' } },
    ]),
  );

  it('makes nothing the thing that is not, though other things have it', async () => {
    for (const [query, thing, color] of [
      ['purple backpack', /Backpack/, 'purple'],
      ['dark purple backpack', /Backpack/, 'purple'],
      ['purple jacket', /Jacket/, 'purple'],
      ['purple headphones', /Headphones|Earbuds/, 'purple'],
      ['headphones purple', /Headphones|Earbuds/, 'purple'],
      ['purple kettle', /kettle/i, 'purple'],
      ['plum coat', /Coat/, 'plum'],
      ['rose gold headphones', /Headphones|Earbuds/, 'rose gold'],
      ['purple running shoes', /Running Shoes/, 'purple'],
      ['pink running shoes', /Running Shoes/, 'pink'],
    ] as const) {
      const { products, reasoning } = await search({ query, max_results: 5 });
      assert.equal(products.length, 5, query);
      for (const { name } of products) assert.match(name, thing, query);
      assert.match(reasoning, new RegExp(`stands in for ${color}, a colour nothing that fits has`));
    }
  });

  it('is stood in for by those that look most like it', async () => {
    const first = async (query: string): Promise<string> => (await names(query))[0] ?? '';
    assert.match(await first('purple jacket'), /Burgundy/);
    assert.match(await first('yellow dress'), /Olive Green/);
    assert.match(await first('pink running shoes'), /Red|Tan/);
    assert.match(await first('rose gold headphones'), /Silver/);
    assert.match(await first('gold sneakers'), /Brown/);
    assert.deepEqual(
      await names('purple wombat kettle', { merchants: ['Colours'], max_results: 4 }),
      ['Wombat kettle, burgundy', 'Wombat kettle, navy', 'Wombat kettle', 'Wombat kettle, white'],
    );
  });

  it('is there in a shade of it', async () => {
    const { products, reasoning } = await search({ query: 'blue wombat kettle' });
    assert.equal(products[0]?.name, 'Wombat kettle, navy');
    assert.doesNotMatch(reasoning, /stands in/);
  });

  it('brings in nothing where the thing itself is not there', async () => {
    assert.deepEqual(await names('red wine glasses'), []);
    assert.deepEqual(await names('purple zeppelin'), []);
  });
});
