// Counts over everything that matches and passes the filters, not only over what is returned.
import { productCategories } from './product-categories.js';
import type { ProductColumns } from './product-columns.js';
import { priceAt, rowCell, rowShift, trait } from './product-row.js';
import { topDocuments } from './top-documents.js';

export interface FacetCount {
  value: string;
  count: number;
}

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
  const numbers = new Uint32Array(counts.length);
  const found = new Uint32Array(counts.length);
  let length = 0;
  for (let number = 0; number < counts.length; number++) {
    const count = counts[number] as number; // below length
    if (count === 0 || names[number] === '') continue;
    numbers[length] = number;
    found[length++] = count;
  }
  return topDocuments(numbers, found, length, facetLimit).map((place) => ({
    value: names[numbers[place] ?? 0] ?? '',
    count: found[place] ?? 0,
  }));
}

export function countFacets(
  docs: ArrayLike<number>,
  length: number,
  columns: ProductColumns,
  currency: string,
): Facets {
  const { numbers, wide } = columns.rows;
  const brands = new Uint32Array(columns.brandNames.names.length);
  const merchants = new Uint32Array(columns.merchantNames.names.length);
  const shelves = new Uint32Array(productCategories.length);
  const wanted = columns.currencies.lookup(currency);
  let min = Infinity;
  let max = -Infinity;
  for (let at = 0; at < length; at++) {
    const doc = docs[at] as number; // within length
    const row = doc << rowShift;
    const traits = numbers[row] as number; // every document has a row, and traits come first in it
    const brand = numbers[row + rowCell.brand] as number; // as above
    const merchant = numbers[row + rowCell.merchant] as number; // as above
    const shelf = traits & trait.shelf;
    brands[brand] = (brands[brand] as number) + 1; // one for every name
    merchants[merchant] = (merchants[merchant] as number) + 1; // as above
    shelves[shelf] = (shelves[shelf] as number) + 1; // as above
    if (traits >>> trait.currencyShift !== wanted) continue;
    const price = wide[priceAt(doc)] as number; // as above
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
