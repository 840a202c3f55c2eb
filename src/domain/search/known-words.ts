// Words that are spelt right even when a catalog has no such product: "stroller" must not become
// "roller".
import { stemOf } from './term-dictionary.js';
import { wordLists } from './word-lists.js';

const everyday = wordLists.everydayWords;

/** Names people ask for that are one letter away from something else. */
const names = wordLists.knownNames;

const stems: ReadonlySet<string> = new Set(`${everyday} ${names}`.split(/\s+/).map(stemOf));

export function isEverydayWord(word: string): boolean {
  return stems.has(stemOf(word));
}
