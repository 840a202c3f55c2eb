import type { Bm25f } from './bm25f.js';
import type { ProductColumns } from './product-columns.js';
import type { RaggedStore } from './ragged-store.js';
import type { SplitMap } from './split-map.js';
import type { SynonymPhrase } from './synonyms.js';
import type { TermDictionary } from './term-dictionary.js';
import type { TitleVocabulary } from './title-signals.js';

/**
 * Everything a product index holds; documents are numbered, and `ids` leads from a product to its
 * current number.
 */
export interface ProductState {
  dictionary: TermDictionary;
  engine: Bm25f;
  /**
   * Titles as spelling numbers in order, 0 where a phrase ends: phrases and compounds are checked
   * here instead of keeping positions of every word.
   */
  titles: RaggedStore;
  columns: ProductColumns;
  titleWords: TitleVocabulary;
  synonyms: ReadonlyMap<string, readonly SynonymPhrase[]>;
  ids: SplitMap;
  productIds: string[];
}
