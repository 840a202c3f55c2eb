import { stem } from '../text/stem.js';
import { isStopWord } from '../text/stop-words.js';
import { tokenize } from '../text/tokenize.js';
import { phraseLists } from './phrase-lists.js';

const canonical = new Map(
  phraseLists.oneIdea.flatMap(([first, others]) =>
    others.split(' ').map((other) => [stem(other), stem(first)] as const),
  ),
);

/** Said about every need; they decide nothing. */
const filler = new Set(phraseLists.fillers.split(' ').map(stem));

// One pass over the text for all spellings: the group that matched says which. Tools and query
// are read alike.
const anySpelling = new RegExp(
  phraseLists.spellings.map(([, pattern]) => `(${pattern})`).join('|'),
  'gi',
);
const exactly = phraseLists.exactSpellings.map(
  ([spelling, pattern]) => [new RegExp(pattern, 'g'), spelling] as const,
);

const shortForms = phraseLists.shortForms.map(
  ([words, pattern]) => [new RegExp(pattern, 'gi'), words] as const,
);

/** A message with its short forms written out: "w/o Redis". */
export function writeOut(message: string): string {
  let whole = message;
  for (const [pattern, words] of shortForms) whole = whole.replace(pattern, words);
  return whole;
}

export function spellTechnologies(text: string): string {
  let spelt = text;
  for (const [pattern, replacement] of exactly) spelt = spelt.replace(pattern, replacement);
  return spelt.replace(
    anySpelling,
    (_match, ...groups) =>
      phraseLists.spellings[groups.findIndex((group) => group !== undefined)]?.[0] ?? ' ',
  );
}

/** Stems of the words that say what is needed, in order, with repeats. */
export function toolTerms(text: string): string[] {
  return termsOfSpelt(spellTechnologies(text));
}

/** As `toolTerms` for many texts at once: each spelling is looked for in all of them in one go. */
export function toolTermsOfAll(texts: readonly string[]): string[][] {
  return spellTechnologies(texts.map((text) => text.replaceAll(separator, ' ')).join(separator))
    .split(separator)
    .map(termsOfSpelt);
}

/** No spelling reaches over it. */
const separator = '\n\u0001\n';

function termsOfSpelt(spelt: string): string[] {
  const terms: string[] = [];
  for (const token of tokenize(spelt)) {
    if (isStopWord(token)) continue;
    const root = stem(token);
    terms.push(canonical.get(root) ?? root);
  }
  return terms;
}

export function isFiller(term: string): boolean {
  return filler.has(term);
}
