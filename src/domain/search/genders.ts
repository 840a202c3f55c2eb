// Whom a listing names as its wearer or user.
import { productTokens } from './product-tokens.js';

export const genders = ['men', 'women', 'kids'] as const;
export type Gender = (typeof genders)[number];

export const genderBit: Readonly<Record<Gender, number>> = { men: 1, women: 2, kids: 4 };

const words: Readonly<Record<Gender, ReadonlySet<string>>> = {
  men: new Set(['men', 'mens', 'male', 'males', 'gentleman', 'gentlemen', 'groom', 'groomsmen', 'menswear']),
  women: new Set(['women', 'womens', 'woman', 'womans', 'ladies', 'lady', 'female', 'females', 'bride', 'bridesmaid', 'maternity', 'womenswear']),
  kids: new Set(['kid', 'kids', 'child', 'children', 'childrens', 'toddler', 'toddlers', 'infant', 'infants', 'baby', 'babies', 'boy', 'boys', 'girl', 'girls', 'youth', 'newborn', 'newborns', 'junior', 'juniors']),
};
/** Garments made for one gender unless the title says otherwise. */
const implied: Readonly<Record<'men' | 'women', ReadonlySet<string>>> = {
  men: new Set(['necktie', 'tuxedo', 'boxers', 'aftershave', 'beard']),
  women: new Set(['bra', 'bras', 'bralette', 'blouse', 'skirt', 'lingerie', 'panties', 'stilettos', 'heels', 'pantyhose', 'bikini', 'lipstick', 'mascara']),
};

function named(text: string): number {
  const found = new Set(productTokens(text).words);
  let mask = found.has('unisex') ? genderBit.men | genderBit.women : 0;
  for (const gender of genders) if ([...words[gender]].some((word) => found.has(word))) mask |= genderBit[gender];
  return mask;
}

function impliedBy(title: string): number {
  const found = productTokens(title).words;
  let mask = 0;
  if (found.some((word) => implied.men.has(word))) mask |= genderBit.men;
  if (found.some((word) => implied.women.has(word))) mask |= genderBit.women;
  return mask;
}

export interface GenderSource { title: string; category: string | null; gender?: string | null; shelf: string }

/** Bits of the genders a listing is for; 0 when it does not say. The title is believed first, then the feed, then the shelf. */
export function gendersOf({ title, category, gender, shelf }: GenderSource): number {
  return named(title) || (gender ? named(gender) : 0) || (category === null ? 0 : named(category)) || (shelf === 'toys_kids' || shelf === 'baby' ? genderBit.kids : impliedBy(title));
}

/** A listing that names nobody suits any adult; for kids it has to say so. */
export function suitsGender(mask: number, wanted: Gender): boolean {
  if (mask === 0) return wanted !== 'kids';
  return (mask & genderBit[wanted]) !== 0;
}
