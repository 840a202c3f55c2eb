// Repairs a query word the catalogue has never seen. Known words are never touched: an exact match must not lose to a likelier neighbour.
import { letterBits, type SpellingTable } from './term-dictionary.js';

export interface Repair {
  word: string;
  term: number;
  edits: number;
}

/** Edits (insert, drop, replace, swap neighbours) between two words, or `limit + 1` when there are more than `limit`. */
export function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= other.length; j++) {
      const same = one.charCodeAt(i - 1) === other.charCodeAt(j - 1);
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && one.charCodeAt(i - 1) === other.charCodeAt(j - 2) && one.charCodeAt(i - 2) === other.charCodeAt(j - 1);
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > limit) return limit + 1;
    before = previous;
    previous = row;
  }
  return Math.min(previous[other.length] ?? 0, limit + 1);
}

function bitCount(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

const digit = /\d/;
const shortWord = 6;

/** People seldom mistype how a word begins, and short words have many neighbours: "nike" is no "bike". Two swapped letters are a slip. */
function changesStart(word: string, candidate: string): boolean {
  return word.charCodeAt(0) !== candidate.charCodeAt(0) && !(word.charCodeAt(0) === candidate.charCodeAt(1) && word.charCodeAt(1) === candidate.charCodeAt(0));
}

/** The likeliest spellings for an unknown word, best first: fewer edits, same first letter, more frequent in the catalogue. */
export function repairSpelling(word: string, table: SpellingTable, frequency: (term: number) => number, most = 2): Repair[] {
  if (word.length < 4 || digit.test(word)) return [];
  const limit = word.length >= 8 ? 2 : 1;
  const bits = letterBits(word);
  const found: (Repair & { worth: number })[] = [];
  const { lengths, letters } = table;
  const count = table.words.length;
  const shortest = Math.max(3, word.length - limit);
  const longest = word.length + limit;
  for (let at = 1; at < count; at++) {
    const length = lengths[at] as number; // below count
    if (length < shortest || length > word.length + 4) continue;
    const own = letters[at] as number; // as above
    const near = length <= longest && bitCount(bits ^ own) <= limit * 2;
    const mayContinue = length > word.length && word.length >= 5 && (own & bits) === bits;
    if (!near && !mayContinue) continue;
    const candidate = table.words[at] ?? '';
    let edits = near ? editDistance(word, candidate, limit) : limit + 1;
    if (edits > limit && mayContinue && candidate.startsWith(word)) edits = 1;
    if (edits > limit || digit.test(candidate) || (word.length < shortWord && changesStart(word, candidate))) continue;
    const term = table.terms[at] ?? 0;
    const seen = frequency(term);
    if (seen === 0) continue;
    const worth = Math.log2(1 + Math.min(seen, 4096)) - edits * 4 - (candidate.charCodeAt(0) === word.charCodeAt(0) ? 0 : 2);
    found.push({ word: candidate, term, edits, worth });
  }
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
