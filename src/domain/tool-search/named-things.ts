import type { FindMentions, MentionRole } from './find-mentions.js';
import { type Stack, stackPlaces } from './read-stack.js';
import { makerPlace, type Wishes } from './read-wishes.js';
import { type Base, bases, type Framework, type Language } from './tool.js';
import { toolTerms } from './tool-terms.js';

export const baseTerms = bases.map((base) => [base, toolTerms(base).join(' ')] as const);

export function isOut(role: MentionRole): boolean {
  return role === 'unwanted' || role === 'like';
}

/** A language, a framework, a store of data or the home of makers that a text names. */
export interface NamedThing {
  name: Language | Framework | Base | 'maker';
  start: number;
  end: number;
}

/** The same with what a model made of it. */
export interface ReadThing extends NamedThing {
  role: MentionRole;
}

const plainWord = /[\p{L}\p{N}]+/gu;

/** What a message names beside tools, apart from what is part of a tool's name. */
export function thingsIn(message: string, findMentions: FindMentions): NamedThing[] {
  const names = findMentions.namesIn(message);
  const stores = [...message.matchAll(plainWord)].flatMap(({ 0: word, index }) => {
    const term = toolTerms(word).join(' ');
    const [base] = baseTerms.find(([, each]) => each === term) ?? [];
    return base === undefined ? [] : [{ name: base, start: index, end: index + word.length }];
  });
  const home = makerPlace(message);
  const homes = home === null ? [] : [{ name: 'maker' as const, ...home }];
  return [...homes, ...stackPlaces(message), ...stores].filter(
    (thing) => !names.some(({ start, end }) => thing.start < end && start < thing.end),
  );
}

/** "We can't use US companies": what a model made of it counts, where no list knows the words. */
export function refusedHome(
  { maker, region }: Wishes,
  things: readonly ReadThing[],
): Pick<Wishes, 'maker' | 'region'> {
  const isRefused = things.some(({ name, role }) => name === 'maker' && role === 'unwanted');
  if (maker === null || maker.isRefused || !isRefused) return { maker, region };
  return { maker: { ...maker, isRefused }, region: region === maker.region ? null : region };
}

/** What is refused is no part of the stack, and attracts nothing. */
export function readThings(
  message: string,
  named: Stack,
  things: readonly ReadThing[],
): {
  stack: Stack;
  stackRefused: (Language | Framework)[];
  basesThere: Base[];
  basesLeft: Base[];
  refusedWords: string[];
} {
  const isBase = (name: string): name is Base => bases.some((base) => base === name);
  // A store that is to be left says what kind is wanted.
  const refused = things.filter(({ name, role }) =>
    isBase(name) ? role === 'unwanted' : isOut(role),
  );
  const isRefused = (name: string): boolean =>
    refused.some((thing) => thing.name === name) &&
    !things.some((thing) => thing.name === name && !isOut(thing.role));
  return {
    stack: {
      languages: named.languages.filter((name) => !isRefused(name)),
      frameworks: named.frameworks.filter((name) => !isRefused(name)),
    },
    stackRefused: [...named.languages, ...named.frameworks].filter(isRefused),
    basesThere: things.flatMap(({ name, role }) => (role === 'have' && isBase(name) ? [name] : [])),
    basesLeft: things.flatMap(({ name, role }) => (role === 'like' && isBase(name) ? [name] : [])),
    refusedWords: refused
      .filter(({ name }) => isRefused(name))
      .map(({ start, end }) => message.slice(start, end)),
  };
}

/** The text without these words, where something is left. */
export function dropWords(text: string, words: readonly string[]): string {
  if (words.length === 0) return text;
  const gone = new Set(words.map((word) => word.toLowerCase()));
  const rest = text
    .split(/(?<=[\s,;:.!?()])|(?=[\s,;:.!?()])/)
    .filter((word) => !gone.has(word.toLowerCase()))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
  return rest === '' ? text : rest;
}

/** A store that is there says nothing about another need. */
export function withoutStores<T extends { apart: string }>(parts: T, there: readonly Base[]): T {
  const terms = new Set(there.flatMap((base) => toolTerms(base)));
  const words = (parts.apart.match(plainWord) ?? []).filter((word) =>
    toolTerms(word).some((term) => terms.has(term)),
  );
  return { ...parts, apart: dropWords(parts.apart, words) };
}
