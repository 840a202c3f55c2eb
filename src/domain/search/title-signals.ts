// What a title says beyond holding the words: whether they stand together, and whether the product is the thing or something for the thing.
import type { PlannedGroup } from './query-plan.js';
import type { TermDictionary } from './term-dictionary.js';

const accessoryWords = `accessory adapter arm attachment bag band battery belt blade bracelet bracket bulb cable cap carrier cart cartridge case charger clip converter cooler cord cover cradle decal dock drum
  film filter frame guard hanger hinge holder hook inverter keychain kit lamp lanyard lens lid lock mat mount mounting pad part plug pouch protector rack refill remote
  replacement ring roller screen shell shelf skin sleeve spare stand sticker strap stylus tip toner tray wallet privacy lead extension supply module`.split(/\s+/);
const asideWords = ['for', 'with', 'compatible', 'fits', 'fit', 'designed', 'to', 'includes', 'including', 'by', 'w', 'from', 'of', 'supports', 'works'];

/** Term numbers of the words above in one catalogue. */
export interface TitleVocabulary { accessories: ReadonlySet<number>; asides: ReadonlySet<number> }

export function titleVocabulary(dictionary: TermDictionary): TitleVocabulary {
  return {
    accessories: new Set(accessoryWords.map((word) => dictionary.intern(word))),
    asides: new Set(asideWords.map((word) => dictionary.intern(word))),
  };
}

export interface TitleSignals {
  /** Neighbouring query words that are neighbours in the title, as a share of all such pairs. */
  together: number;
  /** The words are there only as what the product is for, or only in front of the thing it is ("camera bag" for "camera"). */
  belongsTo: boolean;
  /** Share of the query's words found in the title in the very spelling typed. */
  verbatim: number;
  /** Position of the first query word in the title, 0 to 1. */
  start: number;
}

export function readTitle(trail: Uint32Array, groups: readonly PlannedGroup[], dictionary: TermDictionary, vocabulary: TitleVocabulary): TitleSignals {
  const places: number[] = groups.map(() => -1);
  const asked = new Set(groups.flatMap((group) => group.terms));
  let pairs = 0;
  let aside = -1;
  let accessoryAt = -1;
  let before = -1;
  let mainHits = 0;
  let modified = 0;
  let verbatim = 0;
  let first = -1;
  const paired = new Set<number>();
  for (let at = 0; at < trail.length; at++) {
    const spelling = trail[at] ?? 0;
    if (spelling === 0) { before = -1; continue; }
    const term = dictionary.termOfSpelling(spelling);
    const group = groups.findIndex((each) => each.terms.includes(term));
    if (group < 0) {
      if (vocabulary.asides.has(term) && aside < 0 && at > 0) aside = at;
      if (vocabulary.accessories.has(term) && !asked.has(term)) { if (aside < 0 && accessoryAt < 0) accessoryAt = at; }
      before = -1;
      continue;
    }
    if (first < 0) first = at;
    if (places[group] === -1 && groups[group]?.spelling === spelling) verbatim += 1;
    places[group] = at;
    if (before >= 0 && group === before + 1 && !paired.has(group)) { paired.add(group); pairs += 1; }
    before = group;
    if (aside < 0) mainHits += 1;
    if (followedByAccessory(trail, at, asked, dictionary, vocabulary)) modified += 1;
  }
  const possible = Math.max(1, groups.length - 1);
  const found = places.filter((place) => place >= 0).length;
  const belongsTo = found > 0 && (mainHits === 0 ? accessoryAt >= 0 || aside >= 0 : modified > 0 && modified >= mainHits);
  return { together: pairs / possible, belongsTo, verbatim: verbatim / Math.max(1, groups.length), start: first < 0 ? 1 : first / trail.length };
}

function followedByAccessory(trail: Uint32Array, at: number, asked: ReadonlySet<number>, dictionary: TermDictionary, vocabulary: TitleVocabulary): boolean {
  for (let next = at + 1; next <= at + 3 && next < trail.length; next++) {
    const spelling = trail[next] ?? 0;
    const term = dictionary.termOfSpelling(spelling);
    if (spelling === 0 || vocabulary.asides.has(term)) return false;
    if (vocabulary.accessories.has(term) && !asked.has(term)) return true;
  }
  return false;
}
