// What filters and facets look at, one typed array per property, indexed by document number.
import { colorsAnswering, colorsIn } from './colors.js';
import { gendersNamed, gendersOf, suitsGender } from './genders.js';
import { grownCapacity, resizedF32, resizedF64, resizedU32, resizedU8 } from './growable.js';
import { NameTable } from './name-table.js';
import { categorizeTokens, pathScores, productCategories } from './product-categories.js';
import type { ProductDocument } from './product-document.js';
import { isOnSale, isWearable, type ProductFilters } from './product-filters.js';
import { productTokens, type ProductTokens } from './product-tokens.js';
import { RaggedStore } from './ragged-store.js';
import { isMeasureSize, sizesOf, unitOfSize, wantedSizes } from './sizes.js';
import { stemOf } from './term-dictionary.js';

const memoLimit = 4096;

/** Small properties of a document in one number: 4 bits of shelf, 3 of genders, then a bit each. */
const genderShift = 4;
const showableBit = 1 << 7;
const saleBit = 1 << 8;
const sizedBit = 1 << 9;
const traitBits = 1023;
const currencyShift = 10;

export class ProductColumns {
  readonly brandNames = new NameTable();
  readonly merchantNames = new NameTable();
  private readonly currencies = new NameTable();
  private readonly sizeNames = new NameTable();
  /** By size number: the unit of a measure, '' for a size that is worn or slept in. */
  private readonly sizeUnits: string[] = [''];
  /** 1 while the document exists; a replaced or removed one is 0. */
  alive = new Uint8Array(0);
  /** 1 when it may be shown at all: alive, in stock, with an image. */
  private showable = new Uint8Array(0);
  prices = new Float64Array(0);
  payouts = new Float32Array(0);
  brands = new Uint32Array(0);
  merchants = new Uint32Array(0);
  private traits = new Uint32Array(0);
  private colorsLow = new Uint32Array(0);
  private colorsHigh = new Uint32Array(0);
  private readonly sizes = new RaggedStore();
  /** Numbers of documents that are gone, to be given out again. */
  private readonly free: number[] = [];
  private eligible = new Uint8Array(0);
  private readonly paths = new Map<string, { scores: Float64Array; genders: number }>();
  private readonly stems = new Map<string, string>();
  /** Above every document number given out. */
  count = 0;
  private living = 0;

  /** Adds a document and gives its number. */
  add(product: ProductDocument, title: ProductTokens): number {
    const doc = this.free.pop() ?? this.count;
    if (doc >= this.alive.length) this.resize(grownCapacity(this.alive.length, doc + 1));
    if (doc === this.count) this.count += 1;
    const path = product.category === null ? null : this.readPath(product.category);
    const shelf = categorizeTokens(path?.scores ?? null, title, (word) => this.stem(word));
    const genders = gendersOf({ titleWords: title.words, categoryGenders: path?.genders ?? 0, gender: product.gender, shelf });
    const colors = colorsIn(title.words);
    const sizes = sizesOf({ title, sizes: product.sizes, wearable: isWearable(shelf) });
    this.alive[doc] = 1;
    this.living += 1;
    this.brands[doc] = product.brand === null ? 0 : this.brandNames.intern(product.brand);
    this.merchants[doc] = this.merchantNames.intern(product.merchant);
    this.colorsLow[doc] = colors.low;
    this.colorsHigh[doc] = colors.high;
    this.sizes.set(doc, sizes.map((size) => this.sizeNumber(size)));
    this.traits[doc] = productCategories.indexOf(shelf) | (genders << genderShift) | (sizes.length > 0 ? sizedBit : 0);
    this.setOffer(doc, product);
    return doc;
  }

  private sizeNumber(size: string): number {
    const number = this.sizeNames.intern(size);
    this.sizeUnits[number] ??= isMeasureSize(size) ? unitOfSize(size) : '';
    return number;
  }

  /** Paths and words repeat from listing to listing; reading each once is what makes a bulk build fast. */
  private readPath(category: string): { scores: Float64Array; genders: number } {
    const known = this.paths.get(category);
    if (known !== undefined) return known;
    if (this.paths.size >= memoLimit) this.paths.clear();
    const read = { scores: pathScores(category, (word) => this.stem(word)), genders: gendersNamed(productTokens(category).words) };
    this.paths.set(category, read);
    return read;
  }

  private stem(word: string): string {
    const known = this.stems.get(word);
    if (known !== undefined) return known;
    if (this.stems.size >= memoLimit) this.stems.clear();
    const root = stemOf(word);
    this.stems.set(word, root);
    return root;
  }

  /** What changes often and touches no text: price, sale, stock, image, payout. */
  setOffer(doc: number, product: ProductDocument): void {
    this.prices[doc] = product.priceMicros;
    this.payouts[doc] = product.payoutWeight ?? 0;
    const fixed = (this.traits[doc] ?? 0) & traitBits & ~(showableBit | saleBit);
    this.showable[doc] = product.inStock && product.hasImage ? 1 : 0;
    const offer = (product.inStock && product.hasImage ? showableBit : 0) | (isOnSale(product) ? saleBit : 0);
    this.traits[doc] = fixed | offer | (this.currencies.intern(product.currency) << currencyShift);
  }

  bury(doc: number): void {
    this.living -= 1;
    this.alive[doc] = 0;
    this.showable[doc] = 0;
    this.traits[doc] = (this.traits[doc] ?? 0) & ~showableBit;
  }

  /** The documents' numbers may be given out again. */
  release(docs: ArrayLike<number>): void {
    for (let i = 0; i < docs.length; i++) this.free.push(docs[i] as number); // below length
  }

  /** Documents that are gone and whose numbers cannot be used yet. */
  get holes(): number {
    return this.count - this.free.length - this.living;
  }

  tidy(budget: number): void {
    this.sizes.tidy(budget);
  }

  private resize(size: number): void {
    this.alive = resizedU8(this.alive, size);
    this.showable = resizedU8(this.showable, size);
    this.eligible = new Uint8Array(size);
    this.prices = resizedF64(this.prices, size);
    this.payouts = resizedF32(this.payouts, size);
    this.brands = resizedU32(this.brands, size);
    this.merchants = resizedU32(this.merchants, size);
    this.traits = resizedU32(this.traits, size);
    this.colorsLow = resizedU32(this.colorsLow, size);
    this.colorsHigh = resizedU32(this.colorsHigh, size);
  }

  shelfOf(doc: number): number {
    return (this.traits[doc] as number) & 15; // every document has traits
  }

  /** Whether the listing is only for others than those asked for; one that names nobody is not. */
  isForOthers(doc: number, asked: number): boolean {
    const own = ((this.traits[doc] as number) >>> genderShift) & 7; // as above
    return own !== 0 && (own & asked) === 0;
  }

  isPricedIn(doc: number, currency: number): boolean {
    return (this.traits[doc] as number) >>> currencyShift === currency; // as above
  }

  currencyNumber(currency: string): number {
    return this.currencies.lookup(currency);
  }

  /** One byte per document, 1 where it may be shown at all. The caller may change it; the next call starts afresh. */
  shown(): Uint8Array {
    this.eligible.set(this.showable.subarray(0, this.count));
    return this.eligible;
  }

  /**
   * Whether every filter holds for a document that may be shown; null when there is no filter. Asked once for each document a query touches, before
   * it is scored: most of a catalogue shares no word with the query and need not be looked at.
   * `namesPhrase` marks documents whose title has the words of a colour unknown to the table.
   */
  admission(filters: ProductFilters, namesPhrase: (phrase: string, mark: (doc: number) => void) => void): ((doc: number) => boolean) | null {
    const { traits, prices, brands, merchants, colorsLow, colorsHigh } = this;
    const brand = wantedNumbers(filters.brands, this.brandNames);
    const merchant = wantedNumbers(filters.merchants, this.merchantNames);
    const colors = wantedColors(filters.colors, namesPhrase);
    const sizes = this.sizeVerdicts(filters.sizes);
    const price = this.wantedPrice(filters);
    const trait = wantedTraits(filters);
    if (brand === null && merchant === null && colors === null && sizes === null && price === null && trait === null) return null;
    return (doc) => {
      const own = traits[doc] as number; // every document has a place in every column
      if (trait !== null && ((own & trait.needed) !== trait.needed || trait.allowed[own & 127] === 0)) return false;
      if (price !== null) {
        const amount = prices[doc] as number; // as above
        if (amount < price.least || amount > price.most || own >>> currencyShift !== price.currency) return false;
      }
      if (brand !== null && brand[brands[doc] as number] === 0) return false; // as above
      if (merchant !== null && merchant[merchants[doc] as number] === 0) return false; // as above
      if (colors !== null && ((colorsLow[doc] as number) & colors.low) === 0 && ((colorsHigh[doc] as number) & colors.high) === 0 && !colors.marked.has(doc)) return false; // as above
      return sizes === null || (own & sizedBit) === 0 || !this.namesOtherSize(doc, sizes);
    };
  }

  private wantedPrice({ priceMinMicros, priceMaxMicros, currency = 'USD' }: ProductFilters): { least: number; most: number; currency: number } | null {
    if (priceMinMicros === undefined && priceMaxMicros === undefined) return null;
    return { least: priceMinMicros ?? -Infinity, most: priceMaxMicros ?? Infinity, currency: this.currencies.lookup(currency) };
  }

  /** By size number, 0: of another kind than the wanted ones; 1: comparable and different; 2: fits. */
  private sizeVerdicts(sizes: readonly string[] | undefined): Uint8Array | null {
    if (sizes === undefined || sizes.length === 0) return null;
    const wanted = new Set(sizes.flatMap(wantedSizes));
    const units = new Set([...wanted].map((size) => (isMeasureSize(size) ? unitOfSize(size) : '')));
    const verdicts = new Uint8Array(this.sizeUnits.length);
    for (let number = 1; number < verdicts.length; number++) if (units.has(this.sizeUnits[number] ?? '')) verdicts[number] = 1;
    for (const size of wanted) {
      const number = this.sizeNames.lookup(size);
      if (number > 0) verdicts[number] = 2;
    }
    return verdicts;
  }

  private namesOtherSize(doc: number, verdicts: Uint8Array): boolean {
    let verdict = 0;
    for (const size of this.sizes.get(doc)) verdict = Math.max(verdict, verdicts[size] as number); // one for every size
    return verdict === 1;
  }

  bytes(): number {
    return this.alive.length * 35 + this.sizes.bytes();
  }
}

/** Sale, gender and shelf as bits every listing must have and a verdict for each shelf and gender mask; null when none is asked for. */
function wantedTraits({ onSaleOnly, gender, categories }: ProductFilters): { needed: number; allowed: Uint8Array } | null {
  const anyShelf = categories === undefined || categories.length === 0;
  if (onSaleOnly !== true && gender === undefined && anyShelf) return null;
  const shelves = productCategories.map((category) => anyShelf || categories.includes(category));
  const allowed = Uint8Array.from({ length: 128 }, (_, low) => (shelves[low & 15] === true && (gender === undefined || suitsGender(low >>> genderShift, gender)) ? 1 : 0));
  return { needed: showableBit | (onSaleOnly === true ? saleBit : 0), allowed };
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

function wantedColors(colors: readonly string[] | undefined, namesPhrase: (phrase: string, mark: (doc: number) => void) => void): { low: number; high: number; marked: Set<number> } | null {
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
