import { fold } from '../text/tokenize.js';
import type { Tool, UnlistedTool } from './tool.js';
import { phraseLists } from './phrase-lists.js';

/**
 * How a text speaks of a tool: it wants it, does not want it, wants one like it but another, has it
 * and will keep it, or just works with it.
 */
export type MentionRole = 'wanted' | 'unwanted' | 'like' | 'have' | 'beside';

export interface Mention {
  slug: string;
  role: MentionRole;
  /** A model took it for a mere neighbour of the need, not for what is wanted. */
  isNeighbour?: boolean;
  /** Where it stands in the text. */
  start: number;
  end: number;
}

/** A name of a tool, or of a maker of several: where it stands, and whose it is. */
export interface NamePlace {
  start: number;
  end: number;
  slugs: readonly string[];
  isMaker: boolean;
}

export interface FindMentions {
  (text: string): Mention[];
  /** Everything that is named, makers too, in the order of the text. */
  namesIn(text: string): NamePlace[];
  /** What the maker's tools are called, as in "nothing from Google". */
  ofMaker(maker: string): readonly string[];
  /** Whether what is named can be recommended. */
  isListed(slug: string): boolean;
  /** Some tool says of itself that it does without: then the word tells what is wanted. */
  isDoneWithout(word: string): boolean;
}

interface Name {
  slug: string;
  words: readonly string[];
  /**
   * Also a plain word: read as a name only with a capital letter or after a word that asks for a
   * tool.
   */
  isPlainWord: boolean;
  /** Short for the whole name and so common that alone it names a need: "video", "checkout". */
  isCommon: boolean;
}

const commonFrom = 25;

const vendors = new RegExp(`^(?:${phraseLists.vendors}) `);
const like = new RegExp(String.raw`(?:\b(?:${phraseLists.leftBehind})(?: using)?)[\s"'(]*$`, 'i');
const likeBehind = new RegExp(String.raw`^[\s"')]*(?:${phraseLists.leftAhead})`, 'i');
const unwanted = new RegExp(String.raw`(?:\b(?:${phraseLists.refused})(?: again)?)[\s"'(]*$`, 'i');
const wanted = new RegExp(String.raw`(?:\b(?:${phraseLists.askedFor}))[\s"'(]*$`, 'i');
/** Nothing follows that could make the name part of something else. */
const ends = new RegExp(String.raw`^[\s"')]*(?:$|[.,;:!?]|(?:${phraseLists.afterNames})\b)`, 'i');
const word = /[\p{L}\p{N}]+/gu;

/** Words of tools' texts without a capital, and in how many tools they stand. */
function readPlainWords(tools: readonly Tool[]): Map<string, number> {
  const plainWords = new Map<string, number>();
  for (const tool of tools) {
    const texts = new Set(
      [...tool.needs, tool.description].flatMap(
        (text) => text.match(/(?<![.\w])[a-z]{2,}(?![.\w])/g) ?? [],
      ),
    );
    const own = new Set(fold(tool.name).match(word) ?? []);
    for (const each of texts)
      if (!own.has(each)) plainWords.set(each, (plainWords.get(each) ?? 0) + 1);
  }
  return plainWords;
}

/** What each tool is called, the plainest first: who has a spelling first keeps it. */
function* spellingsOf(
  tools: readonly Tool[],
): Generator<readonly [slug: string, spelling: string]> {
  for (const { slug, name } of tools) yield [slug, name.replace(/\([^()]{0,80}\)/g, ' ')];
  for (const { slug, aliases = [] } of tools) for (const alias of aliases) yield [slug, alias];
  // "OpenAI" is the tool of that slug before it is Azure's.
  for (const { slug } of tools) yield [slug, slug];
  for (const { slug, name } of tools) {
    for (const part of name.match(/\(([^()]{1,80})\)/)?.slice(1) ?? []) yield [slug, part];
    const short = fold(name).replace(vendors, '');
    if (short !== fold(name)) yield [slug, short];
    if (/^(?:amazon|aws) /.test(fold(name))) {
      yield [slug, `aws ${short}`];
      yield [slug, `amazon ${short}`];
    }
    if (/[.\s](?:io|js|com|dev|ai)$/i.test(name))
      yield [slug, name.replace(/[.\s](?:io|js|com|dev|ai)$/i, '')];
  }
}

interface Names {
  /** By their first word, longest first. */
  byFirst: ReadonlyMap<string, readonly Name[]>;
  /** Every name, its words with a space between them. */
  taken: ReadonlySet<string>;
}

function readNames(
  tools: readonly Tool[],
  unlisted: readonly UnlistedTool[],
  plainWords: ReadonlyMap<string, number>,
): Names {
  const byFirst = new Map<string, Name[]>();
  const taken = new Set<string>();
  const whole = new Map(tools.map(({ slug, name }) => [slug, fold(name)]));
  const add = (slug: string, spelling: string, isMarked: boolean): void => {
    const words = fold(spelling).match(word) ?? [];
    const key = words.join(' ');
    const [first] = words;
    if (first === undefined || key.length < 2 || taken.has(key)) return;
    taken.add(key);
    const isPlain = words.every((each) => (plainWords.get(each) ?? 0) > 0) || key.length < 3;
    const isCommon =
      fold(spelling) !== whole.get(slug) &&
      words.every((each) => (plainWords.get(each) ?? 0) >= commonFrom);
    byFirst.set(
      first,
      [
        ...(byFirst.get(first) ?? []),
        { slug, words, isPlainWord: isPlain || isMarked, isCommon },
      ].sort((a, b) => b.words.length - a.words.length),
    );
  };
  for (const [slug, spelling] of spellingsOf(tools)) add(slug, spelling, false);
  for (const { slug, name, isPlainWord } of unlisted) add(slug, name, isPlainWord);
  return { byFirst, taken };
}

function findNames(text: string, { byFirst }: Names): Mention[] {
  const folded = fold(text);
  // Folding may change lengths outside Latin letters; then capitals cannot be compared and nothing
  // is lost but that.
  const original = folded.length === text.length ? text : folded;
  const tokens = [...folded.matchAll(word)];
  const found: Mention[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    const name = (byFirst.get(token?.[0] ?? '') ?? []).find(({ words }) =>
      words.every((each, offset) => tokens[at + offset]?.[0] === each),
    );
    if (token === undefined || name === undefined) continue;
    const last = tokens[at + name.words.length - 1] ?? token;
    const mention = { start: token.index, end: last.index + last[0].length };
    const previous = found.at(-1);
    if (previous?.slug === name.slug && isOtherName(original, previous, mention)) {
      const whole = { start: previous.start, end: mention.end + 1 };
      found[found.length - 1] = {
        slug: name.slug,
        role: roleOf(original, whole, found.at(-2)),
        ...whole,
      };
    } else {
      if (name.isPlainWord && !isMeantAsName(original, mention, name)) continue;
      found.push({ slug: name.slug, role: roleOf(original, mention, previous), ...mention });
    }
    at += name.words.length - 1;
  }
  return found;
}

interface Place {
  start: number;
  end: number;
}

/** "Auth.js (NextAuth)" names one tool once. */
function isOtherName(text: string, previous: Place, { start, end }: Place): boolean {
  return /^\s?\($/.test(text.slice(previous.end, start)) && text.charAt(end) === ')';
}

/**
 * Names are found whole, longest first. Which of them are plain words the tools themselves tell:
 * others use them without a capital.
 */
export function createMentionFinder(
  tools: readonly Tool[],
  unlisted: readonly UnlistedTool[] = [],
): FindMentions {
  const plainWords = readPlainWords(tools);
  const names = readNames(tools, unlisted, plainWords);
  const find = (text: string): Mention[] => findNames(text, names);
  const makers = readMakers(tools);
  const doneWithout = readDoneWithout(tools);
  const listed = new Set(tools.map(({ slug }) => slug));
  const isMaker = (name: string): boolean =>
    name.length > 2 &&
    (makers.get(name)?.length ?? 0) > 1 &&
    !plainWords.has(name) &&
    !names.taken.has(name);
  const namesIn = (text: string): NamePlace[] => {
    const named = find(text).map(({ slug, start, end }) => ({
      start,
      end,
      slugs: [slug],
      isMaker: false,
    }));
    const makersNamed = [...fold(text).matchAll(word)]
      .filter(({ 0: name }) => isMaker(name))
      .map(({ 0: name, index }) => ({
        start: index,
        end: index + name.length,
        slugs: makers.get(name) ?? [],
        isMaker: true,
      }))
      .filter((maker) => !named.some(({ start, end }) => maker.start < end && start < maker.end));
    return [...named, ...makersNamed].sort((a, b) => a.start - b.start);
  };
  return Object.assign(find, {
    namesIn,
    ofMaker: (maker: string) => makers.get(fold(maker)) ?? [],
    isListed: (slug: string) => listed.has(slug),
    isDoneWithout: (one: string) => doneWithout.has(fold(one)),
  });
}

/** By the address of its pages a tool says whose it is: `firebase.google.com`. */
function readMakers(tools: readonly Tool[]): Map<string, string[]> {
  const makers = new Map<string, string[]>();
  for (const { slug, name, website_url } of tools) {
    const { hostname } = new URL(website_url);
    // Whoever keeps code at a code host is not made by it.
    const labels = hostname === 'github.com' ? [] : hostname.split('.').slice(0, -1);
    const [first = ''] = fold(name).match(word) ?? [];
    for (const maker of new Set([first, ...labels]))
      makers.set(maker, [...(makers.get(maker) ?? []), slug]);
  }
  return makers;
}

const without = new RegExp(
  String.raw`(?<!\w)(?:${phraseLists.negations})[ -](?:(?:${phraseLists.articles}) )?([a-z]{3,30})(?!\w)`,
  'g',
);

function readDoneWithout(tools: readonly Tool[]): Set<string> {
  const words = new Set<string>();
  for (const { needs, keywords, description } of tools)
    for (const text of [...needs, ...keywords, description])
      for (const [, one = ''] of fold(text).matchAll(without)) words.add(one);
  return words;
}

/** A capital inside a sentence, nothing else said, or asked for as only a tool can be. */
function isMeantAsName(text: string, { start, end }: Place, { isCommon }: Name): boolean {
  const before = text.slice(Math.max(0, start - 60), start);
  const behind = text.slice(end, end + 40);
  if (behind.startsWith('-') && !likeBehind.test(behind)) return false;
  if (/\p{Lu}/u.test(text.charAt(start)) && /[^.!?\s]\s*$/.test(before)) return true;
  if (likeBehind.test(behind) || (!isCommon && before.trim() === '' && /^\W*$/.test(behind)))
    return true;
  return ends.test(behind) && (like.test(before) || unwanted.test(before) || wanted.test(before));
}

const joiningWords = phraseLists.joiningWords.split(' ');
const joins: ReadonlySet<string> = new Set([
  ',',
  '/',
  '&',
  ...joiningWords,
  ...joiningWords.map((each) => `,${each}`),
]);

/** In a list ("neither Sentry nor Datadog") the first name's role is everybody's. */
function roleOf(text: string, { start, end }: Place, previous: Mention | undefined): MentionRole {
  const before = text.slice(Math.max(0, start - 60), start);
  const behind = text.slice(end, end + 40);
  if (like.test(before) || likeBehind.test(behind)) return 'like';
  if (unwanted.test(before)) return 'unwanted';
  if (
    (previous?.role === 'unwanted' || previous?.role === 'like') &&
    start - previous.end <= 12 &&
    joins.has(text.slice(previous.end, start).replace(/\s/g, '').toLowerCase())
  )
    return previous.role;
  return wanted.test(before) && ends.test(behind) ? 'wanted' : 'beside';
}
