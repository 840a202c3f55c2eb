// Enough English to set a phrase into a sentence: does it need an article, and which.
import { trimEndSigns } from '../text/trim-signs.js';
import { writingLists } from './writing-lists.js';

const determiners = new RegExp(String.raw`^(?:${writingLists.determiners})(?![\p{L}-])`, 'iu');

/**
 * Heads that take "a" when they stand alone. Others that are neither plural nor known as
 * uncountable are left undecided.
 */
const countable = new Set(writingLists.countable.split(' '));
const uncountable = new Set(writingLists.uncountable.split(' '));
const irregularPlural = new RegExp(String.raw`^(?:${writingLists.irregularPlurals})$`);
const preposition = new RegExp(String.raw`(?<!\s)\s+(?:${writingLists.prepositions})\s+`, 'i');
const singularInS = /(?:ss|us|is|ics|news|lens|gas|tennis|canvas)$/i;

export type PhraseKind = 'ready' | 'countable' | 'undecided';

/** The noun the phrase is about: the last word before a preposition. */
export function headOf(phrase: string): string {
  const [core = phrase] = phrase.split(preposition);
  return (/(?<![\p{L}-])[\p{L}-]+$/u.exec(trimEndSigns(core, /\P{L}/u))?.[0] ?? '').toLowerCase();
}

export function phraseKind(phrase: string): PhraseKind {
  const head = headOf(phrase);
  if (determiners.test(phrase)) return 'ready';
  if (uncountable.has(head) || (head.endsWith('ing') && head.length > 5)) return 'ready';
  if (isPlural(head)) return 'ready';
  if (/\s(?:and|or)\s/i.test(phrase)) return 'undecided';
  return countable.has(head) ? 'countable' : 'undecided';
}

function isPlural(head: string): boolean {
  return (head.endsWith('s') && !singularInS.test(head)) || irregularPlural.test(head);
}

/** "running shoes", "a CRM", "travel insurance"; null when it is not sure what would be right. */
export function asObject(phrase: string): string | null {
  switch (phraseKind(phrase)) {
    case 'ready':
      return phrase;
    case 'countable':
      return `${takesAn(phrase) ? 'an' : 'a'} ${phrase}`;
    case 'undecided':
      return null;
  }
}

/** By sound: an hour, an SDK, a university, a European trip. */
function takesAn(phrase: string): boolean {
  const [word = ''] = phrase.split(/[\s-]/);
  if (/^[A-Z]{2,}s?$/.test(word)) return /^[AEFHILMNORSX]/.test(word);
  if (/^(?:hour|honest|heir|honou?r)/i.test(word)) return true;
  return /^[aeiou]/i.test(word) && !/^(?:uni(?!n|m)|use|usu|util|eu|one\b|once)/i.test(word);
}
