// Whom a listing names as its wearer or user.
import { productTokens } from './product-tokens.js';
import { pairsOf } from '../text/read-words.js';
import { wordLists } from './word-lists.js';

export const genders = ['men', 'women', 'kids'] as const;
export type Gender = (typeof genders)[number];

export const genderBit: Readonly<Record<Gender, number>> = { men: 1, women: 2, kids: 4 };

function wearers(gender: Gender, text: string): ReadonlySet<string> {
  return new Set(pairsOf(text).flatMap(([name, words]) => (name === gender ? words : [])));
}

const words: Readonly<Record<Gender, ReadonlySet<string>>> = {
  men: wearers('men', wordLists.wearers),
  women: wearers('women', wordLists.wearers),
  kids: wearers('kids', wordLists.wearers),
};
/**
 * The words that, asked for, mean a wearer. "Baby" may be a shower or a blue, "junior" a cut: they
 * are left out.
 */
export const genderWords: readonly { bit: number; words: readonly string[] }[] = genders.map(
  (gender) => ({ bit: genderBit[gender], words: [...wearers(gender, wordLists.askedWearers)] }),
);

/** Garments made for one gender unless the title says otherwise. */
const implied: Readonly<Record<'men' | 'women', ReadonlySet<string>>> = {
  men: wearers('men', wordLists.impliedWearers),
  women: wearers('women', wordLists.impliedWearers),
};

const bitsByWord: ReadonlyMap<string, number> = new Map([
  ...genders.flatMap((gender) =>
    [...words[gender]].map((word): [string, number] => [word, genderBit[gender]]),
  ),
  ['unisex', genderBit.men | genderBit.women],
]);

/** Bits of the genders named among the words. */
export function gendersNamed(found: readonly string[]): number {
  let mask = 0;
  for (const word of found) mask |= bitsByWord.get(word) ?? 0;
  return mask;
}

function impliedBy(titleWords: readonly string[]): number {
  let mask = 0;
  for (const word of titleWords) {
    if (implied.men.has(word)) mask |= genderBit.men;
    if (implied.women.has(word)) mask |= genderBit.women;
  }
  return mask;
}

export interface GenderSource {
  titleWords: readonly string[];
  categoryGenders: number;
  gender?: string | null;
  shelf: string;
}

/**
 * Bits of the genders a listing is for; 0 when it does not say. The title is believed first, then
 * the feed, then the shelf.
 */
export function gendersOf({ titleWords, categoryGenders, gender, shelf }: GenderSource): number {
  return (
    gendersNamed(titleWords) ||
    (gender ? gendersNamed(productTokens(gender).words) : 0) ||
    categoryGenders ||
    (shelf === 'toys_kids' || shelf === 'baby' ? genderBit.kids : impliedBy(titleWords))
  );
}

/** A listing that names nobody suits any adult; for kids it has to say so. */
export function suitsGender(mask: number, wanted: Gender): boolean {
  if (mask === 0) return wanted !== 'kids';
  return (mask & genderBit[wanted]) !== 0;
}
