/** Codes of countries, as they were typed or kept. */
export const countriesOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .filter((code) => code !== '')
    .map((code) => code.toUpperCase());
