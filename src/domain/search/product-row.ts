// What filters and facets look at of one document: eight numbers side by side, so that judging a
// document reads one line of the cache.

/** Places in a row; the price is the fourth pair of numbers, read as one of 64 bits. */
export const rowCell = {
  traits: 0,
  colorsLow: 1,
  colorsHigh: 2,
  brand: 3,
  merchant: 4,
  payout: 5,
} as const;
export const rowShift = 3;
export const rowCells = 1 << rowShift;

/**
 * Small properties of a document in one number: 4 bits of shelf, 3 of genders, a bit each, then the
 * number of the currency.
 */
export const trait = {
  shelf: 15,
  genderShift: 4,
  showable: 1 << 7,
  sale: 1 << 8,
  sized: 1 << 9,
  currencyShift: 10,
} as const;
export const fixedTraits = 1023 & ~(trait.showable | trait.sale);

export interface ProductRows {
  numbers: Uint32Array;
  floats: Float32Array;
  wide: Float64Array;
}

export function emptyRows(size: number, from?: ProductRows): ProductRows {
  const numbers = new Uint32Array(size * rowCells);
  if (from !== undefined) numbers.set(from.numbers);
  return rowsOver(numbers);
}

/** The views of rows whose memory is these numbers', all of it. */
export function rowsOver(numbers: Uint32Array<ArrayBuffer>): ProductRows {
  return {
    numbers,
    floats: new Float32Array(numbers.buffer),
    wide: new Float64Array(numbers.buffer),
  };
}

/** Place of a document's price in `wide`. */
export function priceAt(doc: number): number {
  return (doc << 2) + 3;
}
