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

/** The largest counts, without sorting the many small ones; of equal ones the name known longer. */
function most(counts: Uint32Array, names: readonly string[]): FacetCount[] {
  const found: FacetCount[] = [];
  let least = 0;
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at] as number; // below length
    if (count <= least || names[at] === '') continue;
    const place = found.findIndex((each) => each.count < count);
    found.splice(place < 0 ? found.length : place, 0, { value: names[at] ?? '', count });
    if (found.length > facetLimit) found.pop();
    if (found.length === facetLimit) least = found[facetLimit - 1]?.count ?? 0;
  }
  return found;
}

export function countFacets(docs: ArrayLike<number>, length: number, columns: ProductColumns, currency: string): Facets {
  const { brands: brandOf, merchants: merchantOf, prices } = columns;
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
    shelves[columns.shelfOf(doc)]! += 1;
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
