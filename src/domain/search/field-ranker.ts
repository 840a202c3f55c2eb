// The same engine for small collections of any kind (developer tools: name, needs, description,
// keywords): fields with weights, stems, spelling repair.
import { Bm25f, type FieldSetting, type QueryGroup } from './bm25f.js';
import { matchedCell } from './scored.js';
import { maskSum } from './mask-sum.js';
import { productTokens } from './product-tokens.js';
import { isFiller } from './product-terms.js';
import { rarityOf } from './query-plan.js';
import { repairSpelling } from './spelling.js';
import { TermDictionary } from './term-dictionary.js';
import { topDocuments } from './top-documents.js';

export interface RankedEntry {
  id: string;
  score: number;
  /** Share of the query's rarity the entry holds, 0 to 1. */
  coverage: number;
  /** Query words found, as typed or respelt: what a reason can be composed from. */
  words: string[];
}

export interface FieldRanker<Field extends string> {
  /** Adds or replaces an entry; a field of several texts is one field. */
  upsert(id: string, texts: Readonly<Partial<Record<Field, string | readonly string[]>>>): void;
  remove(id: string): void;
  /** Best first. `isAllowed` is asked before an entry is scored. */
  rank(query: string, limit: number, isAllowed?: (id: string) => boolean): RankedEntry[];
  readonly size: number;
}

const groupsAtMost = 30;
const tidyPostings = 2000;

/** `fields` in the order their texts are given weight; saturation as in BM25's k1. */
export function createFieldRanker<Field extends string>(
  fields: Readonly<Record<Field, FieldSetting>>,
  saturation = 1.5,
): FieldRanker<Field> {
  return new EntryRanker(fields, saturation);
}

class EntryRanker<Field extends string> implements FieldRanker<Field> {
  private readonly dictionary = new TermDictionary();
  private readonly names: readonly Field[];
  private readonly engine: Bm25f;
  private readonly docs = new Map<string, number>();
  private readonly ids: string[] = [];
  private alive = new Uint8Array(64);

  constructor(fields: Readonly<Record<Field, FieldSetting>>, saturation: number) {
    this.names = Object.keys(fields) as Field[]; // keys of a record over Field
    this.engine = new Bm25f({ fields: this.names.map((name) => fields[name]), saturation });
  }

  get size(): number {
    return this.docs.size;
  }

  upsert(id: string, texts: Readonly<Partial<Record<Field, string | readonly string[]>>>): void {
    this.remove(id);
    const doc = this.ids.length;
    if (doc >= this.alive.length) {
      const wider = new Uint8Array(doc * 2);
      wider.set(this.alive);
      this.alive = wider;
    }
    this.alive[doc] = 1;
    this.ids.push(id);
    this.docs.set(id, doc);
    const terms = this.names.map((name) => this.termsOf(texts[name]));
    this.engine.add(doc, terms, this.dictionary.size);
    // Numbers are not used again here: a few thousand entries, seldom replaced.
    this.engine.tidy(tidyPostings, this.alive, this.ids.length - this.docs.size);
  }

  private termsOf(text: string | readonly string[] | undefined): number[] {
    if (text === undefined) return [];
    const { words, gaps } = productTokens(typeof text === 'string' ? text : text.join('. '));
    return words.flatMap((word, at) => {
      if (isFiller(word)) return [];
      const glued =
        gaps[at] === 1 && at > 0 ? [this.dictionary.intern((words[at - 1] ?? '') + word)] : [];
      return [this.dictionary.intern(word), ...glued];
    });
  }

  remove(id: string): void {
    const doc = this.docs.get(id);
    if (doc === undefined) return;
    this.alive[doc] = 0;
    this.docs.delete(id);
  }

  rank(query: string, limit: number, isAllowed?: (id: string) => boolean): RankedEntry[] {
    const groups = this.groupsOf(query);
    const total = groups.reduce((sum, group) => sum + group.weight, 0) || 1;
    const sum = maskSum(groups.map((group) => group.weight));
    const admits =
      isAllowed === undefined ? null : (doc: number): boolean => isAllowed(this.ids[doc] ?? '');
    const { docs, count, floats, cells } = this.engine.score(
      groups,
      this.alive.slice(),
      this.ids.length,
      admits,
    );
    const coverageOf = (doc: number): number => sum(cells[doc * 4 + matchedCell] ?? 0) / total;
    const best = topDocuments(
      docs,
      count,
      (doc) => (floats[doc * 4] ?? 0) * coverageOf(doc),
      limit,
    );
    return best.map((doc) => ({
      id: this.ids[doc] ?? '',
      score: (floats[doc * 4] ?? 0) * coverageOf(doc),
      coverage: coverageOf(doc),
      words: groups.flatMap((group, at) =>
        ((cells[doc * 4 + matchedCell] ?? 0) & (1 << at)) !== 0 ? [group.word] : [],
      ),
    }));
  }

  /**
   * Words nobody uses count in full against coverage: an entry cannot claim to cover what it does
   * not know.
   */
  private groupsOf(query: string): (QueryGroup & { word: string })[] {
    const groups: (QueryGroup & { word: string })[] = [];
    const seen = new Set<number>();
    const frequency = (term: number): number => this.engine.frequency(term);
    for (const word of productTokens(query).words) {
      if (isFiller(word) || groups.length >= groupsAtMost) continue;
      const known = this.dictionary.lookup(word);
      const repair =
        known > 0 ? undefined : repairSpelling(word, this.dictionary.spellings(), frequency, 1)[0];
      const term = known > 0 ? known : (repair?.term ?? 0);
      if (term > 0 && seen.has(term)) continue;
      seen.add(term);
      const weight = rarityOf(term > 0 ? frequency(term) : 1, Math.max(1, this.docs.size));
      groups.push({
        word: repair?.word ?? word,
        weight,
        alternatives: term > 0 ? [{ term, weight: repair === undefined ? 1 : 0.8 }] : [],
      });
    }
    return groups;
  }
}
