import assert from 'node:assert/strict';
import { test } from 'node:test';
import { categorize, type ProductCategory } from './product-categories.js';

test('the leaf of a path decides over its root', () => {
  const cases: [string, string, ProductCategory][] = [
    [
      'Clothing, Shoes & Jewelry > Women > Shoes > Athletic > Running',
      'Cloudfoam Pure',
      'footwear',
    ],
    ['Clothing, Shoes & Jewelry > Women > Jewelry > Necklaces', 'Tiny initial', 'jewelry_watches'],
    ['Clothing, Shoes & Jewelry > Men > Clothing > Pants', 'Rugged Flex', 'apparel'],
    ['Home & Kitchen > Furniture > Bedroom Furniture > Beds', 'Murphy wall', 'furniture_decor'],
    ['Home & Kitchen > Kitchen & Dining > Cookware', 'D3', 'home_kitchen'],
    ['Pet Supplies > Dogs > Treats > Cookies', 'Soup bones', 'pets'],
    ['Automotive > Interior Accessories', 'Floor liner', 'auto'],
    ['Baby Products > Nursery > Bedding', 'Muslin', 'baby'],
    ['Grocery & Gourmet Food > Tea', 'Herbal blend', 'other'],
  ];
  for (const [path, title, expected] of cases)
    assert.equal(categorize(path, title), expected, path);
});

test('a title without a path is enough for plain things', () => {
  const cases: [string, ProductCategory][] = [
    ['Sony WH-1000XM4 Wireless Headphones', 'electronics_computing'],
    ['Makita 18V Cordless Drill', 'tools_hardware'],
    ['Leather Ankle Boots, Black', 'footwear'],
    ['Hydrating Face Serum 30ml', 'beauty_personal_care'],
    ['Wooden Jigsaw Puzzle 500 pieces', 'toys_kids'],
    ['2-Person Camping Tent', 'sports_outdoors'],
    ['The Silent Patient, paperback', 'books_media'],
    ['Leash for Dogs', 'pets'],
    ['Gold Pendant Necklace', 'jewelry_watches'],
  ];
  for (const [title, expected] of cases) assert.equal(categorize(null, title), expected, title);
});

test('what a thing is for does not say what it is', () => {
  assert.equal(categorize(null, 'Phone case for runners with shoes'), 'electronics_computing');
  assert.equal(categorize(null, 'Zxqv'), 'other');
});
