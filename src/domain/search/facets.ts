// Counts over everything that matches and passes the filters, not only over what is returned.
import { productCategories } from './product-categories.js';
import type { ProductColumns } from './product-columns.js';
import { priceAt, type ProductRows, rowCell, rowShift, trait } from './product-row.js';
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

interface Counts {
  brands: Uint32Array;
  merchants: Uint32Array;
  shelves: Uint32Array;
}

export function countFacets(
  docs: Uint32Array,
  { rows, brandNames, merchantNames, currencies }: ProductColumns,
  currency: string,
): Facets {
  const counts: Counts = {
    brands: new Uint32Array(brandNames.names.length),
    merchants: new Uint32Array(merchantNames.names.length),
    shelves: new Uint32Array(productCategories.length),
  };
  const range = countRows(docs, rows, counts, currencies.lookup(currency));
  return {
    brands: most(counts.brands, brandNames.names),
    merchants: most(counts.merchants, merchantNames.names),
    categories: most(counts.shelves, productCategories),
    priceRangeMicros: range.min === Infinity ? null : range,
  };
}

/**
 * Nothing but the loop and its result: what follows a loop in the same function is unknown to the
 * code that is made for the loop while it runs, and every call would fall back to slow code there.
 */
function countRows(
  docs: Uint32Array,
  { numbers, wide }: ProductRows,
  { brands, merchants, shelves }: Counts,
  currency: number,
): { min: number; max: number } {
  let min = Infinity;
  let max = -Infinity;
  for (let at = 0; at < docs.length; at++) {
    const doc = docs[at] as number; // below length
    const row = doc << rowShift;
    const traits = numbers[row] as number; // every document has a row, and traits come first in it
    const brand = numbers[row + rowCell.brand] as number; // as above
    const merchant = numbers[row + rowCell.merchant] as number; // as above
    const shelf = traits & trait.shelf;
    brands[brand] = (brands[brand] as number) + 1; // one for every name
    merchants[merchant] = (merchants[merchant] as number) + 1; // as above
    shelves[shelf] = (shelves[shelf] as number) + 1; // as above
    if (traits >>> trait.currencyShift !== currency) continue;
    const price = wide[priceAt(doc)] as number; // as above
    if (price < min) min = price;
    if (price > max) max = price;
  }
  return { min, max };
}
