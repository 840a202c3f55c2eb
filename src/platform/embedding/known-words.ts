import { readFileSync } from 'node:fs';
import { holdsHash, type WordKnowledge, wordHash } from '../../domain/text/spelling.js';

/** Made by `scripts/build-words.mjs`. */
export const builtEnglishWords = new URL('../../../english-words.bin', import.meta.url);

/** Of the vocabulary, which begins with the most common words, so many are common. */
const commonTokens = 14_000;
const seldomUsed = 0.5;
/** A name that is no word of the language is mended to only when it is said as often as this. */
const oftenSaid = 5;

/** The words of the language, and how often each is used in the examples of the reader. */
export function readKnownWords(
  folder: URL,
  vocabulary: ReadonlyMap<string, number>,
  english: URL = builtEnglishWords,
): WordKnowledge {
  const bytes = readFileSync(english);
  const hashes = new Uint32Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
  );
  const isEnglish = (word: string): boolean => holdsHash(hashes, wordHash(word));
  const said = readFileSync(new URL('words.txt', folder), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): [string, number] => {
      const [word = '', count = ''] = line.split(' ');
      return [word, Number(count)];
    });
  const uses = new Map(said.filter(([word, count]) => count >= oftenSaid || isEnglish(word)));
  // What stands in the examples once may be a slip of our own hand.
  const known = new Set(said.filter(([, count]) => count > 1).map(([word]) => word));
  for (const [token, id] of vocabulary)
    if (id < commonTokens && !uses.has(token) && token.length > 3 && isEnglish(token))
      uses.set(token, seldomUsed);
  return {
    isWord: (word) => known.has(word) || vocabulary.has(word) || isEnglish(word),
    useOf: (word) => uses.get(word) ?? null,
  };
}
