import { writingLists } from '../ad-writing/writing-lists.js';
/** What an ad group says about itself. */
export type MatchDocument = {
  context: string;
  brand: string;
  adText: string;
  landingTerms: string;
  negativeContext: string;
};

/** The text an ad group's meaning is read from. */
export function documentText({ context, brand, adText }: MatchDocument): string {
  return context.trim() || adText.trim() || brand.trim();
}

const exclusion = new RegExp(String.raw`^(?:${writingLists.exclusions})\s+`, 'i');

/** What the ad must not stand beside, phrase by phrase. */
export function negativePhrases(negativeContext: string): string[] {
  return negativeContext
    .split(/[,;.\n|]| or (?=\S)/)
    .map((phrase) => phrase.trim().replace(exclusion, ''))
    .filter((phrase) => phrase !== '')
    .slice(0, 32);
}
