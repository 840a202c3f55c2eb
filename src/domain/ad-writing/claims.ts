// What an ad promises must stand on the page or in the brief: figures, prices, superlatives,
// guarantees, endorsements, urgency.
import { foldText } from '../review/fold-text.js';
import { writingLists } from './writing-lists.js';

const claimWords: readonly RegExp[] = [
  writingLists.claimsOfRank,
  writingLists.claimsOfAssurance,
  writingLists.claimsOfPrice,
  writingLists.claimsOfPraise,
  writingLists.claimsOfSpeed,
  writingLists.claimsOfUrgency,
  writingLists.claimsOfNature,
].map((claims) => new RegExp(String.raw`\b(?:${claims})\b`, 'g'));
const figure = /(?:[$€£¥]\s?)?\d+(?:[.,:]\d+)*\s?(?:%|[a-z]{1,3}\b)?/g;
const numberWord = new RegExp(String.raw`\b(?:${writingLists.numberWords})\b`, 'g');

/**
 * Promises of the text that no source makes, in its order; empty when it says nothing of its own.
 */
export function findUnsupportedClaims(text: string, sources: readonly string[]): string[] {
  const folded = foldText(text);
  const known = foldText(sources.join(' \n '));
  const unsupported: string[] = [];
  for (const claim of new Set(
    [...claimWords, numberWord].flatMap((pattern) => folded.match(pattern) ?? []),
  )) {
    if (!hasWord(known, claim)) unsupported.push(claim);
  }
  const knownFigures = new Set((known.match(figure) ?? []).map(digitsOf));
  for (const found of new Set((folded.match(figure) ?? []).map(digitsOf)))
    if (!knownFigures.has(found)) unsupported.push(found);
  return unsupported;
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![a-z0-9])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![a-z0-9])`).test(
    text,
  );
}

/**
 * The digits with the sign that gives them meaning: $30, 30% and 30 are three claims; 1,000 and
 * 1000 are one.
 */
function digitsOf(found: string): string {
  const digits = /\d+(?:[.,:]\d+)*/.exec(found)?.[0] ?? '';
  const amount = digits.replace(/,(?=\d{3}\b)/g, '').replace(/[.,]00$/, '');
  return `${/[$€£¥]/.exec(found)?.[0] ?? ''}${amount}${found.includes('%') ? '%' : ''}`;
}
