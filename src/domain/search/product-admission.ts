// The hard filters of one search as a question to ask of a document.
import { colorsAnswering } from './colors.js';
import { suitsGender } from './genders.js';
import type { NameTable } from './name-table.js';
import { productCategories } from './product-categories.js';
import type { ProductColumns } from './product-columns.js';
import { boundsIn, type PriceBounds, type ProductFilters } from './product-filters.js';
import { priceAt, rowCell, rowShift, trait } from './product-row.js';
import { isMeasureSize, unitOfSize, wantedSizes } from './sizes.js';

/**
 * Whether every filter holds for a document that may be shown; null when there is no filter. Asked
 * once for each document a query touches, before
 * it is scored: most of a catalog shares no word with the query and need not be looked at.
 * `namesPhrase` marks documents whose title has the words of a colour unknown to the table.
 */
export function productAdmission(
  columns: ProductColumns,
  filters: ProductFilters,
  namesPhrase: (phrase: string, mark: (doc: number) => void) => void,
): ((doc: number) => boolean) | null {
  const { numbers, wide } = columns.rows;
  const brand = wantedNumbers(filters.brands, columns.brandNames);
  const merchant = wantedNumbers(filters.merchants, columns.merchantNames);
  const colors = wantedColors(filters.colors, namesPhrase);
  const sizes = sizeVerdicts(columns, filters.sizes);
  const price = wantedPrice(columns, filters);
  const wanted = wantedTraits(filters);
  if (
    brand === null &&
    merchant === null &&
    colors === null &&
    sizes === null &&
    price === null &&
    wanted === null
  )
    return null;
  return (doc) => {
    const row = doc << rowShift;
    const own = numbers[row] as number; // every document has a row, and traits come first in it
    if (
      wanted !== null &&
      ((own & wanted.needed) !== wanted.needed || wanted.allowed[own & 127] === 0)
    )
      return false;
    if (price !== null) {
      const amount = wide[priceAt(doc)] as number; // as above
      const bounds = price[own >>> trait.currencyShift] as PriceBounds; // one for every currency
      if (amount < bounds.least || amount > bounds.most) return false;
    }
    // as above
    if (brand !== null && brand[numbers[row + rowCell.brand] as number] === 0) return false;
    if (merchant !== null && merchant[numbers[row + rowCell.merchant] as number] === 0)
      return false; // as above
    if (
      colors !== null &&
      ((numbers[row + rowCell.colorsLow] as number) & colors.low) === 0 &&
      ((numbers[row + rowCell.colorsHigh] as number) & colors.high) === 0 &&
      !colors.marked.has(doc)
    )
      return false; // as above
    return (
      sizes === null || (own & trait.sized) === 0 || !namesOtherSize(columns.sizes.get(doc), sizes)
    );
  };
}

/** By number of the currency. */
function wantedPrice(
  { currencies }: ProductColumns,
  filters: ProductFilters,
): readonly PriceBounds[] | null {
  const { priceMinMicros, priceMaxMicros } = filters;
  if (priceMinMicros === undefined && priceMaxMicros === undefined) return null;
  return currencies.names.flatMap((name) => boundsIn(name, filters) ?? []);
}

/**
 * By size number, 0: of another kind than the wanted ones; 1: comparable and different; 2: fits.
 */
function sizeVerdicts(
  { sizeUnits, sizeNames }: ProductColumns,
  sizes: readonly string[] | undefined,
): Uint8Array | null {
  if (sizes === undefined || sizes.length === 0) return null;
  const wanted = new Set(sizes.flatMap(wantedSizes));
  const units = new Set([...wanted].map((size) => (isMeasureSize(size) ? unitOfSize(size) : '')));
  const verdicts = new Uint8Array(sizeUnits.length);
  for (let number = 1; number < verdicts.length; number++)
    if (units.has(sizeUnits[number] ?? '')) verdicts[number] = 1;
  for (const size of wanted) {
    const number = sizeNames.lookup(size);
    if (number > 0) verdicts[number] = 2;
  }
  return verdicts;
}

function namesOtherSize(sizes: Uint32Array, verdicts: Uint8Array): boolean {
  let verdict = 0;
  for (let at = 0; at < sizes.length; at++)
    verdict = Math.max(verdict, verdicts[sizes[at] as number] as number); // one for every size
  return verdict === 1;
}

/**
 * Sale, gender and shelf as bits every listing must have and a verdict for each shelf and gender
 * mask; null when none is asked for.
 */
function wantedTraits({
  onSaleOnly,
  gender,
  categories,
}: ProductFilters): { needed: number; allowed: Uint8Array } | null {
  const anyShelf = categories === undefined || categories.length === 0;
  if (onSaleOnly !== true && gender === undefined && anyShelf) return null;
  const shelves = productCategories.map((category) => anyShelf || categories.includes(category));
  const allowed = Uint8Array.from({ length: 128 }, (_, low) =>
    shelves[low & 15] === true &&
    (gender === undefined || suitsGender(low >>> trait.genderShift, gender))
      ? 1
      : 0,
  );
  return { needed: trait.showable | (onSaleOnly === true ? trait.sale : 0), allowed };
}

function wantedNumbers(names: readonly string[] | undefined, table: NameTable): Uint8Array | null {
  if (names === undefined || names.length === 0) return null;
  const wanted = new Uint8Array(table.names.length);
  for (const name of names) {
    const number = table.lookup(name);
    if (number > 0) wanted[number] = 1;
  }
  return wanted;
}

function wantedColors(
  colors: readonly string[] | undefined,
  namesPhrase: (phrase: string, mark: (doc: number) => void) => void,
): { low: number; high: number; marked: Set<number> } | null {
  if (colors === undefined || colors.length === 0) return null;
  const wanted = { low: 0, high: 0, marked: new Set<number>() };
  for (const color of colors) {
    const answers = colorsAnswering(color);
    if (answers === null) namesPhrase(color, (doc) => wanted.marked.add(doc));
    else {
      wanted.low |= answers.low;
      wanted.high |= answers.high;
    }
  }
  return wanted;
}
