// Words that say nothing about what someone needs. Tokens are folded and without apostrophes
// ("dont"), as `tokenize` gives them.
import { languageLists } from './language-lists.js';

const words = languageLists.stopWords;

const stopWords: ReadonlySet<string> = new Set(words.split(/\s+/).filter((each) => each !== ''));

export function isStopWord(token: string): boolean {
  return stopWords.has(token);
}
