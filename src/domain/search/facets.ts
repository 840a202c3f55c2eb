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

/**
 * Counts by number. They lie there from search to search and are taken back after each: shops may
 * have as many brands as listings, and an answer is to cost what it found.
 */
interface Tally {
  counts: Uint32Array;
  /** The numbers that were counted, and how many there are. */
  seen: Uint32Array;
  length: number;
}

const emptyTally = (): Tally => ({
  counts: new Uint32Array(0),
  seen: new Uint32Array(0),
  length: 0,
});
const tallies = { brands: emptyTally(), merchants: emptyTally(), shelves: emptyTally() };

function makeRoom(tally: Tally, size: number): void {
  if (tally.counts.length >= size) return;
  tally.counts = new Uint32Array(size * 2);
  tally.seen = new Uint32Array(size * 2);
}

/**
 * The largest counts, without sorting the many small ones; of equal ones the name known longer.
 * Nothing is counted afterwards.
 */
function takeMost(tally: Tally, names: readonly string[]): FacetCount[] {
  const { counts, seen } = tally;
  const found = new Uint32Array(tally.length);
  let length = 0;
  for (let at = 0; at < tally.length; at++) {
    const number = seen[at] as number; // below length
    const count = counts[number] as number; // one for every name
    counts[number] = 0;
    if (names[number] === '') continue;
    seen[length] = number;
    found[length++] = count;
  }
  tally.length = 0;
  return topDocuments(seen, found, length, facetLimit).map((place) => ({
    value: names[seen[place] ?? 0] ?? '',
    count: found[place] ?? 0,
  }));
}

export function countFacets(
  docs: Uint32Array,
  { rows, brandNames, merchantNames, currencies }: ProductColumns,
  currency: string,
): Facets {
  const { brands, merchants, shelves } = tallies;
  makeRoom(brands, brandNames.names.length);
  makeRoom(merchants, merchantNames.names.length);
  makeRoom(shelves, productCategories.length);
  const range = countRows(docs, rows, currencies.lookup(currency));
  return {
    brands: takeMost(brands, brandNames.names),
    merchants: takeMost(merchants, merchantNames.names),
    categories: takeMost(shelves, productCategories),
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
  currency: number,
): { min: number; max: number } {
  const { brands, merchants, shelves } = tallies;
  let min = Infinity;
  let max = -Infinity;
  for (let at = 0; at < docs.length; at++) {
    const doc = docs[at] as number; // below length
    const row = doc << rowShift;
    const traits = numbers[row] as number; // every document has a row, and traits come first in it
    const brand = numbers[row + rowCell.brand] as number; // as above
    const merchant = numbers[row + rowCell.merchant] as number; // as above
    const shelf = traits & trait.shelf;
    count(brands, brand);
    count(merchants, merchant);
    count(shelves, shelf);
    if (traits >>> trait.currencyShift !== currency) continue;
    const price = wide[priceAt(doc)] as number; // as above
    if (price < min) min = price;
    if (price > max) max = price;
  }
  return { min, max };
}

function count(tally: Tally, number: number): void {
  const before = tally.counts[number] as number; // one for every name
  if (before === 0) tally.seen[tally.length++] = number;
  tally.counts[number] = before + 1;
}
