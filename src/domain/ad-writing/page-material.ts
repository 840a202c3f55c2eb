// The parts of a page that can stand in an ad as they are written.
import {
  calmText,
  capitalize,
  cleanText,
  isBalanced,
  splitSentences,
  withStop,
  wordsKey,
} from './clean-text.js';
import type { PageFacts } from './page-facts.js';
import { trimEndSigns } from '../text/trim-signs.js';
import { writingLists } from './writing-lists.js';

export interface PageMaterial {
  /** Grammatical by themselves, best placed first. */
  readonly sentences: readonly string[];
  /** Titles and headings that say something. */
  readonly phrases: readonly string[];
  readonly actions: readonly string[];
}

const boilerplate = new RegExp(
  String.raw`\b(?:${writingLists.boilerplate})\b|©|https?:|www\.|@`,
  'i',
);
const leansBack = new RegExp(String.raw`^(?:${writingLists.leaningWords})\b`, 'i');
const emptyHeading = new RegExp(String.raw`^(?:${writingLists.emptyHeadings})$`, 'i');

export function pageMaterial(page: PageFacts, brand: string): PageMaterial {
  const texts = [page.description, page.product?.description ?? null, ...page.paragraphs];
  const sentences = unique(
    texts.flatMap((text, index) => (text === null ? [] : standing(text, index < 2))),
  );
  const named = [brand, page.siteName ?? ''].map(wordsKey);
  const titles = (page.title ?? '').replace(/\s+/g, ' ').split(/ [|–—·•»:-] | ?[|·•»] ?|: /);
  const phrases = unique(
    [page.product?.name ?? '', ...titles, ...page.headings].map(headingText),
  ).filter((phrase) => isPhrase(phrase) && !named.includes(wordsKey(phrase)));
  return { sentences, phrases, actions: unique(page.actions.map(headingText)).filter(isAction) };
}

/**
 * Neighbouring sentences that need each other are dropped together: only what stands alone is kept.
 */
function standing(text: string, isSummary: boolean): string[] {
  return splitSentences(calmText(cleanText(text))).flatMap((sentence) => {
    const whole = isSummary ? withStop(capitalize(sentence)) : sentence;
    const isCut = /…|\.\.\.$/.test(sentence) || !/[.!]["’)]?$/.test(whole);
    if (
      isCut ||
      whole.length < 25 ||
      whole.length > 240 ||
      !/^["’]?[\p{Lu}\p{Lo}\p{N}]/u.test(whole)
    )
      return [];
    return boilerplate.test(whole) ||
      leansBack.test(whole) ||
      !isBalanced(whole) ||
      /^["’]/.test(whole)
      ? []
      : [whole];
  });
}

function headingText(text: string): string {
  return trimEndSigns(capitalize(calmText(cleanText(text))), /[\s.,;:–—-]/);
}

function isPhrase(text: string): boolean {
  const words = text.split(' ').length;
  return (
    text.length >= 6 &&
    text.length <= 70 &&
    words <= 12 &&
    /^[\p{Lu}\p{Lo}\p{N}]/u.test(text) &&
    !/[?…"]/.test(text) &&
    isBalanced(text) &&
    !emptyHeading.test(text) &&
    !boilerplate.test(text)
  );
}

const asking = new RegExp(String.raw`^(?:${writingLists.askingVerbs})\b`, 'i');
const idleAction = new RegExp(String.raw`^(?:${writingLists.idleActions})$`, 'i');

function isAction(text: string): boolean {
  return (
    text.length >= 4 &&
    text.length <= 32 &&
    text.split(' ').length <= 5 &&
    asking.test(text) &&
    !boilerplate.test(text) &&
    !idleAction.test(text)
  );
}

function unique(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.filter((text) => {
    const key = wordsKey(text);
    if (key === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
