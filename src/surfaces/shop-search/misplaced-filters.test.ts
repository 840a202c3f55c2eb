import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { misplacedFilters } from './misplaced-filters.js';

const known = new Set(['query', 'context', 'price_max', 'colors']);
const told = (body: Record<string, unknown>): string[] =>
  misplacedFilters(body, known).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);

describe('filters nobody would apply', () => {
  it('a filter one level too deep is named with its place', () => {
    assert.deepEqual(told({ query: 'lamp', filters: { price_max: 50, note: 'x' } }), [
      'body.filters.price_max: Belongs at the top of the body, as price_max',
    ]);
    assert.deepEqual(told({ query: 'lamp', filters: { price: { maxprice: 50 } } }), [
      'body.filters.price.maxprice: Belongs at the top of the body, as price_max',
    ]);
    assert.deepEqual(told({ query: 'lamp', price: { min: 5, max: 50 } }), [
      'body.price.min: Belongs at the top of the body, as price_min',
      'body.price.max: Belongs at the top of the body, as price_max',
    ]);
    assert.deepEqual(told({ query: 'lamp', filter: { priceRange: { lte: 50 } } }), [
      'body.filter.priceRange.lte: Belongs at the top of the body, as price_max',
    ]);
  });

  it('a slip of a name is told with what was meant', () => {
    for (const [slip, meant] of [
      ['priceMax', 'price_max'],
      ['max_price', 'price_max'],
      ['maxPrice', 'price_max'],
      ['maxprice', 'price_max'],
      ['brand', 'brands'],
      ['category', 'categories'],
      ['colours', 'colors'],
      ['colour', 'colors'],
      ['catagories', 'categories'],
      ['on_sale', 'on_sale_only'],
      ['onSale', 'on_sale_only'],
    ] as const)
      assert.deepEqual(told({ [slip]: 1 }), [
        `body.${slip}: Unknown filter; did you mean ${meant}?`,
      ]);
  });

  it('a filter in a list of them, or in context, is named with its place', () => {
    assert.deepEqual(told({ filters: [{ note: 'x' }, { price_max: 2 }] }), [
      'body.filters.1.price_max: Belongs at the top of the body, as price_max',
    ]);
    assert.deepEqual(told({ context: { style: 'cosy', price_max: 5, brands: ['x'] } }), [
      'body.context.price_max: Belongs at the top of the body, as price_max',
      'body.context.brands: Belongs at the top of the body, as brands',
    ]);
  });

  it('a name that other searches have for a filter is told with ours', () => {
    for (const [other, meant] of [
      ['price', 'price_min or price_max'],
      ['budget', 'price_min or price_max'],
      ['sale', 'on_sale_only'],
      ['sex', 'gender'],
      ['store', 'merchants'],
    ] as const)
      assert.deepEqual(
        [told({ [other]: 1 }), told({ filters: { [other]: 1 } })],
        [
          [`body.${other}: Unknown filter; did you mean ${meant}?`],
          [`body.filters.${other}: Belongs at the top of the body, as ${meant}`],
        ],
      );
  });

  it('what is like no filter, and what else context holds, stays ignored', () => {
    const body = {
      query: 'lamp',
      context: { budget: 'small', price_max: null, room: { sizes: ['20 m²'] } },
      locale: 'de',
      user_agent: 'x',
      viewport: { min: 1, max: 2 },
      // No filters: who gets ten instead of five can do without the rest.
      limit: 5,
      top_k: 5,
      device: { store: 'play', limit: 3 },
      user: { sex: 'f' },
    };
    assert.deepEqual(told(body), []);
  });
});
