// Gives every stem a number, and remembers the spellings seen, so that a word is stemmed once and
// misspelt query words have something to be compared with.
import { stem } from '../text/stem.js';
import { growableU32, pushU32, type GrowableU32 } from './growable.js';
import { SplitMap } from './split-map.js';
import { pairsOf, wordsOf } from '../text/read-words.js';
import { wordLists } from './word-lists.js';

const withDigit = /\d/;

/** Shop words whose regular stem would miss their family. */
const spellings = new Map(
  pairsOf(wordLists.spellings).map(([spelling, [word = '']]) => [spelling, word]),
);

/** Words a stemmer would mix up with another word. */
const unstemmed = new Set(wordsOf(wordLists.unstemmedWords));

export interface SpellingTable {
  words: readonly string[];
  /** Term number of each spelling. */
  terms: Uint32Array;
  /** By length of the word, so that a search for neighbours goes through few. */
  byLength: readonly SpellingsOfLength[];
}

export interface SpellingsOfLength {
  /** Place of each in `words`. */
  places: GrowableU32;
  /**
   * Bit per letter of the alphabet, one for all else: two spellings one edit apart differ in at
   * most two bits.
   */
  letters: GrowableU32;
}

/** Longer words are nobody's slip of the pen and are not kept by length. */
const longestRepaired = 40;

export function letterBits(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    bits |= code >= 97 && code <= 122 ? 1 << (code - 97) : 1 << 26;
  }
  return bits;
}

export class TermDictionary {
  private readonly bySpelling = new SplitMap();
  private readonly byStem = new SplitMap();
  // Place 0 of both stays empty: 0 marks the end of a phrase in stored titles.
  private readonly spelt: string[] = [''];
  private readonly speltTerms: GrowableU32 = { data: new Uint32Array(1024), length: 1 };
  private readonly byLength: SpellingsOfLength[] = Array.from(
    { length: longestRepaired + 1 },
    () => ({ places: growableU32(), letters: growableU32() }),
  );
  private count = 1;

  /** Above every term number given out so far. */
  get size(): number {
    return this.count;
  }

  /** The number of the word's stem, given out now when the stem is new. */
  intern(word: string): number {
    return this.speltTerms.data[this.internSpelling(word)] ?? 0;
  }

  /** As `intern`, for the exact spelling: "runs" and "running" are two spellings of one term. */
  internSpelling(word: string): number {
    const known = this.bySpelling.get(word);
    if (known !== undefined) return known;
    const spelling = this.spelt.length;
    this.bySpelling.set(word, spelling);
    this.remember(word, this.numberOf(word));
    return spelling;
  }

  /** The spelling's number, or -1. */
  lookupSpelling(word: string): number {
    return this.bySpelling.get(word) ?? -1;
  }

  wordOfSpelling(spelling: number): string {
    return this.spelt[spelling] ?? '';
  }

  termOfSpelling(spelling: number): number {
    return this.speltTerms.data[spelling] ?? 0;
  }

  private numberOf(word: string): number {
    if (withDigit.test(word)) return this.count++;
    const root = stemOf(word);
    const known = this.byStem.get(root);
    if (known !== undefined) return known;
    this.byStem.set(root, this.count);
    return this.count++;
  }

  private remember(word: string, term: number): void {
    const group = withDigit.test(word) ? undefined : this.byLength[word.length];
    if (group !== undefined) {
      pushU32(group.places, this.spelt.length);
      pushU32(group.letters, letterBits(word));
    }
    this.spelt.push(word);
    pushU32(this.speltTerms, term);
  }

  /**
   * The number for something that is no word of the language (a negated word), kept away from
   * spelling repair.
   */
  internMark(mark: string): number {
    const known = this.byStem.get(mark);
    if (known !== undefined) return known;
    this.byStem.set(mark, this.count);
    return this.count++;
  }

  lookupMark(mark: string): number {
    return this.byStem.get(mark) ?? -1;
  }

  /** The word's term number, or -1 when neither it nor its stem was ever seen. */
  lookup(word: string): number {
    const spelling = this.bySpelling.get(word);
    if (spelling !== undefined) return this.termOfSpelling(spelling);
    return withDigit.test(word) ? -1 : (this.byStem.get(stemOf(word)) ?? -1);
  }

  spellings(): SpellingTable {
    return { words: this.spelt, terms: this.speltTerms.data, byLength: this.byLength };
  }
}

export function stemOf(word: string): string {
  const plain = spellings.get(word) ?? word;
  return unstemmed.has(plain) ? plain : stem(plain);
}
