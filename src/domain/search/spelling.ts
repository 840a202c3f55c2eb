// Repairs a query word the catalog has never seen. Known words are never touched: an exact match
// must not lose to a likelier neighbour.
import { editDistance } from '../text/edit-distance.js';
import { letterBits, type SpellingTable } from './term-dictionary.js';

export interface Repair {
  word: string;
  term: number;
  edits: number;
}

function bitCount(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

const digit = /\d/;
const shortWord = 6;
/** Letters that may be missing at the end of a word. */
const continued = 4;

/**
 * People seldom mistype how a word begins, and short words have many neighbours: "nike" is no
 * "bike". Two swapped letters are a slip.
 */
function changesStart(word: string, candidate: string): boolean {
  return (
    word.charCodeAt(0) !== candidate.charCodeAt(0) &&
    !(
      word.charCodeAt(0) === candidate.charCodeAt(1) &&
      word.charCodeAt(1) === candidate.charCodeAt(0)
    )
  );
}

/**
 * Spellings whose letters are so much the same that `limit` edits may lead there, or that may go on
 * where the word ends.
 */
function eachNeighbour(
  word: string,
  table: SpellingTable,
  limit: number,
  each: (candidate: string, place: number, isNear: boolean) => void,
): void {
  const bits = letterBits(word);
  const end = word.length >= 5 ? word.length + continued : word.length + limit;
  for (let length = Math.max(3, word.length - limit); length <= end; length++) {
    const group = table.byLength[length];
    if (group === undefined) return;
    const { places, letters } = group;
    const mayBeNear = length <= word.length + limit;
    for (let at = 0; at < letters.length; at++) {
      const own = letters.data[at] as number; // below length
      const isNear = mayBeNear && bitCount(bits ^ own) <= limit * 2;
      if (!isNear && (length <= word.length || (own & bits) !== bits)) continue;
      const place = places.data[at] as number; // as above
      each(table.words[place] ?? '', place, isNear);
    }
  }
}

/**
 * The likeliest spellings for an unknown word, best first: fewer edits, same first letter, more
 * frequent in the catalog.
 */
export function repairSpelling(
  word: string,
  table: SpellingTable,
  frequency: (term: number) => number,
  most = 2,
): Repair[] {
  if (word.length < 4 || digit.test(word)) return [];
  const limit = word.length >= 8 ? 2 : 1;
  const found: (Repair & { worth: number })[] = [];
  eachNeighbour(word, table, limit, (candidate, place, isNear) => {
    let edits = isNear ? editDistance(word, candidate, limit) : limit + 1;
    if (
      edits > limit &&
      candidate.length > word.length &&
      word.length >= 5 &&
      candidate.startsWith(word)
    )
      edits = 1;
    if (edits > limit || (word.length < shortWord && changesStart(word, candidate))) return;
    const term = table.terms[place] ?? 0;
    const seen = frequency(term);
    if (seen === 0) return;
    const worth =
      Math.log2(1 + Math.min(seen, 4096)) -
      edits * 4 -
      (candidate.charCodeAt(0) === word.charCodeAt(0) ? 0 : 2);
    found.push({ word: candidate, term, edits, worth });
  });
  found.sort((a, b) => b.worth - a.worth || (a.word < b.word ? -1 : 1));
  const best = found[0];
  if (best === undefined) return [];
  const kept: Repair[] = [];
  for (const { word: spelling, term, edits, worth } of found) {
    if (kept.length === most || worth < best.worth - 3 || edits > best.edits) break;
    if (!kept.some((each) => each.term === term)) kept.push({ word: spelling, term, edits });
  }
  return kept;
}
