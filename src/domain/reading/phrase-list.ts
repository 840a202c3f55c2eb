import { tokenize } from '../text/tokenize.js';

/** Finds the first phrase of a list in a text: one walk over its words. */
export type PhraseFinder = (text: string) => { topic: string; words: string } | null;

type Word = { exact: ReadonlySet<string>; prefixes: readonly string[] };
type Phrase = { topic: string; words: readonly Word[] };

/** Every prefix has at least as many letters, so that a word leads to few phrases. */
const shortestPrefix = 3;
const longestText = 6000;

/**
 * A list as it is written: `# topic`, below it a phrase a line, `;` before remarks. In a phrase
 * `a|b` is either word and `kill*` any that begins so.
 */
export function createPhraseFinder(list: string): PhraseFinder {
  const byFirst = new Map<string, Phrase[]>();
  const byStart = new Map<string, Phrase[]>();
  let topic = '';
  for (const line of list.split('\n').map((each) => each.trim())) {
    if (line === '' || line.startsWith(';')) continue;
    if (line.startsWith('#')) topic = line.slice(1).trim();
    else {
      const phrase = { topic, words: line.split(/\s+/).map(wordOf) };
      const [first] = phrase.words;
      for (const word of first?.exact ?? []) push(byFirst, word, phrase);
      for (const prefix of first?.prefixes ?? [])
        push(byStart, prefix.slice(0, shortestPrefix), phrase);
    }
  }
  return (text) => {
    const said = tokenize(text.slice(0, longestText));
    for (let at = 0; at < said.length; at++) {
      const word = said[at]!;
      for (const phrases of [byFirst.get(word), byStart.get(word.slice(0, shortestPrefix))])
        for (const phrase of phrases ?? [])
          if (phrase.words.every((wanted, offset) => fits(wanted, said[at + offset])))
            return {
              topic: phrase.topic,
              words: said.slice(at, at + phrase.words.length).join(' '),
            };
    }
    return null;
  };
}

/** Whole messages, folded as texts are: to be asked with `tokenize(text).join(' ')`. */
export function wholeMessages(list: string): Set<string> {
  return new Set(
    list
      .split('\n')
      .filter((line) => !line.startsWith(';'))
      .map((line) => tokenize(line).join(' '))
      .filter((line) => line !== ''),
  );
}

function wordOf(written: string): Word {
  const parts = written.toLowerCase().split('|');
  const prefixes = parts.filter((part) => part.endsWith('*')).map((part) => part.slice(0, -1));
  if (prefixes.some((prefix) => prefix.length < shortestPrefix))
    throw new Error(`too short a beginning: ${written}`);
  return { exact: new Set(parts.filter((part) => !part.endsWith('*'))), prefixes };
}

function fits({ exact, prefixes }: Word, said: string | undefined): boolean {
  if (said === undefined) return false;
  return exact.has(said) || prefixes.some((prefix) => said.startsWith(prefix));
}

function push(map: Map<string, Phrase[]>, key: string, phrase: Phrase): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [phrase]);
  else known.push(phrase);
}
