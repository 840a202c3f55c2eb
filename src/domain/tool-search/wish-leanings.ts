import { clausesOf } from './mention-roles.js';
import { isStopWord } from '../text/stop-words.js';
import { readWishes, type Wish } from './read-wishes.js';

/**
 * What the head was trained to tell apart, in the order of its weights: nothing, run by oneself, run
 * by somebody else, free, open source, cheap, there already, no vendor. Of the third nothing is made: who wants no servers may
 * want a library.
 */
const kinds = [
  null,
  'selfHosted',
  null,
  'freeTier',
  'openSource',
  'cheap',
  'there',
  'noVendor',
] as const satisfies (Leaning | null)[];

/** A wish, that money matters, that this part of the work is done, or that nobody's account is wanted. */
export type Leaning = Wish | 'cheap' | 'there' | 'noVendor';

/** Learned by `npm run train:wishes` from `reader/wishes/examples.txt`. */
export interface WishWeights {
  /** The model whose vectors of clauses these belong to. */
  model: string;
  bias: readonly number[];
  /** For each dimension of the clause's vector, for each kind. */
  meaning: readonly (readonly number[])[];
}

/** What the phrases we list do not know, a model may still make out. */
export interface LeaningReader {
  readonly model: string;
  /** Parts of a message that may ask something of any tool in words nobody listed. */
  clauses(message: string): string[];
  /** How long parts end: "… as cheaply as possible". */
  tails(message: string): string[];
  /** `meaning` is the vector of a clause. Null: it asks nothing of the kind, or not clearly. */
  leaningOf(meaning: Float32Array): { leaning: Leaning; share: number } | null;
}

const mostClauses = 5;
const longestClause = 160;
/** So sure the head must be. */
const sure = 0.6;
/** Words of an end that may be a condition, and of the part before it. */
const [shortTail, longTail, head] = [3, 6, 3];

/** A linear head over the meaning of a clause. */
export function createLeaningReader({ model, bias, meaning: rows }: WishWeights): LeaningReader {
  const clauses = (message: string): string[] =>
    wholeParts(message)
      .map((part) => part.replace(/\s+/g, ' ').trim())
      .filter((clause) => clause.includes(' ') && clause.length <= longestClause)
      .filter((clause) => Object.keys(readWishes(clause).wanted).length === 0)
      .slice(-mostClauses)
      .map((clause) => clause.toLowerCase());
  return {
    model,
    clauses,
    tails: (message) => clauses(message).flatMap((clause) => tailOf(clause) ?? []),
    leaningOf(meaning) {
      const sums = [...bias];
      for (const [at, row] of rows.entries())
        for (const [kind, weight] of row.entries())
          sums[kind] = (sums[kind] ?? 0) + weight * (meaning[at] ?? 0);
      const most = Math.max(...sums);
      const total = sums.reduce((sum, one) => sum + Math.exp(one - most), 0);
      const leaning = kinds[sums.indexOf(most)] ?? null;
      return leaning === null || 1 / total < sure ? null : { leaning, share: 1 / total };
    },
  };
}

/** The longest short end that begins with a word that joins: nothing is said before it is over. */
function tailOf(clause: string): string | null {
  const words = clause.split(' ');
  for (let length = longTail; length >= shortTail; length--) {
    const first = words[words.length - length];
    if (words.length - length >= head && first !== undefined && isStopWord(first))
      return words.slice(-length).join(' ');
  }
  return null;
}

/**
 * The parts of a message, and with the next what may be no more than how it begins: "later on, also
 * newsletters".
 */
function wholeParts(message: string): string[] {
  const places = clausesOf(message);
  return places.flatMap(({ start, end }, at) => {
    const part = message.slice(start, end);
    const next = places[at + 1];
    const isShort = part.trim() !== '' && part.trim().split(/\s+/).length < shortTail;
    return isShort && next !== undefined ? [part, message.slice(start, next.end)] : [part];
  });
}
