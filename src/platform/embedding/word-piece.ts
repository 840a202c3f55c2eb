// The uncased BERT tokenizer: clean, lower-case, strip accents, cut at spaces, punctuation and
// ideographs, then greedy longest pieces.

import type { WordMender } from '../../domain/text/mend-words.js';

export type WordPiece = {
  encode(text: string, maxTokens: number): number[];
  /** The same in few tokens: a request loses its commonest words. */
  encodeBriefly(text: string, maxTokens: number): number[];
};

const controls = /\ufffd|(?![\t\n\r])\p{C}/gu;
const accents = /\p{Mn}/gu;
const piece =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2ceaf}\u{2f800}-\u{2fa1f}]|[!-/:-@[-`{-~]|\p{P}|[^\s!-/:-@[-`{-~\p{P}\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2ceaf}\u{2f800}-\u{2fa1f}]+/gu;
const longestWord = 100;

/**
 * The model works in blocks of four tokens; seven and the mark at the beginning hold what most
 * requests are about.
 */
const briefWords = 7;
/**
 * A story is read whole: without its small words, the side remarks in it would outweigh the need.
 */
const storyWords = 22;

/**
 * `mend` guesses what a word was meant to be that the vocabulary lacks; requests are typed in
 * haste, what advertisers write is not.
 */
export function createWordPiece(
  vocabulary: ReadonlyMap<string, number>,
  mend: WordMender = (word) => word,
): WordPiece {
  const idOf = (token: string): number => {
    const id = vocabulary.get(token);
    if (id === undefined) throw new Error(`the vocabulary lacks ${token}`);
    return id;
  };
  const [start, end, unknown] = [idOf('[CLS]'), idOf('[SEP]'), idOf('[UNK]')];

  function piecesOf(word: string): number[] {
    const characters = Array.from(word);
    if (characters.length > longestWord) return [unknown];
    const ids: number[] = [];
    for (let from = 0; from < characters.length;) {
      let to = characters.length;
      let id: number | undefined;
      for (; to > from; to--) {
        const part = characters.slice(from, to).join('');
        id = vocabulary.get(from === 0 ? part : `##${part}`);
        if (id !== undefined) break;
      }
      if (id === undefined) return [unknown];
      ids.push(id);
      from = to;
    }
    return ids;
  }

  /** Each word in its pieces, as many as fit. */
  function wordsOf(
    text: string,
    maxTokens: number,
    mended: WordMender = (word) => word,
  ): number[][] {
    // Each token takes at least one character, and a word at most 100: what lies beyond can never
    // be reached.
    const reachable = text.slice(0, maxTokens * (longestWord + 1));
    const folded = reachable
      .replace(controls, '')
      .toLowerCase()
      .normalize('NFD')
      .replace(accents, '');
    const words: number[][] = [];
    let tokens = 1;
    for (const [written] of folded.matchAll(piece)) {
      const word = vocabulary.has(written) ? written : mended(written);
      const known = vocabulary.get(word);
      const pieces = known === undefined ? piecesOf(word) : [known];
      words.push(pieces);
      tokens += pieces.length;
      if (tokens >= maxTokens) break;
    }
    return words;
  }

  function marked(words: readonly number[][], maxTokens: number): number[] {
    return [start, ...words.flat().slice(0, maxTokens - 2), end];
  }

  const digits = new Set(Array.from('0123456789', (digit) => vocabulary.get(digit)));
  /**
   * The vocabulary is in order of frequency, so an id says how common a word is. Numbers stay: they
   * are short, but not empty.
   */
  const commonness = (word: readonly number[]): number =>
    word.length > 1 || digits.has(word[0]) ? Infinity : (word[0] ?? 0);

  return {
    encode: (text, maxTokens) => marked(wordsOf(text, maxTokens), maxTokens),
    encodeBriefly(text, maxTokens) {
      const words = wordsOf(text, maxTokens, mend);
      const pieces = words.reduce((sum, word) => sum + word.length, 0);
      if (pieces <= briefWords || pieces > storyWords) return marked(words, maxTokens);
      const spare = new Set(
        words
          .filter((word) => commonness(word) < Infinity)
          .sort((a, b) => commonness(a) - commonness(b))
          .slice(0, pieces - briefWords),
      );
      // Nor does it need to be told where words end that are no sentence any more.
      return [start, ...words.filter((word) => !spare.has(word)).flat()];
    },
  };
}

/** Reads the vocabulary out of a `tokenizer.json`. */
export function vocabularyOf(tokenizerJson: string): Map<string, number> {
  const parsed: unknown = JSON.parse(tokenizerJson);
  // Checked on the next line.
  const found = (parsed as { model?: { vocab?: Record<string, number> } }).model?.vocab;
  if (found === undefined || typeof found['[CLS]'] !== 'number')
    throw new Error('not a WordPiece tokenizer file');
  return new Map(Object.entries(found));
}
