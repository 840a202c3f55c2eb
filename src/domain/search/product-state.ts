import type { Bm25f } from './bm25f.js';
import type { ProductColumns } from './product-columns.js';
import type { SynonymPhrase } from './synonyms.js';
import type { TermDictionary } from './term-dictionary.js';
import type { TitleVocabulary } from './title-signals.js';
import type { TitleStore } from './title-store.js';

/** Everything a product index holds; documents are numbered, and `ids` leads from a product to its current number. */
export interface ProductState {
  dictionary: TermDictionary;
  engine: Bm25f;
  titles: TitleStore;
  columns: ProductColumns;
  titleWords: TitleVocabulary;
  synonyms: ReadonlyMap<string, readonly SynonymPhrase[]>;
  ids: Map<string, number>;
  productIds: string[];
}
