// Each filter against listings whose properties are known because the test wrote them into the
// title itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { genders, type Gender } from './genders.js';
import { productCategories, type ProductCategory } from './product-categories.js';
import type { ProductDocument } from './product-document.js';
import { passesFilters, type ProductFilters } from './product-filters.js';
import { createProductIndex } from './product-index.js';

interface Listing {
  product: ProductDocument;
  color: string | null;
  size: string | null;
  gender: Gender | 'unisex' | null;
  shelf: ProductCategory;
  onSale: boolean;
}

const shelves: readonly (readonly [string, string, ProductCategory])[] = [
  ['Shirt', 'Clothing > Shirts', 'apparel'],
  ['Sneaker', 'Shoes > Sneakers', 'footwear'],
  ['Sofa', 'Furniture > Sofas', 'furniture_decor'],
  ['Kettle', 'Kitchen > Kettles', 'home_kitchen'],
  ['Headphones', 'Electronics > Audio', 'electronics_computing'],
  ['Puzzle', 'Toys & Games > Puzzles', 'toys_kids'],
  ['Drill', 'Tools > Power Tools', 'tools_hardware'],
];
const colors = ['red', 'blue', 'green', 'black', 'white'];
const sizes = ['S', 'M', 'L', 'XL'];
const people = { men: "Men's ", women: "Women's ", kids: 'Kids ', unisex: 'Unisex ' };
const brands = ['Acme', 'Zen & Co', 'Öko'];
const merchants = ['North Shop', 'SOUTH shop', 'east'];

const listings: fc.Arbitrary<Listing[]> = fc
  .array(
    fc.record({
      shelf: fc.constantFrom(...shelves),
      color: fc.option(fc.constantFrom(...colors)),
      size: fc.option(fc.constantFrom(...sizes)),
      gender: fc.option(fc.constantFrom(...genders, 'unisex' as const)),
      brand: fc.option(fc.constantFrom(...brands)),
      merchant: fc.constantFrom(...merchants),
      currency: fc.constantFrom('USD', 'EUR'),
      price: fc.nat(50),
      discount: fc.option(fc.integer({ min: -3, max: 9 })),
      inStock: fc.boolean(),
      hasImage: fc.boolean(),
    }),
    { maxLength: 30 },
  )
  .map((rows) =>
    rows.map(
      (
        {
          shelf: [noun, category, shelf],
          color,
          size,
          gender,
          brand,
          merchant,
          currency,
          price,
          discount,
          inStock,
          hasImage,
        },
        at,
      ) => ({
        color,
        size,
        gender,
        shelf,
        onSale: discount !== null && discount > 0,
        product: {
          product_id: `p${at}`,
          title: `Item ${gender === null ? '' : people[gender]}${noun}${color === null ? '' : `, ${color}`}${size === null ? '' : `, ${size}`}`,
          brand,
          merchant,
          category,
          description: 'red M women',
          currency,
          priceMicros: price * 1_000_000,
          regularPriceMicros: discount === null ? null : (price + discount) * 1_000_000,
          inStock,
          hasImage,
        },
      }),
    ),
  );

/**
 * Searches for a word every listing has, in an index that saw each listing twice, and expects just
 * those that `holds`.
 */
function expectOnly(
  all: readonly Listing[],
  filters: ProductFilters,
  holds: (listing: Listing) => boolean,
): void {
  const index = createProductIndex();
  index.bulk(
    all.map(({ product }) => ({
      ...product,
      title: `Old ${product.title}`,
      priceMicros: 1,
      inStock: true,
    })),
  );
  for (const { product } of all) index.upsert(product);
  const found = index.search({ query: 'item', filters, limit: 100, fit: false });
  const expected = all
    .filter((listing) => listing.product.inStock && listing.product.hasImage && holds(listing))
    .map((listing) => listing.product.product_id);
  assert.deepEqual(found.hits.map((hit) => hit.id).sort(), [...expected].sort());
  assert.equal(found.total, expected.length);
  assert.deepEqual(
    all
      .filter(({ product }) => passesFilters(product, filters))
      .map(({ product }) => product.product_id),
    expected,
  );
}

test('without filters everything in stock with an image is shown', () => {
  fc.assert(fc.property(listings, (all) => expectOnly(all, {}, () => true)));
});

test('price bounds are inclusive and hold in the asked currency', () => {
  fc.assert(
    fc.property(
      listings,
      fc.option(fc.nat(50)),
      fc.option(fc.nat(50)),
      fc.constantFrom('USD', 'eur', undefined),
      (all, least, most, currency) => {
        const filters: ProductFilters = {
          priceMinMicros: least === null ? undefined : least * 1_000_000,
          priceMaxMicros: most === null ? undefined : most * 1_000_000,
          currency,
        };
        expectOnly(
          all,
          filters,
          ({ product }) =>
            (least === null && most === null) ||
            (product.currency === (currency ?? 'USD').toUpperCase() &&
              product.priceMicros >= (least ?? 0) * 1_000_000 &&
              product.priceMicros <= (most ?? 50) * 1_000_000),
        );
      },
    ),
  );
});

test('brands and merchants are compared without regard to case', () => {
  fc.assert(
    fc.property(
      listings,
      fc.subarray(['ACME', ' zen &  co', 'öko', 'nobody'], { minLength: 1 }),
      fc.subarray(['north shop', 'South Shop', 'EAST'], { minLength: 1 }),
      (all, wantedBrands, wantedMerchants) => {
        const plain = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();
        expectOnly(
          all,
          { brands: wantedBrands },
          ({ product }) =>
            product.brand !== null && wantedBrands.map(plain).includes(plain(product.brand)),
        );
        expectOnly(all, { merchants: wantedMerchants }, ({ product }) =>
          wantedMerchants.map(plain).includes(plain(product.merchant)),
        );
      },
    ),
    { numRuns: 50 },
  );
});

test('only discounted listings are on sale', () => {
  fc.assert(
    fc.property(listings, (all) =>
      expectOnly(all, { onSaleOnly: true }, (listing) => listing.onSale),
    ),
  );
});

test('colours are those named in the title', () => {
  fc.assert(
    fc.property(listings, fc.subarray(colors, { minLength: 1 }), (all, wanted) =>
      expectOnly(
        all,
        { colors: wanted.map((color) => color.toUpperCase()) },
        (listing) => listing.color !== null && wanted.includes(listing.color),
      ),
    ),
  );
});

test('listings naming another size are dropped, those naming none are kept', () => {
  fc.assert(
    fc.property(listings, fc.subarray(sizes, { minLength: 1 }), (all, wanted) =>
      expectOnly(
        all,
        { sizes: wanted },
        (listing) => listing.size === null || wanted.includes(listing.size),
      ),
    ),
  );
});

test('gender keeps those named, unisex for adults, and the unnamed for adults outside the toy shelf', () => {
  fc.assert(
    fc.property(listings, fc.constantFrom(...genders), (all, wanted) =>
      expectOnly(all, { gender: wanted }, ({ gender, shelf }) => {
        if (gender === 'unisex') return wanted !== 'kids';
        if (gender !== null) return gender === wanted;
        return shelf === 'toys_kids' ? wanted === 'kids' : wanted !== 'kids';
      }),
    ),
  );
});

test('categories are the shelves listings stand on', () => {
  fc.assert(
    fc.property(listings, fc.subarray([...productCategories], { minLength: 1 }), (all, wanted) =>
      expectOnly(all, { categories: wanted }, (listing) => wanted.includes(listing.shelf)),
    ),
  );
});

test('all filters together are each of them', () => {
  const anyFilters: fc.Arbitrary<ProductFilters> = fc.record(
    {
      priceMaxMicros: fc.nat(50).map((price) => price * 1_000_000),
      currency: fc.constantFrom('USD', 'EUR'),
      brands: fc.subarray(brands),
      merchants: fc.subarray(merchants),
      onSaleOnly: fc.boolean(),
      colors: fc.subarray([...colors, 'plaid']),
      sizes: fc.subarray(sizes),
      gender: fc.constantFrom(...genders),
      categories: fc.subarray([...productCategories]),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(listings, anyFilters, (all, filters) =>
      expectOnly(all, filters, ({ product }) => passesFilters(product, filters)),
    ),
  );
});
