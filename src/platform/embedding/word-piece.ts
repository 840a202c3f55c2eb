// The uncased BERT tokenizer: clean, lower-case, strip accents, cut at spaces, punctuation and ideographs, then greedy longest pieces.

export type WordPiece = { encode(text: string, maxTokens: number): number[] };

const controls = /\ufffd|(?![\t\n\r])\p{C}/gu;
const accents = /\p{Mn}/gu;
const piece = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2ceaf}\u{2f800}-\u{2fa1f}]|[!-/:-@[-`{-~]|\p{P}|[^\s!-/:-@[-`{-~\p{P}\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2ceaf}\u{2f800}-\u{2fa1f}]+/gu;
const longestWord = 100;

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

  return {
    encode(text, maxTokens) {
      // Each token takes at least one character, and a word at most 100: what lies beyond can never be reached.
      const reachable = text.slice(0, maxTokens * (longestWord + 1));
      const folded = reachable.replace(controls, '').toLowerCase().normalize('NFD').replace(accents, '');
      const ids = [start];
      for (const [word] of folded.matchAll(piece)) {
        ids.push(...(vocabulary.has(word) ? [idOf(word)] : piecesOf(word)));
        if (ids.length >= maxTokens) break;
      }
      ids.length = Math.min(ids.length, maxTokens - 1);
      ids.push(end);
      return ids;
    },
  };
}

/** Reads the vocabulary out of a `tokenizer.json`. */
export function vocabularyOf(tokenizerJson: string): Map<string, number> {
  const parsed: unknown = JSON.parse(tokenizerJson);
  const found = (parsed as { model?: { vocab?: Record<string, number> } }).model?.vocab; // Checked on the next line.
  if (found === undefined || typeof found['[CLS]'] !== 'number') throw new Error('not a WordPiece tokenizer file');
  return new Map(Object.entries(found));
}
