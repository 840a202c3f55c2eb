import type { FindMentions, Mention, MentionRole } from './find-mentions.js';
import { clausesOf } from './mention-roles.js';
import {
  baseTerms,
  dropWords,
  isOut,
  type ReadThing,
  readThings,
  refusedHome,
  withoutStores,
} from './named-things.js';
import { readStack, readStackNames, type Stack } from './read-stack.js';
import type { Base, Framework, Language } from './tool.js';
import { isStopWord } from '../text/stop-words.js';
import { isFiller, toolTerms } from './tool-terms.js';
import { weighWishes, type WishOdds } from './weigh-wishes.js';
import { readWishes, type Wishes } from './read-wishes.js';
import { phraseLists } from './phrase-lists.js';

/** One message, read without knowing what was said before. */
export interface Reading {
  wishes: Wishes;
  stack: Stack;
  mentions: readonly Mention[];
  /** Tools of makers that are refused as a whole. */
  refused: readonly string[];
  /** Names that are refused or left and stand for all their makers make: they say no kind of tool. */
  houses: readonly string[];
  /** Words after "no", "not" and "without": what the tool should not be about. */
  unwanted: readonly string[];
  /** What is named, and not refused, that some tools keep their data in. */
  bases: readonly Base[];
  /** Those of them that are there already: no such thing is asked for. */
  basesThere: readonly Base[];
  /** Those that are to be left. */
  basesLeft: readonly Base[];
  /** Languages and frameworks that are refused or to be left. */
  stackRefused: readonly (Language | Framework)[];
  /** What it is about: the message without its wishes. */
  text: string;
  /** The same without the parts that speak of tools which are there already. */
  ahead: string;
  /** The same without those that speak of tools which are refused or to be left. */
  apart: string;
  /** Those parts, without the names. */
  aside: string;
  /**
   * Words that say what the tool is for, apart from stack, names, filler and the small talk of
   * follow-ups.
   */
  topicTerms(): readonly string[];
}

/** What a caller says about its surroundings, apart from the message. */
export interface NeedContext {
  framework?: string | readonly string[] | null;
  language?: string | readonly string[] | null;
  constraints?: unknown;
}

const smallTalk = new Set(phraseLists.smallTalk.split(' ').flatMap((word) => toolTerms(word)));

const negated = new RegExp(
  String.raw`\b(?:${phraseLists.negated})(?: (?:${phraseLists.negatedBefore})){0,4} ([a-z]{3,30})(?: (?:${phraseLists.negatedLists})(?: (?:${phraseLists.negatedBefore}))? ([a-z]{3,30}))?\b`,
  'gi',
);
/** "Nothing from Google", "not by Microsoft", "without handing data to Google". */
const refusedMaker = new RegExp(
  String.raw`\b(?:${phraseLists.refusedMakers})(?: made)? (?:from|by|of|to|with|through) ([a-z][a-z0-9]{1,30})(?: (?:and|or|nor) (?:from |by |of )?([A-Z][A-Za-z0-9]{1,30}))?\b`,
  'gi',
);

/**
 * `roles` says what a model made of each name in the message (`findMentions.namesIn`); without it
 * the words next to a name do. `odds` says what a model heard it wish.
 */
export function readNeed(
  message: string,
  findMentions: FindMentions,
  roles: readonly MentionRole[] | null = null,
  things: readonly ReadThing[] = [],
  odds: WishOdds | null = null,
): Reading {
  const read = weighWishes(readWishes(message), odds);
  const wishes = { ...read, ...refusedHome(read, things) };
  const { stack, stackRefused, basesThere, basesLeft, refusedWords } = readThings(
    message,
    readStack(wishes.rest),
    things,
  );
  const told = roles === null ? null : readRoles(message, findMentions, roles);
  const byWords = readRefusedMakers(wishes.rest, findMentions);
  const { rest } = byWords;
  const named =
    told === null
      ? namedByWords(message, rest, wishes, findMentions)
      : takeRoles(findMentions(rest), told.roles);
  // What cannot be recommended says something only where another one is wanted.
  const mentions = named.filter(
    ({ slug, role }) => isOut(role) || role === 'have' || findMentions.isListed(slug),
  );
  const isDropped = ({ slug, role }: Mention): boolean =>
    role === 'unwanted' || (role === 'have' && findMentions.isListed(slug));
  const houses = housesIn(mentions, findMentions);
  const refused = [
    ...byWords.refused,
    ...(told?.refused ?? []),
    ...houses.flatMap((slug) => findMentions.ofMaker(slug)),
  ];
  const kept = dropNames(rest, mentions.filter(isDropped));
  const unwanted = unwantedIn(kept, refusedWords);
  const text = dropWords(dropRefusedWords(kept, findMentions), refusedWords);
  return {
    wishes,
    stack,
    mentions,
    refused,
    houses,
    unwanted,
    bases: readBases(kept, unwanted),
    basesThere: basesThere.filter((base) => !isRefusedBase(base, unwanted)),
    basesLeft,
    stackRefused,
    text,
    ...withoutStores(partsOf(rest, mentions, findMentions), basesThere),
    // Asked for by follow-ups and where tools are named; most first messages are neither.
    topicTerms: () => topicTermsOf(text, text === rest ? mentions : findMentions(text), stack),
  };
}

function housesIn(mentions: readonly Mention[], findMentions: FindMentions): string[] {
  return mentions
    .filter(({ role, slug }) => isOut(role) && findMentions.ofMaker(slug).length > 1)
    .map(({ slug }) => slug);
}

function namedByWords(
  message: string,
  rest: string,
  { cheaper }: Wishes,
  findMentions: FindMentions,
): Mention[] {
  const mentions = findMentions(rest);
  return cheaper ? leftForPrice(mentions, findMentions(message)) : mentions;
}

function unwantedIn(text: string, refusedWords: readonly string[]): string[] {
  const said = [...text.matchAll(negated)].flatMap(([, one = '', other = '']) => [one, other]);
  return unique(
    [...said, ...refusedWords].filter((word) => word !== '').map((word) => word.toLowerCase()),
  );
}

function topicTermsOf(text: string, mentions: readonly Mention[], stack: Stack): string[] {
  const bare = withoutStack(withoutMentions(text, mentions), stack);
  return [...new Set(toolTerms(bare))].filter((term) => !isFiller(term) && !smallTalk.has(term));
}

function readBases(text: string, unwanted: readonly string[]): Base[] {
  const said = new Set(toolTerms(text));
  return baseTerms
    .filter(([base, term]) => said.has(term) && !isRefusedBase(base, unwanted))
    .map(([base]) => base);
}

/** "PostgreSQL" and "Postgres" are one word to the tool index. */
export function isRefusedBase(base: Base, unwanted: readonly string[]): boolean {
  const term = toolTerms(base).join(' ');
  return unwanted.some((word) => toolTerms(word).includes(term));
}

/** For each tool the roles of its names in order, and the tools of makers that are refused. */
function readRoles(
  message: string,
  findMentions: FindMentions,
  roles: readonly MentionRole[],
): { roles: Map<string, MentionRole[]>; refused: readonly string[] } {
  const bySlug = new Map<string, MentionRole[]>();
  const refused: string[] = [];
  for (const [at, { slugs, isMaker }] of findMentions.namesIn(message).entries()) {
    const role = roles[at] ?? 'beside';
    if (isMaker && isOut(role)) refused.push(...slugs);
    if (!isMaker) for (const slug of slugs) bySlug.set(slug, [...(bySlug.get(slug) ?? []), role]);
  }
  return { roles: bySlug, refused };
}

/**
 * A tool is asked for outright only where the words next to it say so too, and never where they
 * refuse it: otherwise what the need is about decides. One that they take as a model is no mere
 * refusal.
 */
function takeRoles(
  mentions: readonly Mention[],
  roles: ReadonlyMap<string, readonly MentionRole[]>,
): Mention[] {
  const seen = new Map<string, number>();
  return mentions.map((mention) => {
    const at = seen.get(mention.slug) ?? 0;
    seen.set(mention.slug, at + 1);
    const role = roles.get(mention.slug)?.[at] ?? mention.role;
    if (role === 'wanted' && mention.role === 'unwanted') return mention;
    if (role === 'unwanted' && mention.role === 'like') return mention;
    return {
      ...mention,
      role: role === 'wanted' && mention.role !== 'wanted' ? 'beside' : role,
      isNeighbour: role === 'beside',
    };
  });
}

function partsOf(
  text: string,
  mentions: readonly Mention[],
  findMentions: FindMentions,
): Pick<Reading, 'ahead' | 'apart' | 'aside'> {
  const clauses = clausesOf(text).map(({ start, end }) => {
    const named = mentions.filter((one) => one.start < end && start < one.end);
    return {
      words: withoutMentions(text, named, { start, end }),
      whole: text.slice(start, end),
      isThere: named.some(({ role, slug }) => role === 'have' && findMentions.isListed(slug)),
      isOut: named.some(({ role }) => isOut(role)),
    };
  });
  const join = (parts: readonly string[]): string =>
    dropRefusedWords(
      parts
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .join(', '),
      findMentions,
    );
  const ahead = clauses.filter(({ isThere }) => !isThere);
  return {
    ahead: join(ahead.map((clause) => (clause.isOut ? clause.words : clause.whole))),
    apart: join(ahead.filter((clause) => !clause.isOut).map(({ whole }) => whole)),
    aside: join(ahead.filter((clause) => clause.isOut).map(({ words }) => words)),
  };
}

/**
 * "Algolia got too expensive": the wish is no part of the rest, but it says what Algolia is to be.
 */
function leftForPrice(mentions: readonly Mention[], asWritten: readonly Mention[]): Mention[] {
  const left = new Set(asWritten.filter(({ role }) => role === 'like').map(({ slug }) => slug));
  return mentions.map((mention) =>
    mention.role === 'beside' && left.has(mention.slug) ? { ...mention, role: 'like' } : mention,
  );
}

function readRefusedMakers(
  text: string,
  findMentions: FindMentions,
): { rest: string; refused: readonly string[] } {
  const refused: string[] = [];
  const rest = text.replace(refusedMaker, (all: string, one?: string, other?: string) => {
    const tools = [one, other].flatMap((maker) => findMentions.ofMaker(maker ?? ''));
    refused.push(...tools);
    return tools.length === 0 ? all : ' ';
  });
  return { rest, refused };
}

/** What is refused must not attract, unless tools advertise that they do without it. */
function dropRefusedWords(text: string, findMentions: FindMentions): string {
  return text
    .replace(negated, (all: string, word: string, other?: string) =>
      [word, other ?? ''].some(
        (one) => one !== '' && (isStopWord(one.toLowerCase()) || findMentions.isDoneWithout(one)),
      )
        ? all
        : ' ',
    )
    .replace(/\s+/g, ' ')
    .trim();
}

function withoutStack(text: string, { languages, frameworks }: Stack): string {
  return languages.length + frameworks.length === 0 ? text : readStack(text).rest;
}

/** A name that is refused, or there already, must not attract what it names. */
function dropNames(text: string, mentions: readonly Mention[]): string {
  let rest = text;
  for (const { start, end } of [...mentions].reverse())
    rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  return rest.replace(/\s+/g, ' ').trim();
}

function withoutMentions(
  text: string,
  mentions: readonly Mention[],
  within = { start: 0, end: text.length },
): string {
  let rest = text.slice(0, within.end);
  for (const { start, end } of [...mentions].reverse())
    rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  return rest.slice(within.start);
}

/**
 * The context's own fields, and constraints in whatever form: words, a list of them, or an object
 * of flags and values.
 */
export function readContext(context: NeedContext): { stack: Stack; wishes: Omit<Wishes, 'rest'> } {
  const named = [...list(context.framework), ...list(context.language)].map(readStackNames);
  const texts = constraintTexts(context.constraints);
  const read = texts.map((text) => ({
    wishes: readWishes(regionWord(text)),
    stack: readStackNames(text),
  }));
  const languages = [...named, ...read.map(({ stack }) => stack)].flatMap(
    (stack) => stack.languages,
  );
  const frameworks = [...named, ...read.map(({ stack }) => stack)].flatMap(
    (stack) => stack.frameworks,
  );
  return {
    stack: { languages: unique<Language>(languages), frameworks: unique<Framework>(frameworks) },
    wishes: {
      wanted: Object.assign({}, ...read.map(({ wishes }) => wishes.wanted)),
      region: read.map(({ wishes }) => wishes.region).find((region) => region !== null) ?? null,
      maker: read.map(({ wishes }) => wishes.maker).find((maker) => maker !== null) ?? null,
      cheap: read.some(({ wishes }) => wishes.cheap || wishes.cheaper),
      cheaper: false,
    },
  };
}

/** `{ free_tier: true, region: "eu", open_source: false }` says the same as words do. */
function constraintTexts(constraints: unknown): string[] {
  if (typeof constraints === 'string')
    return constraints.split(/[,;\n]|\band\b/).map((part) => part.trim());
  if (Array.isArray(constraints)) return constraints.flatMap(constraintTexts);
  if (typeof constraints !== 'object' || constraints === null) return [];
  return Object.entries(constraints).flatMap(([name, value]) => {
    const words = name
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll('_', ' ')
      .toLowerCase();
    if (value === true) return [/^free$/.test(words) ? 'free tier' : words];
    if (value === false) return [`not ${words}`];
    if (typeof value === 'string')
      return /region|resid|location|hosting|country/.test(words)
        ? [`hosted in ${value}`]
        : /budget|price|cost/.test(words)
          ? [/^(?:0|\$0|none|zero|free)$/i.test(value.trim()) ? 'free tier' : 'cheap']
          : constraintTexts(value);
    if (typeof value === 'number')
      return /budget|price|cost/.test(words) ? [value === 0 ? 'free tier' : 'cheap'] : [];
    return constraintTexts(value);
  });
}

/** In a list of constraints "EU" and "GDPR" mean where the data is. */
function regionWord(text: string): string {
  return /^\W*gdpr\b/i.test(text)
    ? 'hosted in EU'
    : /^\W*(?:eu|us|usa|europe|apac|asia)\W*$/i.test(text)
      ? `hosted in ${text.replace(/\W/g, '').toUpperCase()}`
      : text;
}

function list(value: string | readonly string[] | null | undefined): readonly string[] {
  return value === null || value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
