// What filters and facets look at, by document number.
import { type ColorBits, colorsIn } from './colors.js';
import { gendersNamed, gendersOf } from './genders.js';
import { grownCapacity, resizedU32, resizedU8 } from './growable.js';
import { NameTable } from './name-table.js';
import { categorizeTokens, pathScores, productCategories } from './product-categories.js';
import type { ProductDocument } from './product-document.js';
import { isOnSale, isWearable } from './product-filters.js';
import {
  emptyRows,
  fixedTraits,
  priceAt,
  rowCell,
  rowCells,
  rowShift,
  trait,
  type ProductRows,
} from './product-row.js';
import { productTokens, type ProductTokens } from './product-tokens.js';
import { RaggedStore } from './ragged-store.js';
import { isMeasureSize, sizesOf, unitOfSize } from './sizes.js';
import { stemOf } from './term-dictionary.js';
import { textHash } from './text-hash.js';

const memoLimit = 4096;

export class ProductColumns {
  readonly brandNames = new NameTable();
  readonly merchantNames = new NameTable();
  readonly currencies = new NameTable();
  readonly sizeNames = new NameTable();
  /** By size number: the unit of a measure, '' for a size that is worn or slept in. */
  readonly sizeUnits: string[] = [''];
  readonly sizes = new RaggedStore();
  /** 1 while the document exists; a replaced or removed one is 0. */
  alive = new Uint8Array(0);
  /** 1 when it may be shown at all: alive, in stock, with an image. */
  showable = new Uint8Array(0);
  rows: ProductRows = emptyRows(0);
  /** Number of the shelf, as in its traits: asked of every match, where rows are spread too far. */
  private shelves = new Uint8Array(0);
  /** The thing a document is a size or colour of, as a hash; 0 when it stands for itself. */
  private groups = new Uint32Array(0);
  /** Numbers of documents that are gone, to be given out again. */
  private readonly free: number[] = [];
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
    const genders = gendersOf({
      titleWords: title.words,
      categoryGenders: path?.genders ?? 0,
      gender: product.gender,
      shelf,
    });
    const colors = colorsIn(title.words);
    const sizes = sizesOf({ title, sizes: product.sizes, wearable: isWearable(shelf) });
    this.alive[doc] = 1;
    this.living += 1;
    const { numbers } = this.rows;
    const row = doc << rowShift;
    numbers[row + rowCell.brand] =
      product.brand === null ? 0 : this.brandNames.intern(product.brand);
    numbers[row + rowCell.merchant] = this.merchantNames.intern(product.merchant);
    numbers[row + rowCell.colorsLow] = colors.low;
    numbers[row + rowCell.colorsHigh] = colors.high;
    this.shelves[doc] = productCategories.indexOf(shelf);
    numbers[row + rowCell.traits] =
      productCategories.indexOf(shelf) |
      (genders << trait.genderShift) |
      (sizes.length > 0 ? trait.sized : 0);
    this.groups[doc] =
      product.group === undefined || product.group === null ? 0 : textHash(product.group)[0] || 1;
    this.sizes.set(
      doc,
      sizes.map((size) => this.sizeNumber(size)),
    );
    this.setOffer(doc, product);
    return doc;
  }

  private sizeNumber(size: string): number {
    const number = this.sizeNames.intern(size);
    this.sizeUnits[number] ??= isMeasureSize(size) ? unitOfSize(size) : '';
    return number;
  }

  /**
   * Paths and words repeat from listing to listing; reading each once is what makes a bulk build
   * fast.
   */
  private readPath(category: string): { scores: Float64Array; genders: number } {
    const known = this.paths.get(category);
    if (known !== undefined) return known;
    if (this.paths.size >= memoLimit) this.paths.clear();
    const read = {
      scores: pathScores(category, (word) => this.stem(word)),
      genders: gendersNamed(productTokens(category).words),
    };
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
    const { numbers, floats, wide } = this.rows;
    const row = doc << rowShift;
    const isShowable = product.inStock && product.hasImage;
    wide[priceAt(doc)] = product.priceMicros;
    floats[row + rowCell.payout] = product.payoutWeight ?? 0;
    this.showable[doc] = isShowable ? 1 : 0;
    const offer = (isShowable ? trait.showable : 0) | (isOnSale(product) ? trait.sale : 0);
    numbers[row + rowCell.traits] =
      (this.traitsOf(doc) & fixedTraits) |
      offer |
      (this.currencies.intern(product.currency) << trait.currencyShift);
  }

  bury(doc: number): void {
    this.living -= 1;
    this.alive[doc] = 0;
    this.showable[doc] = 0;
    this.rows.numbers[doc << rowShift] = this.traitsOf(doc) & ~trait.showable;
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
    this.rows = emptyRows(size, this.rows);
    this.groups = resizedU32(this.groups, size);
    this.shelves = resizedU8(this.shelves, size);
  }

  private traitsOf(doc: number): number {
    // every document has a row, and traits come first in it
    return this.rows.numbers[doc << rowShift] as number;
  }

  shelfOf(doc: number): number {
    return this.shelves[doc] as number; // sized to every document
  }

  /** 2 when the title names one of these colours, 0 when it names only others, else 1. */
  colorMatch(doc: number, wanted: ColorBits): 0 | 1 | 2 {
    const row = doc << rowShift;
    const low = this.rows.numbers[row + rowCell.colorsLow] as number; // every document has a row
    const high = this.rows.numbers[row + rowCell.colorsHigh] as number; // as above
    if ((low & wanted.low) !== 0 || (high & wanted.high) !== 0) return 2;
    return low === 0 && high === 0 ? 1 : 0;
  }

  colorDistance(doc: number, distance: (low: number, high: number) => number): number {
    const row = doc << rowShift;
    const { numbers } = this.rows;
    return distance(numbers[row + rowCell.colorsLow] ?? 0, numbers[row + rowCell.colorsHigh] ?? 0);
  }

  groupOf(doc: number): number {
    return this.groups[doc] as number; // as above
  }

  payoutOf(doc: number): number {
    return this.rows.floats[(doc << rowShift) + rowCell.payout] as number; // as above
  }

  /** Whether the listing is only for others than those asked for; one that names nobody is not. */
  isForOthers(doc: number, asked: number): boolean {
    const own = (this.traitsOf(doc) >>> trait.genderShift) & 7;
    return own !== 0 && (own & asked) === 0;
  }

  bytes(): number {
    return this.alive.length * (7 + rowCells * 4) + this.sizes.bytes();
  }
}
