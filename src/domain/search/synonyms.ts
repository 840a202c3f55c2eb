// Shop words that mean the same to a buyer. "=" joins words that stand for each other; "<" lists
// words that also answer the first one, but not the other way round ("shoe < sneaker": who asks for
// shoes takes sneakers, who asks for sneakers does not take any shoe).
import { wordLists } from './word-lists.js';

const pairs = wordLists.synonyms;

interface Synonym {
  from: string;
  to: string;
  weight: number;
}

function readPairs(text: string): Synonym[] {
  const found: Synonym[] = [];
  for (const line of text.split('\n')) {
    const [first, wider] = line.split('<').map((part) => part.trim());
    if (wider !== undefined && first !== undefined)
      found.push(...wider.split(',').map((to) => ({ from: first, to: to.trim(), weight: 0.5 })));
    else if (line.includes('=')) {
      const names = line.split('=').map((name) => name.trim());
      for (const from of names)
        found.push(...names.filter((to) => to !== from).map((to) => ({ from, to, weight: 0.65 })));
    }
  }
  return found;
}

export interface SynonymPhrase {
  words: string[];
  weight: number;
}

/** Looks up synonyms by stems joined with a space; `stemOf` must be the one the index uses. */
export function synonymTable(
  stemOf: (word: string) => string,
): ReadonlyMap<string, readonly SynonymPhrase[]> {
  const table = new Map<string, SynonymPhrase[]>();
  for (const { from, to, weight } of readPairs(pairs)) {
    const key = from.split(/[ -]/).map(stemOf).join(' ');
    const entry = { words: to.split(/[ -]/), weight };
    const known = table.get(key);
    if (known === undefined) table.set(key, [entry]);
    else known.push(entry);
  }
  return table;
}
