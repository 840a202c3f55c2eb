// Believable listings in any number, the same every time: titles, brands, colours, sizes, prices
// and descriptions out of word lists, with a long tail of rare words and model numbers as real
// feeds have.
import type { ProductDocument } from '../../src/domain/search/product-document.js';

/** Small and seedable; good enough for making up shops. */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const kinds: readonly (readonly [string, string])[] = [
  ['Running Shoe', 'Clothing, Shoes & Jewelry > Women > Shoes > Athletic'],
  ['Hiking Boot', 'Clothing, Shoes & Jewelry > Men > Shoes > Boots'],
  ['Leather Sandal', 'Clothing, Shoes & Jewelry > Women > Shoes > Sandals'],
  ['T-Shirt', 'Apparel & Accessories > Clothing > Shirts & Tops'],
  ['Rain Jacket', 'Apparel & Accessories > Clothing > Outerwear'],
  ['Yoga Leggings', 'Clothing, Shoes & Jewelry > Women > Clothing > Active'],
  ['Dining Table', 'Home & Garden > Furniture > Tables'],
  ['Office Chair', 'Furniture > Office Furniture > Office Chairs'],
  ['Sectional Sofa', 'Home & Kitchen > Furniture > Living Room Furniture'],
  ['Area Rug', 'Home & Kitchen > Home Decor > Rugs'],
  ['Chef Knife', 'Home & Kitchen > Kitchen & Dining > Cutlery'],
  ['Coffee Maker', 'Home & Kitchen > Kitchen & Dining > Coffee Makers'],
  ['Comforter Set', 'Home & Kitchen > Bedding > Comforters'],
  ['Stand Mixer', 'Home & Kitchen > Small Appliances'],
  ['Face Serum', 'Beauty & Personal Care > Skin Care > Face'],
  ['Shampoo', 'Beauty & Personal Care > Hair Care'],
  ['Wireless Headphones', 'Electronics > Headphones'],
  ['Laptop', 'Electronics > Computers > Laptops'],
  ['Gaming Monitor', 'Electronics > Computers > Monitors'],
  ['Phone Case', 'Electronics > Cell Phones & Accessories > Cases'],
  ['USB Cable', 'Electronics > Accessories > Cables'],
  ['Power Bank', 'Electronics > Portable Power'],
  ['Pendant Necklace', 'Jewelry > Necklaces'],
  ['Chronograph Watch', 'Jewelry > Watches'],
  ['Camping Tent', 'Sports & Outdoors > Camping & Hiking > Tents'],
  ['Yoga Mat', 'Sports & Outdoors > Exercise & Fitness'],
  ['Cordless Drill', 'Tools & Home Improvement > Power Tools > Drills'],
  ['Socket Set', 'Tools & Home Improvement > Hand Tools'],
  ['Building Set', 'Toys & Games > Building Toys'],
  ['Board Game', 'Toys & Games > Games'],
  ['Baby Stroller', 'Baby Products > Strollers'],
  ['Swaddle Blanket', 'Baby Products > Nursery'],
  ['Dog Bed', 'Pet Supplies > Dogs > Beds'],
  ['Cat Treats', 'Pet Supplies > Cats > Treats'],
  ['Floor Mat', 'Automotive > Interior Accessories'],
  ['Dash Cam', 'Automotive > Electronics'],
  ['Mystery Novel', 'Books > Mystery & Thrillers'],
  ['Vinyl Record', 'Media > Music'],
  ['Ring Binder', 'Office Products > Binders'],
  ['Herbal Tea', 'Grocery & Gourmet Food > Tea'],
];
const qualities =
  'lightweight waterproof breathable organic stainless adjustable foldable insulated cushioned ergonomic rechargeable portable classic vintage modern rustic premium compact heavy-duty quiet soft durable slim oversized handmade recycled washable reversible wireless cordless'.split(
    ' ',
  );
const colors = [
  'Black',
  'White',
  'Navy',
  'Red',
  'Blue',
  'Green',
  'Gray',
  'Beige',
  'Pink',
  'Brown',
  'Gold',
  'Silver',
  'Purple',
  'Teal',
];
const letters = ['XS', 'S', 'M', 'L', 'XL', '2XL'];
const people = ["Men's", "Women's", "Kids'", 'Unisex'];
const syllables =
  'ka lo mi ra ten vor sel an du be nor tal is pem qua rin zo el fa gri hol ux wen'.split(' ');
const prose =
  `designed made built for every day home travel work outdoor indoor use with care and attention to detail the fabric feels soft and keeps its shape wash after wash easy to clean fits most standard sizes comes in a gift box
  includes two year warranty sturdy frame smooth finish long battery life fast charging low noise high quality materials tested by experts recommended for beginners and professionals alike perfect gift safe for children pets and family non slip base water resistant
  coating strong seams deep pockets extra storage simple assembly no tools required compatible with most models lasts longer saves space reduces waste comfortable all day support padded straps quick dry natural ingredients gentle formula rich flavor bright colors`.split(
    /\s+/,
  );

function pick<T>(list: readonly T[], random: () => number): T {
  // lists are not empty; squaring makes the first ones frequent
  return list[Math.floor(random() * random() * list.length) % list.length] as T;
}

function even<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length) % list.length] as T; // lists are not empty
}

function inventedWord(random: () => number): string {
  const length = 2 + Math.floor(random() * 2);
  return Array.from({ length }, () => even(syllables, random)).join('');
}

/**
 * Words of descriptions by falling frequency, as in any language: the hundredth is a hundredth as
 * frequent as the first.
 */
const vocabulary: readonly string[] = (() => {
  const random = makeRandom(11);
  return [
    ...new Set(Array.from({ length: 9000 }, () => inventedWord(random) + even(syllables, random))),
  ];
})();

function frequentFirst(random: () => number): string {
  return (
    vocabulary[Math.min(vocabulary.length - 1, Math.floor(vocabulary.length ** random()) - 1)] ?? ''
  );
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

export function makeProduct(
  number: number,
  random: () => number,
  wordsOfProse = 70,
): ProductDocument {
  const [kind, category] = even(kinds, random);
  const brand = capital(inventedWord(random));
  const wearable = /Shoe|Boot|Sandal|Shirt|Jacket|Leggings/.test(kind);
  const model =
    random() < 0.4
      ? ` ${brand.slice(0, 2).toUpperCase()}-${Math.floor(random() * 9000 + 1000)}${even(['X', 'B', 'QT', ''], random)}`
      : '';
  const who = wearable ? `${even(people, random)} ` : '';
  const color = random() < 0.7 ? even(colors, random) : '';
  const size =
    wearable && random() < 0.6
      ? `, ${/Shirt|Jacket|Leggings/.test(kind) ? even(letters, random) : 5 + Math.floor(random() * 8)}`
      : '';
  const measure = /Monitor|Table|Rug|Knife/.test(kind)
    ? ` ${Math.floor(random() * 40 + 8)} inch`
    : '';
  const title = `${brand} ${who}${capital(pick(qualities, random))} ${capital(pick(qualities, random))} ${kind}${model}${measure}${color === '' ? '' : `, ${color}`}${size}`;
  const description = Array.from({ length: Math.floor(wordsOfProse * (0.5 + random())) }, () =>
    random() < 0.02
      ? inventedWord(random)
      : random() < 0.02
        ? pick(qualities, random)
        : random() < 0.4
          ? even(prose, random)
          : frequentFirst(random),
  ).join(' ');
  const priceMicros = Math.floor(random() ** 2 * 40_000 + 300) * 10_000;
  return {
    product_id: `p-${number}`,
    title,
    brand,
    merchant: `${capital(even(syllables, random))}${even(syllables, random)} Shop`,
    category,
    description,
    color: color === '' ? null : color,
    currency: random() < 0.8 ? 'USD' : 'EUR',
    priceMicros,
    regularPriceMicros: random() < 0.3 ? Math.round(priceMicros * 1.25) : priceMicros,
    inStock: random() < 0.95,
    hasImage: random() < 0.98,
  };
}

export function* makeProducts(
  count: number,
  seed: number,
  wordsOfProse?: number,
): Generator<ProductDocument> {
  const random = makeRandom(seed);
  for (let number = 0; number < count; number++) yield makeProduct(number, random, wordsOfProse);
}

/** Queries as people type them, about a third misspelt, long, negated or with a measure. */
export function makeQueries(count: number, seed: number): string[] {
  const random = makeRandom(seed);
  return Array.from({ length: count }, () => {
    const [kind] = even(kinds, random);
    const plain = kind.toLowerCase();
    const roll = random();
    if (roll < 0.25) return `${even(qualities, random)} ${plain}`;
    if (roll < 0.4)
      return `${even(colors, random).toLowerCase()} ${plain} for ${even(['women', 'men', 'kids', 'home', 'travel'], random)}`;
    if (roll < 0.5) return plain;
    if (roll < 0.6)
      return `${plain} without ${even(['leather', 'zipper', 'fragrance', 'straps'], random)}`;
    if (roll < 0.7) return plain.replace(/(.)(.)(?=\w*$)/, '$2$1');
    if (roll < 0.8) return `${inventedWord(random)} ${plain} ${Math.floor(random() * 40 + 8)} inch`;
    if (roll < 0.9)
      return `I am looking for a ${even(qualities, random)} and ${even(qualities, random)} ${plain} that is ${even(qualities, random)}, comfortable all day and safe for pets, please nothing too expensive`;
    return `${plain} with ${even(prose, random)} ${even(prose, random)}`;
  });
}
