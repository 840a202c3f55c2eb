import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { openShopSearch } from '../../../test/support/open-shop-search.js';
import { openEmbeddedTestDatabase } from '../../../test/support/test-database.js';

describe('numbers in a search', () => {
  const { search, stock } = openShopSearch({ name: 'embedded', open: openEmbeddedTestDatabase });
  const merchants = ['Numbers'];
  const found = async (query: string): Promise<string[]> =>
    (await search({ query, merchants })).products.map(({ name }) => name);

  before(() =>
    stock('Numbers', [
      { title: 'Quoll impact drill', attributes: { gtin: '4006381333931', mpn: 'IDR/200.4' } },
      { title: 'Quoll hand saw', attributes: { gtin: '0012345678905', mpn: 'BX-18V-77' } },
      { title: 'Quoll tent for 4 persons', attributes: { gtin: '4006381333948' } },
      { title: 'Quoll 4-person tent' },
      { title: 'Quoll 2-person tent' },
      { title: 'Quoll three-ring binder' },
      { title: 'Quoll field guide', attributes: { gtin: '9783161484100' } },
      { title: 'Quoll songbook', attributes: { isbn: '0-8044-2957-X' } },
      { title: 'Quoll socks 36 37 38 39 40 41 42 43 44 45' },
      { title: 'Quoll herbal', attributes: { ISBN: '978-3-16-148411-7' } },
    ]),
  );

  it('what a part number is called before it is no part of it', async () => {
    for (const query of [
      'gtin 4006381333931',
      'EAN: 4006381333931',
      'Artikelnummer 4006381333931',
      '4006381333931',
      'model number IDR/200.4',
    ])
      assert.deepEqual(await found(query), ['Quoll impact drill'], query);
  });

  it('noughts before an article number change nothing', async () => {
    for (const query of ['012345678905', '12345678905', '0012345678905', 'upc 012345678905'])
      assert.deepEqual(await found(query), ['Quoll hand saw'], query);
  });

  it('a part number is found with and without its points, strokes and hyphens', async () => {
    for (const query of ['IDR200.4', 'IDR/200.4', 'idr2004', 'IDR-200.4'])
      assert.deepEqual(await found(query), ['Quoll impact drill'], query);
    for (const query of ['BX-18V-77', 'BX18V77', 'bx 18v 77'])
      assert.deepEqual(await found(query), ['Quoll hand saw'], query);
  });

  it('the number of a book is found as it is printed and as it is scanned', async () => {
    for (const query of [
      '978-3-16-148410-0',
      'ISBN 978 3 16 148410 0',
      'isbn: 978-3161484100',
      'field guide 978-3-16-148410-0',
    ])
      assert.equal((await found(query))[0], 'Quoll field guide', query);
    for (const query of ['0-8044-2957-X', '080442957X', 'ISBN 0 8044 2957 x'])
      assert.deepEqual(await found(query), ['Quoll songbook'], query);
    for (const query of ['9783161484117', '978-3-16-148411-7'])
      assert.deepEqual(await found(query), ['Quoll herbal'], query);
    assert.deepEqual(await found('978-3-16-148410-1'), []);
    // Ten figures that would pass for a book by their sum.
    for (const query of ['socks 36 37 38 39 40', 'socks 38 39 40 41 42', 'socks 41 42 43 44 45'])
      assert.equal((await found(query))[0], 'Quoll socks 36 37 38 39 40 41 42 43 44 45', query);
  });

  it('a near part number is none', async () => {
    for (const query of ['BX-18V-78', 'BX18V78', 'mpn BX-18V-78', 'IDR/200.5', '4006381333932']) {
      const { products, reasoning } = await search({ query, merchants });
      assert.deepEqual(products, [], query);
      assert.match(reasoning, /^Nothing in stock matches/);
    }
  });

  it('a number is one, in words and in figures', async () => {
    for (const query of [
      '2 person tent',
      'two person tent',
      'tent for 2 persons',
      'a tent for two',
      'two-person tent',
    ])
      assert.equal((await found(query))[0], 'Quoll 2-person tent', query);
    assert.equal((await found('3 ring binder'))[0], 'Quoll three-ring binder');
    assert.equal((await found('drei ring binder'))[0], 'Quoll three-ring binder');
  });
});
