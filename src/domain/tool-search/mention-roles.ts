import { stem } from '../text/stem.js';
import type { Mention, MentionRole } from './find-mentions.js';
import { phraseLists } from './phrase-lists.js';

/** What the head was trained to tell apart; the order is that of its weights. */
export const mentionRoles = ['unwanted', 'like', 'have', 'beside', 'wanted'] as const;

/** Learned by `npm run train:mentions` from `reader/mentions/examples.txt`. */
export interface RoleWeights {
  /** The model whose vectors of clauses these belong to. */
  model: string;
  /** For each role. */
  bias: readonly number[];
  /** What stands around a name: for each role, in hundredths. */
  words: Readonly<Record<string, readonly number[]>>;
  /** For each dimension of the clause's vector, for each role. */
  meaning: readonly (readonly number[])[];
}

/** A name in its surroundings. */
export interface Spot {
  features: readonly string[];
  /** The part of the sentence it stands in, with a neutral word in its place. */
  clause: string;
}

export interface RoleReader {
  readonly model: string;
  spots(text: string, mentions: readonly Place[]): Spot[];
  /**
   * `meaning` is the vector of the clause. A maker is refused with all its tools, so only where
   * that is clear.
   */
  roleOf(spot: Spot, meaning: Float32Array, isMaker: boolean): MentionRole;
  /**
   * The same of a language, a framework or a store of data: most are only beside the need, so they
   * are refused, or there, only where that is clear.
   */
  thingRoleOf(spot: Spot, meaning: Float32Array): MentionRole;
  /**
   * The same for all names of a text. Those of one list ("PayPal and Stripe are off the table") are
   * read together: what is said of one is said of all.
   */
  rolesOf(read: readonly ReadSpot[], lists: readonly (readonly number[])[]): MentionRole[];
}

/** A spot with the vector of its clause. */
export interface ReadSpot {
  spot: Spot;
  meaning: Float32Array;
  isMaker: boolean;
}

type Place = Pick<Mention, 'start' | 'end'>;

const thisName = 'zeta';
const otherName = 'acme';
const token = /[\p{L}\p{N}]+(?:['’]\p{L}+)?|[.,;:!?()/-]/gu;
const sentenceEnds: ReadonlySet<string> = new Set(['.', ';', '!', '?', ':']);
const clauseEnds: ReadonlySet<string> = new Set([
  ...sentenceEnds,
  ',',
  '-',
  '(',
  ')',
  ...phraseLists.clauseWords.split('|'),
  'and',
]);
const clauseEnd = new RegExp(
  String.raw`[.;:!?](?=\s|$)|,| [-–—] |[()]|\b(?:${phraseLists.clauseWords})\b|\band\b(?! (?:${otherName}|${thisName}))`,
  'gi',
);
const listJoin = new RegExp(
  String.raw`^(?:,|/|&|,? ?(?:${phraseLists.joiningWords.split(' ').join('|')}))$`,
  'i',
);
const longestClause = 240;
/** A maker is refused when that is so many times likelier than anything else. */
const clear = 4;
const near = 8;
const far = 10;

/** Where one part of a sentence ends and the next begins. */
export function clausesOf(text: string): Place[] {
  const clauses: Place[] = [];
  let start = 0;
  for (const match of text.matchAll(clauseEnd)) {
    clauses.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  clauses.push({ start, end: text.length });
  return clauses;
}

/** Every name of the text as the head sees it: with neutral words instead of names. */
export function spotsOf(text: string, mentions: readonly Place[]): Spot[] {
  return mentions.map((mention) => {
    const left = neutral(text, 0, mention.start, mentions);
    const right = neutral(text, mention.end, text.length, mentions);
    return { features: featuresOf(left, right), clause: clauseAround(left, right) };
  });
}

function neutral(text: string, from: number, to: number, mentions: readonly Place[]): string {
  let rest = '';
  let at = from;
  for (const { start, end } of mentions)
    if (start >= at && end <= to) {
      rest += `${text.slice(at, start)}${otherName}`;
      at = end;
    }
  return rest + text.slice(at, to);
}

function clauseAround(left: string, right: string): string {
  const text = `${left}${thisName}${right}`;
  const clause = clausesOf(text).find(
    ({ start, end }) => start <= left.length && left.length < end,
  );
  return text
    .slice(clause?.start, clause?.end)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestClause)
    .toLowerCase();
}

/** Single words and short runs of them, near the name, in its clause and in its sentence. */
function featuresOf(left: string, right: string): string[] {
  const before = upTo(tokensOf(left).reverse(), sentenceEnds);
  const behind = upTo(tokensOf(right), sentenceEnds);
  const [l1 = '<', l2 = '<', l3 = '<'] = before;
  const [r1 = '>', r2 = '>', r3 = '>'] = behind;
  const clauseLeft = upTo(before, clauseEnds).slice(0, near);
  const clauseRight = upTo(behind, clauseEnds).slice(0, near);
  return [
    ...new Set([
      `l1 ${l1}`,
      `l2 ${l2}`,
      `l12 ${l2} ${l1}`,
      `l123 ${l3} ${l2} ${l1}`,
      `r1 ${r1}`,
      `r2 ${r2}`,
      `r12 ${r1} ${r2}`,
      `r123 ${r1} ${r2} ${r3}`,
      `lr ${l1} ${r1}`,
      `l12r ${l2} ${l1} ${r1}`,
      `lr12 ${l1} ${r1} ${r2}`,
      ...clauseLeft.map((word) => `cl ${word}`),
      ...clauseRight.map((word) => `cr ${word}`),
      ...[...clauseLeft, ...clauseRight].map((word) => `c ${word}`),
      ...clauseLeft.slice(1).map((word, at) => `cc ${word} ${clauseLeft[at]}`),
      ...clauseRight.slice(1).map((word, at) => `cc ${clauseRight[at]} ${word}`),
      ...[...before.slice(0, far), ...behind.slice(0, far)].map((word) => `s ${word}`),
    ]),
  ];
}

function upTo(tokens: readonly string[], ends: ReadonlySet<string>): readonly string[] {
  const end = tokens.findIndex((each) => ends.has(each));
  return end < 0 ? tokens : tokens.slice(0, end);
}

/** Stems; "can't" is two words, numbers are one. */
function tokensOf(text: string): string[] {
  return (text.toLowerCase().replaceAll('’', "'").match(token) ?? []).flatMap((word) => {
    if (word === 'cannot') return ['can', 'not'];
    const [head = '', tail] = word.split("'");
    if (tail === 't' && head.endsWith('n'))
      return [head === 'can' ? 'can' : head === 'won' ? 'will' : head.slice(0, -1), 'not'];
    if (tail !== undefined) return [head, `'${tail}`];
    return [/^\d/.test(word) ? '#' : stem(word)];
  });
}

/**
 * A linear head: words around the name and what its clause means add up to a role. Refused and left
 * are counted together first: both say that this one is not to be recommended.
 */
export function createRoleReader(weights: RoleWeights): RoleReader {
  const words = new Map(Object.entries(weights.words));
  const sumsOf = ({ features }: Spot, meaning: Float32Array): number[] => {
    const sums = [...weights.bias];
    for (const feature of features)
      for (const [role, weight] of (words.get(feature) ?? []).entries())
        sums[role] = (sums[role] ?? 0) + weight / 100;
    for (const [at, row] of weights.meaning.entries())
      for (const [role, weight] of row.entries())
        sums[role] = (sums[role] ?? 0) + weight * (meaning[at] ?? 0);
    return sums;
  };
  return {
    model: weights.model,
    spots: spotsOf,
    roleOf: (spot, meaning, isMaker) => likeliest(sumsOf(spot, meaning), isMaker),
    thingRoleOf(spot, meaning) {
      const sums = sumsOf(spot, meaning);
      const role = likeliest(sums, true);
      const own = sums[mentionRoles.indexOf(role)] ?? 0;
      const isClear = sums.every(
        (sum, at) => at < 2 || mentionRoles[at] === role || own - sum > Math.log(clear),
      );
      return role === 'have' && !isClear ? 'beside' : role;
    },
    rolesOf(read, lists) {
      const own = read.map(({ spot, meaning }) => sumsOf(spot, meaning));
      return read.map(({ isMaker }, at) => {
        const list = lists.find((places) => places.includes(at)) ?? [at];
        const sums = mentionRoles.map(
          (_, role) => list.reduce((sum, one) => sum + (own[one]?.[role] ?? 0), 0) / list.length,
        );
        return likeliest(sums, isMaker);
      });
    },
  };
}

function likeliest(sums: readonly number[], isMaker: boolean): MentionRole {
  const most = Math.max(...sums);
  const [unwanted = 0, like = 0, ...others] = sums.map((sum) => Math.exp(sum - most));
  if (unwanted + like > Math.max(...others) * (isMaker ? clear : 1))
    return unwanted > like ? 'unwanted' : 'like';
  return mentionRoles[2 + others.indexOf(Math.max(...others))] ?? 'beside';
}

/** Names with nothing but "and", "or", "nor" and commas between them, by their number. */
export function listsOf(text: string, places: readonly Place[]): number[][] {
  const lists: number[][] = [];
  let [list, isJoined]: [number[], boolean] = [[], false];
  const close = (): void => {
    if (list.length > 1 && isJoined) lists.push(list);
    [list, isJoined] = [[], false];
  };
  for (const [at, { start }] of places.entries()) {
    const previous = places[at - 1];
    const between = previous === undefined ? null : text.slice(previous.end, start).trim();
    // A comma alone may as well begin another sentence, and behind the "or" of a list it does.
    if (between === null || !listJoin.test(between) || (between === ',' && isJoined)) close();
    else if (between !== ',') isJoined = true;
    list.push(at);
  }
  close();
  return lists;
}
