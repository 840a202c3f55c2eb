// What things are made of. Refused ("without leather"), a substance rules out listings that mention
// it anywhere; a refused part ("without lid") only those that show it in the title or the
// attributes, since descriptions talk about parts in passing.
import { stemOf } from './term-dictionary.js';
import { wordLists } from './word-lists.js';

const names = wordLists.substances;

const stems: ReadonlySet<string> = new Set(names.split(/\s+/).map(stemOf));

export function isSubstance(word: string): boolean {
  return stems.has(stemOf(word));
}
