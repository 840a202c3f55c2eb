import { type Calibration, hasNeed, type Weighed } from '../reading/calibration.js';
import type { PhraseFinder } from '../reading/phrase-list.js';
import { plainTalk } from '../reading/plain-talk.js';
import type { Reading } from '../reading/reading.js';
import type { ContentCategory, NearestTopic, Topic } from '../reading/topics.js';
import type { Turns } from '../reading/turns.js';
import { termsOf } from '../text/terms.js';
import { identifiersIn, tokenize } from '../text/tokenize.js';
import type { WeightedTerm } from './term-index.js';
import { dot } from './vectors.js';

/** Why a conversation gets no ad whatever is offered. */
export type Refusal = {
  reason: 'no_need' | 'sensitive' | 'excluded';
  /** What gave it away: a kind of talk, a sensitive topic, an excluded one. */
  detail: string;
};

/** What somebody wants no ad about: its words, and its meaning once it is read. */
export type ExcludedTopic = { name: string; terms: readonly string[]; vector: Float32Array | null };

/** A conversation as offers are weighed for it. */
export type MatchQuery = {
  refusal: Refusal | null;
  terms: readonly WeightedTerm[];
  /** What the person said, newest first, folded: for brands and phrases. */
  said: readonly (readonly string[])[];
  excluded: readonly ExcludedTopic[];
  excludedCategories: readonly ContentCategory[];
  /** Null where only words can be matched: no model, or a language it does not read. */
  reading: (Weighed & { vector: Float32Array }) | null;
  /** Not in a language the model reads. */
  foreign: boolean;
  topic: Topic | null;
};

/** The lists a conversation is held against before it is read. */
export type SafetyLists = { sensitive: PhraseFinder; idle: ReadonlySet<string> };

const longestRead = 3000;
/** How much the words of the message before count beside those of the newest. */
const previousShare = 0.35;
const mostTerms = 48;

/** Everything that can be told without a model. */
export function prepareQuery(
  turns: Turns | null,
  lists: SafetyLists,
  excluded: { topics: readonly string[]; categories: readonly ContentCategory[] },
): MatchQuery {
  const spoken =
    turns === null ? [] : [turns.newest, ...((turns.previous ?? '') ? [turns.previous ?? ''] : [])];
  const talk = turns === null ? 'empty' : plainTalk(turns.newest, lists.idle);
  const said = spoken.map((text) => tokenize(text.slice(0, longestRead)));
  return {
    refusal:
      sensitiveTalk(spoken, lists.sensitive) ??
      (talk === null || talk === 'foreign_script' ? null : { reason: 'no_need', detail: talk }) ??
      excludedByWords(spoken, excluded),
    terms: weightedTerms(spoken),
    said,
    excluded: excluded.topics.map((name) => ({ name, terms: termsOf(name), vector: null })),
    excludedCategories: excluded.categories,
    reading: null,
    foreign: talk === 'foreign_script',
    topic: null,
  };
}

/** Adds what the model read. May refuse where the words alone did not. */
export function addReading(
  query: MatchQuery,
  read: {
    reading: Reading;
    earlier: Pick<Reading, 'need' | 'never'> | null;
    topic: NearestTopic | null;
    excluded: readonly (Float32Array | null)[];
  },
  calibration: Calibration,
): MatchQuery {
  const { reading, earlier } = read;
  const topic = read.topic?.topic ?? null;
  const excluded = query.excluded.map((each, at) => ({
    ...each,
    vector: read.excluded[at] ?? null,
  }));
  const known = { ...query, excluded, topic };
  if (reading.never >= calibration.neverAtMost)
    return { ...known, refusal: { reason: 'sensitive', detail: 'reading' } };
  // What was touched upon a moment ago is not over with a harmless "any other ideas?".
  if ((earlier?.never ?? -Infinity) >= calibration.carriedNeverAtMost)
    return { ...known, refusal: { reason: 'sensitive', detail: 'the turn before' } };
  // Numbers about a text that was not understood mean nothing.
  if (reading.foreign >= calibration.foreignAtMost) return { ...known, foreign: true };
  const { vector, need, never } = reading;
  const trade = read.topic?.nearness ?? null;
  const weighed = { vector, need, never, earlier: earlier?.need ?? null, trade };
  return {
    ...known,
    reading: weighed,
    refusal: hasNeed(calibration, weighed)
      ? excludedByMeaning(known, vector, calibration)
      : { reason: 'no_need', detail: 'reading' },
  };
}

function sensitiveTalk(spoken: readonly string[], find: PhraseFinder): Refusal | null {
  for (const text of spoken) {
    const found = find(text);
    if (found !== null) return { reason: 'sensitive', detail: found.topic };
  }
  return null;
}

function excludedByWords(
  spoken: readonly string[],
  { topics, categories }: { topics: readonly string[]; categories: readonly ContentCategory[] },
): Refusal | null {
  if (topics.length + categories.length === 0) return null;
  const said = new Set(spoken.flatMap((text) => termsOf(text.slice(0, longestRead))));
  const isNamed = (text: string): boolean => {
    const terms = termsOf(text);
    return terms.length > 0 && terms.every((term) => said.has(term));
  };
  const named =
    topics.find(isNamed) ??
    categories.find(({ name, about }) => isNamed(name) || termsOf(about).some((t) => said.has(t)))
      ?.name;
  return named === undefined ? null : { reason: 'excluded', detail: named };
}

function excludedByMeaning(
  { excluded, excludedCategories, topic }: MatchQuery,
  vector: Float32Array,
  { excludedNearness }: Calibration,
): Refusal | null {
  const named =
    excluded.find((each) => each.vector !== null && dot(each.vector, vector) >= excludedNearness)
      ?.name ?? excludedCategories.find(({ id }) => id === topic?.category)?.name;
  return named === undefined ? null : { reason: 'excluded', detail: named };
}

function weightedTerms(spoken: readonly string[]): WeightedTerm[] {
  const weights = new Map<string, number>();
  spoken.forEach((text, at) => {
    const read = text.slice(0, longestRead);
    const share = at === 0 ? 1 : previousShare;
    for (const term of termsOf(read)) weights.set(term, Math.max(weights.get(term) ?? 0, share));
    // A model number says exactly what is meant.
    for (const identifier of identifiersIn(read)) weights.set(identifier, 2 * share);
  });
  return [...weights].slice(0, mostTerms).map(([term, weight]) => ({ term, weight }));
}
