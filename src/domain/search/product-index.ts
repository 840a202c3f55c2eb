// The product index: built in bulk or one product at a time, changed in place, searched at any moment in between.
import { Bm25f, type FieldSetting } from './bm25f.js';
import { zone } from './scored.js';
import { growableU32, pushU32 } from './growable.js';
import { ProductColumns } from './product-columns.js';
import type { ProductDocument } from './product-document.js';
import { searchProducts, type ProductSearch, type ProductSearchResult } from './product-search.js';
import type { ProductState } from './product-state.js';
import { productTerms, titleTrail } from './product-terms.js';
import { productTokens } from './product-tokens.js';
import { synonymTable } from './synonyms.js';
import { stemOf, TermDictionary } from './term-dictionary.js';
import { textHash } from './text-hash.js';
import { titleVocabulary } from './title-signals.js';
import { TitleStore } from './title-store.js';

/** Measured on judged queries; neighbours of these numbers do about as well. */
export const productFields: readonly FieldSetting[] = [
  { weight: 3, lengthNorm: 0.65, usualLength: 14, zone: zone.name }, // title
  { weight: 3, lengthNorm: 0, usualLength: 2, zone: zone.facts }, // brand
  { weight: 1.5, lengthNorm: 0.3, usualLength: 8, zone: zone.category }, // category path
  { weight: 1, lengthNorm: 0.3, usualLength: 2, zone: zone.facts }, // colour
  { weight: 0.4, lengthNorm: 0.7, usualLength: 90, zone: zone.text }, // description
  { weight: 0.5, lengthNorm: 0, usualLength: 2, zone: zone.facts }, // merchant
  { weight: 0.8, lengthNorm: 0.6, usualLength: 40, zone: zone.facts }, // attributes
];
export const productSaturation = 3;

const openPostings = 1 << 18;
const bulkPostings = 1 << 22;
const longestDescription = 3000;
const longestAttributes = 2000;
const progressStep = 1000;
const pauseStep = 50;
const factLimit = 4096;

export type Change = 'added' | 'changed' | 'offer' | 'same';

export interface ProductIndex {
  /** Adds or replaces a product. A new price or stock alone touches no postings ("offer"). */
  upsert(product: ProductDocument): Change;
  /** False when there is no such product. */
  remove(productId: string): boolean;
  /** Many products at once, faster than one by one; `onProgress` hears how many are done. */
  bulk(products: Iterable<ProductDocument>, onProgress?: (done: number) => void): void;
  /** As `bulk`, from a stream; `pause` is awaited now and then so that searches and requests get their turn. */
  bulkFrom(products: AsyncIterable<ProductDocument>, onProgress?: (done: number) => void, pause?: () => Promise<void>): Promise<void>;
  search(request: ProductSearch): ProductSearchResult;
  has(productId: string): boolean;
  readonly size: number;
  stats(): ProductIndexStats;
}

export interface ProductIndexStats {
  products: number;
  terms: number;
  postings: number;
  segments: number;
  /** Of typed arrays; strings and maps come on top. */
  bytes: number;
}

export function createProductIndex(): ProductIndex {
  return new TypedArrayIndex();
}

class TypedArrayIndex implements ProductIndex {
  private readonly state: ProductState;
  private hashes = growableU32(1024);
  private readonly facts = new Map<string, readonly number[]>();

  constructor() {
    const dictionary = new TermDictionary();
    this.state = {
      dictionary, engine: new Bm25f({ fields: productFields, saturation: productSaturation, openPostings }), titles: new TitleStore(), columns: new ProductColumns(),
      titleWords: titleVocabulary(dictionary), synonyms: synonymTable(stemOf), ids: new Map(), productIds: [],
    };
  }

  get size(): number {
    return this.state.ids.size;
  }

  has(productId: string): boolean {
    return this.state.ids.has(productId);
  }

  upsert(product: ProductDocument): Change {
    const { ids, columns, engine } = this.state;
    const hash = textHash(wordsOf(product));
    const known = ids.get(product.product_id);
    if (known !== undefined) {
      if (this.hashes.data[known * 2] === hash[0] && this.hashes.data[known * 2 + 1] === hash[1]) {
        columns.setOffer(known, product);
        return 'offer';
      }
      columns.bury(known);
    }
    this.append(product, hash);
    if (engine.isOpenFull()) engine.freeze(columns.alive);
    this.compactWhenWasteful();
    return known === undefined ? 'added' : 'changed';
  }

  remove(productId: string): boolean {
    const { ids, columns } = this.state;
    const known = ids.get(productId);
    if (known === undefined) return false;
    columns.bury(known);
    ids.delete(productId);
    this.compactWhenWasteful();
    return true;
  }

  bulk(products: Iterable<ProductDocument>, onProgress?: (done: number) => void): void {
    this.state.engine.setOpenLimit(bulkPostings);
    let done = 0;
    for (const product of products) {
      this.upsert(product);
      done += 1;
      if (done % progressStep === 0) onProgress?.(done);
    }
    this.endBulk();
    onProgress?.(done);
  }

  async bulkFrom(products: AsyncIterable<ProductDocument>, onProgress?: (done: number) => void, pause?: () => Promise<void>): Promise<void> {
    this.state.engine.setOpenLimit(bulkPostings);
    let done = 0;
    for await (const product of products) {
      this.upsert(product);
      done += 1;
      if (done % pauseStep === 0) await pause?.();
      if (done % progressStep === 0) onProgress?.(done);
    }
    this.endBulk();
    onProgress?.(done);
  }

  private endBulk(): void {
    this.state.engine.freeze(this.state.columns.alive);
    this.state.engine.setOpenLimit(openPostings);
  }

  search(request: ProductSearch): ProductSearchResult {
    return searchProducts(this.state, request);
  }

  private append(product: ProductDocument, hash: readonly [number, number]): void {
    const { dictionary, engine, titles, columns, ids, productIds } = this.state;
    const title = productTokens(product.title);
    const doc = columns.add(product, title);
    const full = { full: true };
    const terms = [
      productTerms(dictionary, title, full),
      this.factTerms(product.brand),
      this.factTerms(product.category),
      this.factTerms(product.color),
      productTerms(dictionary, productTokens(product.description.slice(0, longestDescription)), { full: false }),
      this.factTerms(product.merchant),
      product.attributes === undefined ? [] : productTerms(dictionary, productTokens(Object.values(product.attributes).join(' , ').slice(0, longestAttributes)), full),
    ];
    titles.add(titleTrail(dictionary, title));
    engine.add(doc, terms, dictionary.size);
    ids.set(product.product_id, doc);
    productIds[doc] = product.product_id;
    pushU32(this.hashes, hash[0]);
    pushU32(this.hashes, hash[1]);
  }

  /** Brands, merchants, colours and paths repeat; their terms are worked out once. */
  private factTerms(text: string | null | undefined): readonly number[] {
    if (text === null || text === undefined || text === '') return [];
    const known = this.facts.get(text);
    if (known !== undefined) return known;
    if (this.facts.size >= factLimit) this.facts.clear();
    const terms = productTerms(this.state.dictionary, productTokens(text), { full: true });
    this.facts.set(text, terms);
    return terms;
  }

  /** Replaced and removed products leave holes; when holes outnumber products the index is written anew without them. */
  private compactWhenWasteful(): void {
    const { ids, columns, engine, titles, productIds } = this.state;
    const holes = columns.count - ids.size;
    if (holes < 4096 || holes <= ids.size) return;
    const places = new Int32Array(columns.count).fill(-1);
    let next = 0;
    for (let doc = 0; doc < columns.count; doc++) if (columns.alive[doc] === 1) places[doc] = next++;
    const place = (doc: number): number => places[doc] ?? -1;
    const hashes = growableU32(Math.max(16, next * 2));
    for (let doc = 0; doc < columns.count; doc++) {
      const to = place(doc);
      if (to < 0) continue;
      pushU32(hashes, this.hashes.data[doc * 2] ?? 0);
      pushU32(hashes, this.hashes.data[doc * 2 + 1] ?? 0);
      productIds[to] = productIds[doc] ?? '';
      ids.set(productIds[to] ?? '', to);
    }
    productIds.length = next;
    this.hashes = hashes;
    engine.renumber(place, columns.alive);
    titles.renumber(place);
    columns.renumber(place, next);
  }

  stats(): ProductIndexStats {
    const { engine, titles, columns, dictionary, ids } = this.state;
    const { postings, segments, bytes } = engine.stats();
    return { products: ids.size, terms: dictionary.size, postings, segments, bytes: bytes + titles.bytes() + columns.bytes() + this.hashes.data.length * 4 };
  }
}

function wordsOf(product: ProductDocument): string {
  const attributes = product.attributes === undefined ? '' : Object.entries(product.attributes).join('\u0001');
  return [product.title, product.brand, product.merchant, product.category, product.description, product.color, product.sizes?.join('\u0002'), product.gender, attributes].join('\u0000');
}
