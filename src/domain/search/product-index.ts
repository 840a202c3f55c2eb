// The product index: built in bulk or one product at a time, changed in place, searched at any
// moment in between.
import { joinArticleNumbers } from './article-numbers.js';
import { Bm25f, type FieldSetting } from './bm25f.js';
import { zone } from './scored.js';
import { grownCapacity, resizedU32 } from './growable.js';
import { fillPieces, keepPiece } from './keep-index.js';
import { ProductColumns } from './product-columns.js';
import type { ProductDocument } from './product-document.js';
import {
  findProducts,
  searchProducts,
  type ProductSearch,
  type ProductSearchResult,
} from './product-search.js';
import type { ProductState } from './product-state.js';
import { productTerms, titleTrail } from './product-terms.js';
import { productTokens } from './product-tokens.js';
import { RaggedStore } from './ragged-store.js';
import { SplitMap } from './split-map.js';
import { readStatedFacts } from './stated-facts.js';
import { synonymTable } from './synonyms.js';
import { stemOf, TermDictionary } from './term-dictionary.js';
import { textHash } from './text-hash.js';
import { titleVocabulary } from './title-signals.js';

/** Measured on judged queries; neighbours of these numbers do about as well. */
export const productFields: readonly FieldSetting[] = [
  { weight: 3, lengthNorm: 0.65, usualLength: 14, zone: zone.name }, // title
  { weight: 3, lengthNorm: 0, usualLength: 2, zone: zone.facts }, // brand
  { weight: 1.5, lengthNorm: 0.3, usualLength: 8, zone: zone.category }, // category path
  { weight: 1, lengthNorm: 0.3, usualLength: 2, zone: zone.facts }, // colour
  { weight: 0.4, lengthNorm: 0.7, usualLength: 90, zone: zone.text }, // description
  { weight: 0.5, lengthNorm: 0, usualLength: 2, zone: zone.facts }, // merchant
  { weight: 0.8, lengthNorm: 0.6, usualLength: 40, zone: zone.facts }, // attributes
  // a description that is no more than another name
  { weight: 0.4, lengthNorm: 0.7, usualLength: 90, zone: zone.facts },
  // names of facts that a description lists
  { weight: 0.05, lengthNorm: 0, usualLength: 40, zone: zone.text },
  // a description that says the title again
  { weight: 1, lengthNorm: 0.7, usualLength: 90, zone: zone.facts },
];
export const productSaturation = 3;

const openPostings = 1 << 15;
/**
 * Postings merged and documents moved for each change: more than a change adds, so upkeep never
 * falls behind, and far less than anybody waits for.
 */
const tidyPostings = 2000;
const tidyDocuments = 4;
const bulkPostings = 1 << 22;
const longestDescription = 3000;
const longestAttributes = 2000;
/** Words of a description that only says what the thing is. */
const wordsOfName = 12;
/** Of a short description, the share of words that are in the title, for it to be the name again. */
const saidAgain = 1 / 3;
const progressStep = 1000;
const factLimit = 4096;
const none = new Uint32Array(0);

export type Change = 'added' | 'changed' | 'offer' | 'same';

export interface ProductIndex {
  /** Adds or replaces a product. A new price or stock alone touches no postings ("offer"). */
  upsert(product: ProductDocument): Change;
  /** False when there is no such product. */
  remove(productId: string): boolean;
  /** Many products at once, faster than one by one; `onProgress` hears how many are done. */
  bulk(products: Iterable<ProductDocument>, onProgress?: (done: number) => void): void;
  search(request: ProductSearch): ProductSearchResult;
  /** The same in two steps: the second is taken before the next search, or not at all. */
  find: (request: ProductSearch) => ReturnType<typeof findProducts>;
  /** Searches that find something: the first words of titles, of listings far from each other. */
  likelySearches(count: number): ProductSearch[];
  has(productId: string): boolean;
  readonly size: number;
  stats(): ProductIndexStats;
  /** The ids of all products. */
  productIds(): string[];
  /**
   * The index as plain data, piece by piece: `piece` is called when its turn comes, and nothing may
   * change before the last one was.
   */
  pieces(): { name: string; piece(): unknown }[];
}

export interface ProductIndexStats {
  products: number;
  terms: number;
  postings: number;
  segments: number;
  /** Of typed arrays; strings and maps come on top. */
  bytes: number;
}

/** Empty, or from the pieces of one by their names. */
export function createProductIndex(kept?: ReadonlyMap<string, unknown>): ProductIndex {
  const index = new TypedArrayIndex();
  if (kept !== undefined) index.fill(kept);
  return index;
}

class TypedArrayIndex implements ProductIndex {
  private readonly state: ProductState;
  private hashes = new Uint32Array(1024);
  private readonly facts = new Map<string, readonly number[]>();

  constructor() {
    const dictionary = new TermDictionary();
    this.state = {
      dictionary,
      engine: new Bm25f({ fields: productFields, saturation: productSaturation, openPostings }),
      titles: new RaggedStore(),
      columns: new ProductColumns(),
      titleWords: titleVocabulary(dictionary),
      synonyms: synonymTable(stemOf),
      ids: new SplitMap(),
      productIds: [],
    };
  }

  get size(): number {
    return this.state.ids.size;
  }

  fill(kept: ReadonlyMap<string, unknown>): void {
    const { dictionary, engine, titles, columns, ids } = this.state;
    const pieces = { dictionary, engine, titles, columns, ids, productIds: [], hashes: none };
    const { productIds, hashes } = fillPieces(pieces, kept);
    this.state.productIds = productIds;
    this.hashes = hashes;
    // Its words have the numbers that the dictionary was filled with.
    this.state.titleWords = titleVocabulary(dictionary);
  }

  pieces(): { name: string; piece(): unknown }[] {
    const { dictionary, engine, titles, columns, ids, productIds } = this.state;
    const { hashes } = this;
    return Object.entries({ dictionary, engine, titles, columns, ids, productIds, hashes }).map(
      ([name, piece]) => ({ name, piece: () => keepPiece(piece) }),
    );
  }

  productIds(): string[] {
    const { ids, productIds } = this.state;
    return productIds.filter((id, doc) => ids.get(id) === doc);
  }

  has(productId: string): boolean {
    return this.state.ids.has(productId);
  }

  upsert(product: ProductDocument): Change {
    const { ids, columns } = this.state;
    const hash = textHash(wordsOf(product));
    const known = ids.get(product.product_id);
    if (known !== undefined) {
      if (this.hashes[known * 2] === hash[0] && this.hashes[known * 2 + 1] === hash[1]) {
        columns.setOffer(known, product);
        return 'offer';
      }
      columns.bury(known);
    }
    this.append(product, hash);
    this.tidy(tidyPostings, tidyDocuments);
    return known === undefined ? 'added' : 'changed';
  }

  remove(productId: string): boolean {
    const { ids, columns } = this.state;
    const known = ids.get(productId);
    if (known === undefined) return false;
    columns.bury(known);
    ids.delete(productId);
    this.tidy(tidyPostings, tidyDocuments);
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
    this.state.engine.freeze();
    this.state.engine.setOpenLimit(openPostings);
    onProgress?.(done);
  }

  search(request: ProductSearch): ProductSearchResult {
    return searchProducts(this.state, request);
  }

  find(request: ProductSearch): ReturnType<typeof findProducts> {
    return findProducts(this.state, request);
  }

  likelySearches(count: number): ProductSearch[] {
    const { titles, dictionary, productIds } = this.state;
    const step = productIds.length / count;
    return Array.from({ length: count }, (_, n) => {
      const spellings = [...titles.get(Math.floor(n * step))].filter((spelling) => spelling !== 0);
      const words = spellings.slice(0, 1 + (n % 4)).map((each) => dictionary.wordOfSpelling(each));
      return { query: words.join(' '), filters: {}, limit: 8, fit: true };
    });
  }

  private append(product: ProductDocument, hash: readonly [number, number]): void {
    const { dictionary, engine, titles, columns, ids, productIds } = this.state;
    const title = productTokens(product.title);
    const doc = columns.add(product, title);
    const full = { full: true };
    const { prose, facts, names } = readStatedFacts(
      product.description.slice(0, longestDescription + longestAttributes),
    );
    const about = productTokens(prose.slice(0, longestDescription));
    const aboutTerms = productTerms(dictionary, about, { full: false });
    const isName = about.words.length <= wordsOfName;
    const isNameAgain = isName && saysAgain(about.words, title.words);
    const terms = [
      productTerms(dictionary, title, full),
      this.factTerms(product.brand),
      this.factTerms(product.category),
      this.factTerms(product.color),
      isName ? [] : aboutTerms,
      this.factTerms(product.merchant),
      productTerms(dictionary, productTokens(attributeText(product, facts)), full),
      isName && !isNameAgain ? aboutTerms : [],
      names === '' ? [] : productTerms(dictionary, productTokens(names), { full: false }),
      isNameAgain ? aboutTerms : [],
    ];
    titles.set(doc, titleTrail(dictionary, title));
    engine.add(doc, terms, dictionary.size);
    ids.set(product.product_id, doc);
    productIds[doc] = product.product_id;
    if (doc * 2 + 1 >= this.hashes.length)
      this.hashes = resizedU32(this.hashes, grownCapacity(this.hashes.length, doc * 2 + 2));
    this.hashes[doc * 2] = hash[0];
    this.hashes[doc * 2 + 1] = hash[1];
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

  /**
   * Replaced and removed products leave holes behind, and new ones small segments: both are worked
   * off with each change, never all at once.
   */
  private tidy(postings: number, documents: number): void {
    const { columns, engine, titles } = this.state;
    columns.release(engine.tidy(postings, columns.alive, columns.holes));
    titles.tidy(documents);
    columns.tidy(documents);
  }

  stats(): ProductIndexStats {
    const { engine, titles, columns, dictionary, ids } = this.state;
    const { postings, segments, bytes } = engine.stats();
    return {
      products: ids.size,
      terms: dictionary.size,
      postings,
      segments,
      bytes: bytes + titles.bytes() + columns.bytes() + this.hashes.length * 4,
    };
  }
}

/** What a listing is called in its title and once more below it, it is. */
function saysAgain(words: readonly string[], title: readonly string[]): boolean {
  const again = words.filter((word) => title.includes(word)).length;
  return again > 0 && again >= saidAgain * words.length;
}

/** What a description lists comes after what the source itself calls attributes. */
function attributeText({ attributes }: ProductDocument, facts: string): string {
  const values = attributes === undefined ? [] : Object.values(attributes).map(joinArticleNumbers);
  return (facts === '' ? values : [...values, facts]).join(' , ').slice(0, longestAttributes);
}

function wordsOf(product: ProductDocument): string {
  const attributes =
    product.attributes === undefined ? '' : Object.entries(product.attributes).join('\u0001');
  return [
    product.title,
    product.brand,
    product.merchant,
    product.category,
    product.description,
    product.color,
    product.sizes?.join('\u0002'),
    product.gender,
    product.group,
    attributes,
  ].join('\u0000');
}
