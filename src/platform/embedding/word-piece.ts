// The uncased BERT tokenizer: clean, lower-case, strip accents, cut at spaces, punctuation and
// ideographs, then greedy longest pieces.

export type WordPiece = {
  encode(text: string, maxTokens: number): number[];
  /** The pieces alone, without marks. A text of more is read by its first and its last ones. */
  pieces(text: string, first: number, last?: number): number[];
  readonly start: number;
  readonly end: number;
};

const controls = /\ufffd|(?![\t\n\r])\p{C}/gu;
const accents = /\p{Mn}/gu;
const ideographs =
  '\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2ceaf}\\u{2f800}-\\u{2fa1f}';
const asciiMarks = '!-/:-@[-`{-~';
/** One ideograph, one mark, or a run of anything else that is no space. */
const piece = new RegExp(
  `[${ideographs}]|[${asciiMarks}]|\\p{P}|[^\\s${asciiMarks}\\p{P}${ideographs}]+`,
  'gu',
);
const longestWord = 100;
/** More than any text has that is read to its end. */
const mostPieces = 5000;

export function createWordPiece(vocabulary: ReadonlyMap<string, number>): WordPiece {
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

  /** At most about so many pieces; a word is never read in part. */
  function piecesIn(text: string, most: number): number[] {
    // Each piece takes at least one character, and a word at most 100: what lies beyond can never
    // be reached.
    const folded = text
      .slice(0, most * (longestWord + 1))
      .replace(controls, '')
      .toLowerCase()
      .normalize('NFD')
      .replace(accents, '');
    const ids: number[] = [];
    for (const [word] of folded.matchAll(piece)) {
      const known = vocabulary.get(word);
      if (known === undefined) ids.push(...piecesOf(word));
      else ids.push(known);
      if (ids.length >= most) break;
    }
    return ids;
  }

  return {
    start,
    end,
    encode: (text, maxTokens) => [
      start,
      ...piecesIn(text, maxTokens - 2).slice(0, maxTokens - 2),
      end,
    ],
    pieces(text, first, last = 0) {
      if (last === 0) return piecesIn(text, first).slice(0, first);
      const all = piecesIn(text, mostPieces);
      return all.length <= first + last ? all : [...all.slice(0, first), ...all.slice(-last)];
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
