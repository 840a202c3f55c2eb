import { editDistance } from './edit-distance.js';

/**
 * A word as it was probably meant: one letter too many, too few or wrong, or two swapped. Itself
 * where nothing better is known.
 */
export type WordMender = (word: string) => string;

const shortest = 5;
const plainWord = /^[a-z]+$/;
const endings = /(?:s|es|ed|ing|er|ers|y|ly)$/;

/**
 * Mends towards the words of `texts` only, and nothing that `isKnown`: of what else people may have
 * meant nothing is known here, and a rare word
 * is no slip. A wrong first letter is rare and would make other words of many.
 */
export function createWordMender(
  texts: readonly string[],
  isKnown: (word: string) => boolean,
): WordMender {
  let index: { counts: Map<string, number>; shortened: Map<string, string[]> } | null = null;

  function isWord(word: string, counts: ReadonlyMap<string, number>): boolean {
    const known = (each: string): boolean => isKnown(each) || counts.has(each);
    if (known(word) || counts.has(`${word}s`)) return true;
    const stem = word.replace(endings, '');
    return (
      stem !== word &&
      stem.length >= 3 &&
      (known(stem) ||
        known(`${stem}e`) ||
        (stem.at(-1) === stem.at(-2) && known(stem.slice(0, -1))))
    );
  }

  return (word) => {
    if (word.length < shortest || !plainWord.test(word)) return word;
    index ??= indexOf(texts);
    const { counts, shortened } = index;
    if (isWord(word, counts)) return word;
    let best = { word, rank: -1 };
    for (const less of withoutOneLetter(word)) {
      for (const candidate of shortened.get(less) ?? []) {
        if (candidate[0] !== word[0] || editDistance(word, candidate, 1) > 1) continue;
        const rank = likelihood(word, candidate) + Math.min(0.9, (counts.get(candidate) ?? 0) / 20);
        if (rank > best.rank) best = { word: candidate, rank };
      }
    }
    return best.word;
  };
}

/** Two words one slip apart have a form in common: each as it is or short of one letter. */
function indexOf(texts: readonly string[]): {
  counts: Map<string, number>;
  shortened: Map<string, string[]>;
} {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const [word] of text.toLowerCase().matchAll(/[a-z]{4,}/g))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const shortened = new Map<string, string[]>();
  for (const word of counts.keys())
    for (const less of new Set(withoutOneLetter(word)))
      shortened.set(less, [...(shortened.get(less) ?? []), word]);
  return { counts, shortened };
}

function withoutOneLetter(word: string): string[] {
  return [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))];
}

/**
 * Fingers swap letters more often than they leave one out or double it, and that more often than
 * they hit another.
 */
function likelihood(word: string, candidate: string): number {
  if (word.length !== candidate.length) return 1;
  return Array.from(word).sort().join('') === Array.from(candidate).sort().join('') ? 2 : 0;
}
