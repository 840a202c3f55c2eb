import { isStopWord } from './stop-words.js';
import { stem } from './stem.js';
import { tokenize } from './tokenize.js';

/**
 * Stems of the words that carry meaning, in order and with repeats: what an inverted index stores
 * and is asked for.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const token of tokenize(text)) {
    if (!isStopWord(token)) terms.push(stem(token));
  }
  return terms;
}
