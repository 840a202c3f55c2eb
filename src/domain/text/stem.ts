// Light English stemming: plurals, -ed, -ing, -y and a silent final e. Derivations ("insure",
// "insurance") stay apart: joining them costs precision in short texts, and the embedded model
// already sees them as near.
import { languageLists } from './language-lists.js';
import { pairsOf } from './read-words.js';

const vowel = /[aeiouy]/;
const oftenDoubled = /([bdfgmnprt])\1$/;
const shortEnding = /^[^aeiou]*[aeiouy][^aeiouwxy]$/;
const plainWord = /^[a-z]+$/;

/** Words whose regular stem would be wrong or would meet another word. */
const irregular = new Map(
  pairsOf(languageLists.irregularStems).map(([word, [stem = '']]) => [word, stem]),
);

function repair(root: string): string {
  if (/(at|bl|iz|rg|nc|rv|dg|lv)$/.test(root)) return `${root}e`;
  if (oftenDoubled.test(root)) return root.slice(0, -1);
  return shortEnding.test(root) ? `${root}e` : root;
}

function singular(token: string): string {
  if (!token.endsWith('s') || /(ss|us|is)$/.test(token)) return token;
  if (token.endsWith('ies'))
    return token.length > 4 ? `${token.slice(0, -3)}y` : token.slice(0, -1);
  if (/(sses|shes|ches|xes|zzes)$/.test(token)) return token.slice(0, -2);
  return token.slice(0, -1);
}

function withoutTense(token: string): string {
  if (token.endsWith('ied') && token.length > 4) return `${token.slice(0, -3)}y`;
  for (const ending of ['ing', 'ed']) {
    if (!token.endsWith(ending)) continue;
    const root = token.slice(0, -ending.length);
    return root.length >= 2 && vowel.test(root) ? repair(root) : token;
  }
  return token;
}

function withoutSilentE(token: string): string {
  if (!token.endsWith('e') || token.endsWith('ee') || token.length < 5) return token;
  const root = token.slice(0, -1);
  return shortEnding.test(root) ? token : root;
}

/** British and American spelling meet: "cancelled" and "cancel", "installing" and "instal". */
function singleL(token: string): string {
  return token.endsWith('ll') && /[aeiouy][^aeiouy]+[aeiouy]ll$/.test(token)
    ? token.slice(0, -1)
    : token;
}

/**
 * The stem of one folded token. Anything that is not a plain Latin word (numbers, model names,
 * other scripts) is returned unchanged.
 */
export function stem(token: string): string {
  if (token.length < 4 && !irregular.has(token)) return token;
  const known = irregular.get(token);
  if (known !== undefined) return withoutSilentE(known);
  if (!plainWord.test(token)) return token;
  return singleL(withoutSilentE(withoutTense(singular(token))));
}
