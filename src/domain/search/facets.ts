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

interface Counts {
  counts: Uint32Array;
  touched: number[];
}

function emptyCounts(length: number): Counts {
  return { counts: new Uint32Array(length), touched: [] };
}

function countOne({ counts, touched }: Counts, number: number): void {
  const before = counts[number] as number; // one for every name
  if (before === 0) touched.push(number);
  counts[number] = before + 1;
}

/** The largest counts, without sorting the many small ones; of equal ones the name known longer. */
function most({ counts, touched }: Counts, names: readonly string[]): FacetCount[] {
  const best = topDocuments(
    touched,
    touched.length,
    (number) => (names[number] === '' ? 0 : (counts[number] as number)),
    facetLimit,
  ); // as above
  return best
    .filter((number) => names[number] !== '')
    .map((number) => ({ value: names[number] ?? '', count: counts[number] ?? 0 }));
}

export function countFacets(
  docs: ArrayLike<number>,
  length: number,
  columns: ProductColumns,
  currency: string,
): Facets {
  const { numbers, wide } = columns.rows;
  const brands = emptyCounts(columns.brandNames.names.length);
  const merchants = emptyCounts(columns.merchantNames.names.length);
  const shelves = emptyCounts(productCategories.length);
  const wanted = columns.currencies.lookup(currency);
  let min = Infinity;
  let max = -Infinity;
  for (let at = 0; at < length; at++) {
    const doc = docs[at] as number; // within length
    const row = doc << rowShift;
    const traits = numbers[row] as number; // every document has a row, and traits come first in it
    countOne(brands, numbers[row + rowCell.brand] as number); // as above
    countOne(merchants, numbers[row + rowCell.merchant] as number); // as above
    countOne(shelves, traits & trait.shelf);
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
