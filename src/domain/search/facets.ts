// Counts over everything that matches and passes the filters, not only over what is returned.
import { productCategories } from './product-categories.js';
import type { ProductColumns } from './product-columns.js';

export interface FacetCount { value: string; count: number }

export interface Facets {
  brands: FacetCount[];
  merchants: FacetCount[];
  categories: FacetCount[];
  /** Of listings in the asked currency; null when there is none. */
  priceRangeMicros: { min: number; max: number } | null;
}

export const facetLimit = 10;

function most(counts: Uint32Array, names: readonly string[]): FacetCount[] {
  const found: FacetCount[] = [];
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at] ?? 0;
    const value = names[at] ?? '';
    if (count > 0 && value !== '') found.push({ value, count });
  }
  return found.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, facetLimit);
}

export function countFacets(docs: ArrayLike<number>, length: number, columns: ProductColumns, currency: string): Facets {
  const { brands: brandOf, merchants: merchantOf, shelves: shelfOf, prices } = columns;
  const brands = new Uint32Array(columns.brandNames.names.length);
  const merchants = new Uint32Array(columns.merchantNames.names.length);
  const shelves = new Uint32Array(productCategories.length);
  const wanted = columns.currencyNumber(currency);
  let min = Infinity;
  let max = -Infinity;
  for (let at = 0; at < length; at++) {
    const doc = docs[at] as number; // within length
    brands[brandOf[doc] as number]! += 1; // every document has a brand number
    merchants[merchantOf[doc] as number]! += 1; // as above
    shelves[shelfOf[doc] as number]! += 1; // as above
    if (!columns.isPricedIn(doc, wanted)) continue;
    const price = prices[doc] as number; // as above
    if (price < min) min = price;
    if (price > max) max = price;
  }
  return {
    brands: most(brands, columns.brandNames.names),
    merchants: most(merchants, columns.merchantNames.names),
    categories: most(shelves, productCategories),
    priceRangeMicros: min === Infinity ? null : { min, max },
  };
}
