/**
 * Text as rules read it: lower case, no accents, no invisible characters, look-alikes of letters
 * undone, single spaces.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{Mn}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/[‐-―]/g, '-')
    .replace(/(?<=[a-z])[@013457$](?=[a-z])/g, (sign) => lookAlikes[sign] ?? sign)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Only between letters, so that prices, weights and model numbers stay. */
const lookAlikes: Readonly<Record<string, string>> = {
  '@': 'a',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  $: 's',
};
