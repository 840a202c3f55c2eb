// Whom a listing names as its wearer or user.
import { productTokens } from './product-tokens.js';

export const genders = ['men', 'women', 'kids'] as const;
export type Gender = (typeof genders)[number];

export const genderBit: Readonly<Record<Gender, number>> = { men: 1, women: 2, kids: 4 };

const words: Readonly<Record<Gender, ReadonlySet<string>>> = {
  men: new Set([
    'men',
    'mens',
    'male',
    'males',
    'gentleman',
    'gentlemen',
    'groom',
    'groomsmen',
    'menswear',
  ]),
  women: new Set([
    'women',
    'womens',
    'woman',
    'womans',
    'ladies',
    'lady',
    'female',
    'females',
    'bride',
    'bridesmaid',
    'maternity',
    'womenswear',
  ]),
  kids: new Set([
    'kid',
    'kids',
    'child',
    'children',
    'childrens',
    'toddler',
    'toddlers',
    'infant',
    'infants',
    'baby',
    'babies',
    'boy',
    'boys',
    'girl',
    'girls',
    'youth',
    'newborn',
    'newborns',
    'junior',
    'juniors',
  ]),
};
/**
 * The words that, asked for, mean a wearer. "Baby" may be a shower or a blue, "junior" a cut: they
 * are left out.
 */
export const genderWords: readonly { bit: number; words: readonly string[] }[] = [
  { bit: genderBit.men, words: ['men', 'mens', 'man', 'male', 'gentlemen', 'hombre'] },
  {
    bit: genderBit.women,
    words: ['women', 'womens', 'woman', 'womans', 'ladies', 'lady', 'female', 'mujer'],
  },
  {
    bit: genderBit.kids,
    words: [
      'kid',
      'kids',
      'children',
      'childrens',
      'toddler',
      'toddlers',
      'boy',
      'boys',
      'girl',
      'girls',
      'youth',
    ],
  },
];

/** Garments made for one gender unless the title says otherwise. */
const implied: Readonly<Record<'men' | 'women', ReadonlySet<string>>> = {
  men: new Set(['necktie', 'tuxedo', 'boxers', 'aftershave', 'beard']),
  women: new Set([
    'bra',
    'bras',
    'bralette',
    'blouse',
    'skirt',
    'lingerie',
    'panties',
    'stilettos',
    'heels',
    'pantyhose',
    'bikini',
    'lipstick',
    'mascara',
  ]),
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
