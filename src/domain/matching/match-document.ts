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

/** What the ad must not stand beside, phrase by phrase. */
export function negativePhrases(negativeContext: string): string[] {
  return negativeContext
    .split(/[,;.\n|]| or (?=\S)/)
    .map((phrase) =>
      phrase
        .trim()
        .replace(
          /^(no|not|avoid|never|exclude|excluding|anything about|do not show (?:for|on|next to|beside))\s+/i,
          '',
        ),
    )
    .filter((phrase) => phrase !== '')
    .slice(0, 32);
}
