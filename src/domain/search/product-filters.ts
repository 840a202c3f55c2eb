// The hard constraints of a shop search and what a listing must be to pass them, said plainly: the
// columns of the index follow this.
import { colorsAnswering, colorsIn } from './colors.js';
import { gendersNamed, gendersOf, suitsGender, type Gender } from './genders.js';
import { categorize, type ProductCategory } from './product-categories.js';
import type { ProductDocument } from './product-document.js';
import { productTokens } from './product-tokens.js';
import { sizesOf, suitsSizes, wantedSizes } from './sizes.js';
import { stemOf } from './term-dictionary.js';

export interface ProductFilters {
  /**
   * Inclusive bounds on the current price. A listing in another currency is compared at the rates,
   * and satisfies nothing where one of the two has none.
   */
  priceMinMicros?: number;
  priceMaxMicros?: number;
  /** Of the bounds and of the price facet; USD when absent. */
  currency?: string;
  /** What a unit of each currency is worth, in one and the same currency. */
  rates?: Readonly<Record<string, number>>;
  brands?: readonly string[];
  merchants?: readonly string[];
  onSaleOnly?: boolean;
  colors?: readonly string[];
  sizes?: readonly string[];
  gender?: Gender;
  categories?: readonly ProductCategory[];
}

export function isOnSale(
  product: Pick<ProductDocument, 'priceMicros' | 'regularPriceMicros'>,
): boolean {
  return product.regularPriceMicros !== null && product.regularPriceMicros > product.priceMicros;
}

export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

export function isWearable(shelf: ProductCategory): boolean {
  return shelf === 'apparel' || shelf === 'footwear' || shelf === 'jewelry_watches';
}

export interface PriceBounds {
  least: number;
  most: number;
}

const nothing: PriceBounds = { least: Infinity, most: -Infinity };

/** The bounds for listings priced in `currency`; null when no price was asked for. */
export function boundsIn(
  currency: string,
  { priceMinMicros, priceMaxMicros, currency: asked = 'USD', rates = {} }: ProductFilters,
): PriceBounds | null {
  if (priceMinMicros === undefined && priceMaxMicros === undefined) return null;
  const [least, most] = [priceMinMicros ?? -Infinity, priceMaxMicros ?? Infinity];
  if (currency.toUpperCase() === asked.toUpperCase()) return { least, most };
  const [from, to] = [rates[asked.toUpperCase()], rates[currency.toUpperCase()]];
  return from === undefined || to === undefined
    ? nothing
    : { least: (least * from) / to, most: (most * from) / to };
}

/**
 * Whether one listing may be shown. Slow and obvious: the index gives the same answer from its
 * columns.
 */
export function passesFilters(product: ProductDocument, filters: ProductFilters): boolean {
  if (!product.inStock || !product.hasImage) return false;
  const bounds = boundsIn(product.currency, filters);
  if (bounds !== null && (product.priceMicros < bounds.least || product.priceMicros > bounds.most))
    return false;
  if (filters.onSaleOnly === true && !isOnSale(product)) return false;
  if (
    isGiven(filters.brands) &&
    !filters.brands.some(
      (brand) =>
        product.brand !== null &&
        nameKey(brand) !== '' &&
        nameKey(brand) === nameKey(product.brand),
    )
  )
    return false;
  if (
    isGiven(filters.merchants) &&
    !filters.merchants.some(
      (merchant) => nameKey(merchant) !== '' && nameKey(merchant) === nameKey(product.merchant),
    )
  )
    return false;
  // The rest reads the words of the listing: not for nothing.
  if (
    !isGiven(filters.categories) &&
    filters.gender === undefined &&
    !isGiven(filters.colors) &&
    !isGiven(filters.sizes)
  )
    return true;
  const title = productTokens(product.title);
  const shelf = categorize(product.category, product.title);
  const categoryGenders =
    product.category === null ? 0 : gendersNamed(productTokens(product.category).words);
  if (isGiven(filters.categories) && !filters.categories.includes(shelf)) return false;
  if (
    filters.gender !== undefined &&
    !suitsGender(
      gendersOf({ titleWords: title.words, categoryGenders, gender: product.gender, shelf }),
      filters.gender,
    )
  )
    return false;
  if (
    isGiven(filters.colors) &&
    !filters.colors.some((color) => titleNamesColor(product.title, color))
  )
    return false;
  if (
    isGiven(filters.sizes) &&
    !suitsSizes(
      sizesOf({ title, sizes: product.sizes, wearable: isWearable(shelf) }),
      new Set(filters.sizes.flatMap(wantedSizes)),
    )
  )
    return false;
  return true;
}

function isGiven<T>(list: readonly T[] | undefined): list is readonly T[] {
  return list !== undefined && list.length > 0;
}

function titleNamesColor(title: string, wanted: string): boolean {
  const answers = colorsAnswering(wanted);
  if (answers !== null) {
    const named = colorsIn(productTokens(title).words);
    return (named.low & answers.low) !== 0 || (named.high & answers.high) !== 0;
  }
  const phrase = productTokens(wanted).words.map(stemOf);
  const words = productTokens(title).words.map(stemOf);
  return (
    phrase.length > 0 &&
    words.some((_, at) => phrase.every((word, step) => words[at + step] === word))
  );
}
