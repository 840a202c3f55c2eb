// What filters and facets look at, one typed array per property, indexed by document number.
import { colorsAnswering, colorsIn } from './colors.js';
import { genderBit, gendersOf } from './genders.js';
import { grownCapacity, growableU32, pushU32, resizedF64, resizedU32, resizedU8 } from './growable.js';
import { categorize, productCategories } from './product-categories.js';
import type { ProductDocument } from './product-document.js';
import { isOnSale, isWearable, nameKey, type ProductFilters } from './product-filters.js';
import { isMeasureSize, sizesOf, unitOfSize, wantedSizes } from './sizes.js';

/** Numbers for names that differ only in case, with the first spelling seen for display. */
export class NameTable {
  private readonly byKey = new Map<string, number>();
  readonly names: string[] = [''];

  intern(name: string): number {
    const key = nameKey(name);
    if (key === '') return 0;
    const known = this.byKey.get(key);
    if (known !== undefined) return known;
    this.byKey.set(key, this.names.length);
    this.names.push(name.trim());
    return this.names.length - 1;
  }

  lookup(name: string): number {
    return this.byKey.get(nameKey(name)) ?? -1;
  }
}

export class ProductColumns {
  readonly brandNames = new NameTable();
  readonly merchantNames = new NameTable();
  private readonly currencies = new NameTable();
  private readonly sizeNames = new NameTable();
  /** 1 while the document exists; a replaced or removed one is 0. */
  alive = new Uint8Array(0);
  /** 1 when it may be shown: alive, in stock, with an image. */
  showable = new Uint8Array(0);
  prices = new Float64Array(0);
  brands = new Uint32Array(0);
  merchants = new Uint32Array(0);
  shelves = new Uint8Array(0);
  payouts = new Float64Array(0);
  private currency = new Uint8Array(0);
  private onSale = new Uint8Array(0);
  private genders = new Uint8Array(0);
  private colorsLow = new Uint32Array(0);
  private colorsHigh = new Uint32Array(0);
  private sizeStarts = new Uint32Array(1);
  private sizes = growableU32(1024);
  private eligible = new Uint8Array(0);
  count = 0;

  /** Adds the next document. */
  add(product: ProductDocument): number {
    const doc = this.count;
    this.reserve(doc + 1);
    this.count += 1;
    const shelf = categorize(product.category, product.title);
    this.alive[doc] = 1;
    this.brands[doc] = product.brand === null ? 0 : this.brandNames.intern(product.brand);
    this.merchants[doc] = this.merchantNames.intern(product.merchant);
    this.shelves[doc] = productCategories.indexOf(shelf);
    this.genders[doc] = gendersOf({ ...product, shelf });
    const colors = colorsIn(product.title);
    this.colorsLow[doc] = colors.low;
    this.colorsHigh[doc] = colors.high;
    for (const size of sizesOf({ ...product, wearable: isWearable(shelf) })) pushU32(this.sizes, this.sizeNames.intern(size));
    this.sizeStarts[doc + 1] = this.sizes.length;
    this.setOffer(doc, product);
    return doc;
  }

  /** What changes often and touches no text: price, sale, stock, image, payout. */
  setOffer(doc: number, product: ProductDocument): void {
    this.prices[doc] = product.priceMicros;
    this.payouts[doc] = product.payoutWeight ?? 0;
    this.currency[doc] = this.currencies.intern(product.currency);
    this.onSale[doc] = isOnSale(product) ? 1 : 0;
    this.showable[doc] = product.inStock && product.hasImage ? 1 : 0;
  }

  bury(doc: number): void {
    this.alive[doc] = 0;
    this.showable[doc] = 0;
  }

  private reserve(needed: number): void {
    if (needed < this.alive.length) return;
    this.resize(grownCapacity(this.alive.length, needed + 1));
  }

  private resize(size: number): void {
    this.alive = resizedU8(this.alive, size);
    this.showable = resizedU8(this.showable, size);
    this.eligible = new Uint8Array(size);
    this.prices = resizedF64(this.prices, size);
    this.payouts = resizedF64(this.payouts, size);
    this.brands = resizedU32(this.brands, size);
    this.merchants = resizedU32(this.merchants, size);
    this.shelves = resizedU8(this.shelves, size);
    this.currency = resizedU8(this.currency, size);
    this.onSale = resizedU8(this.onSale, size);
    this.genders = resizedU8(this.genders, size);
    this.colorsLow = resizedU32(this.colorsLow, size);
    this.colorsHigh = resizedU32(this.colorsHigh, size);
    this.sizeStarts = resizedU32(this.sizeStarts, size + 1);
  }

  isPricedIn(doc: number, currency: number): boolean {
    return this.currency[doc] === currency;
  }

  currencyNumber(currency: string): number {
    return this.currencies.lookup(currency);
  }

  /**
   * One byte per document, 1 where every filter holds. The array is reused by the next call.
   * `namesPhrase` marks documents whose title has the words of a colour unknown to the table.
   */
  eligibleFor(filters: ProductFilters, namesPhrase: (phrase: string, mark: (doc: number) => void) => void): Uint8Array {
    const { eligible, count } = this;
    eligible.set(this.showable.subarray(0, count));
    this.keepPriced(eligible, filters);
    if (filters.onSaleOnly === true) keepWhere(eligible, count, (doc) => this.onSale[doc] === 1);
    keepNumbers(eligible, count, this.brands, filters.brands, this.brandNames);
    keepNumbers(eligible, count, this.merchants, filters.merchants, this.merchantNames);
    if (filters.categories !== undefined && filters.categories.length > 0) {
      const wanted = new Uint8Array(productCategories.length);
      for (const category of filters.categories) wanted[productCategories.indexOf(category)] = 1;
      keepWhere(eligible, count, (doc) => wanted[this.shelves[doc] ?? 0] === 1);
    }
    if (filters.gender !== undefined) {
      const bit = genderBit[filters.gender];
      const unsaid = filters.gender !== 'kids';
      keepWhere(eligible, count, (doc) => (this.genders[doc] === 0 ? unsaid : ((this.genders[doc] ?? 0) & bit) !== 0));
    }
    this.keepColors(eligible, filters.colors, namesPhrase);
    this.keepSizes(eligible, filters.sizes);
    return eligible;
  }

  private keepPriced(eligible: Uint8Array, { priceMinMicros, priceMaxMicros, currency = 'USD' }: ProductFilters): void {
    if (priceMinMicros === undefined && priceMaxMicros === undefined) return;
    const least = priceMinMicros ?? -Infinity;
    const most = priceMaxMicros ?? Infinity;
    const wanted = this.currencies.lookup(currency);
    const { prices, currency: currencyOf } = this;
    keepWhere(eligible, this.count, (doc) => currencyOf[doc] === wanted && (prices[doc] ?? 0) >= least && (prices[doc] ?? 0) <= most);
  }

  private keepColors(eligible: Uint8Array, colors: readonly string[] | undefined, namesPhrase: (phrase: string, mark: (doc: number) => void) => void): void {
    if (colors === undefined || colors.length === 0) return;
    let low = 0;
    let high = 0;
    const marked = new Set<number>();
    for (const color of colors) {
      const answers = colorsAnswering(color);
      if (answers === null) namesPhrase(color, (doc) => marked.add(doc));
      else {
        low |= answers.low;
        high |= answers.high;
      }
    }
    const { colorsLow, colorsHigh } = this;
    keepWhere(eligible, this.count, (doc) => ((colorsLow[doc] ?? 0) & low) !== 0 || ((colorsHigh[doc] ?? 0) & high) !== 0 || marked.has(doc));
  }

  private keepSizes(eligible: Uint8Array, sizes: readonly string[] | undefined): void {
    if (sizes === undefined || sizes.length === 0) return;
    const wanted = new Set(sizes.flatMap(wantedSizes));
    const units = new Set([...wanted].filter(isMeasureSize).map(unitOfSize));
    const worn = [...wanted].some((size) => !isMeasureSize(size));
    // 0: of another kind, 1: comparable and different, 2: fits
    const verdicts = Uint8Array.from(this.sizeNames.names, (name) => (wanted.has(name) ? 2 : (isMeasureSize(name) ? units.has(unitOfSize(name)) : worn) ? 1 : 0));
    const { sizeStarts, sizes: named } = this;
    keepWhere(eligible, this.count, (doc) => {
      const end = sizeStarts[doc + 1] ?? 0;
      let differs = false;
      for (let at = sizeStarts[doc] ?? 0; at < end; at++) {
        const verdict = verdicts[named.data[at] ?? 0];
        if (verdict === 2) return true;
        if (verdict === 1) differs = true;
      }
      return !differs;
    });
  }

  /** Keeps the documents `place` gives a number (not -1), under that number. Order must be kept. */
  renumber(place: (doc: number) => number, count: number): void {
    const sizes = growableU32(Math.max(16, this.sizes.length));
    const starts = new Uint32Array(count + 1);
    for (let doc = 0; doc < this.count; doc++) {
      const to = place(doc);
      if (to < 0) continue;
      for (const column of [this.alive, this.showable, this.prices, this.payouts, this.brands, this.merchants, this.shelves, this.currency, this.onSale, this.genders, this.colorsLow, this.colorsHigh]) column[to] = column[doc] ?? 0;
      for (let at = this.sizeStarts[doc] ?? 0; at < (this.sizeStarts[doc + 1] ?? 0); at++) pushU32(sizes, this.sizes.data[at] ?? 0);
      starts[to + 1] = sizes.length;
    }
    this.sizes = sizes;
    this.sizeStarts = starts;
    this.count = count;
    this.resize(grownCapacity(0, count + 1));
    this.alive.fill(0, count);
    this.showable.fill(0, count);
  }

  bytes(): number {
    return this.alive.length * 44 + this.sizes.data.length * 4;
  }
}

function keepWhere(eligible: Uint8Array, count: number, holds: (doc: number) => boolean): void {
  for (let doc = 0; doc < count; doc++) if (eligible[doc] === 1 && !holds(doc)) eligible[doc] = 0;
}

function keepNumbers(eligible: Uint8Array, count: number, column: Uint32Array, names: readonly string[] | undefined, table: NameTable): void {
  if (names === undefined || names.length === 0) return;
  const wanted = new Set(names.map((name) => table.lookup(name)).filter((number) => number > 0));
  const [only] = wanted;
  if (wanted.size === 1) keepWhere(eligible, count, (doc) => column[doc] === only);
  else keepWhere(eligible, count, (doc) => wanted.has(column[doc] ?? 0));
}
