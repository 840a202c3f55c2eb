import { identifiersIn, tokenize } from '../text/tokenize.js';
import { termsOf } from '../text/terms.js';
import { asksToKnow } from './asks-to-know.js';
import { commercialNeed } from './commercial-need.js';
import { shorten, userTexts } from './conversation.js';
import type { ConversationMessage } from './conversation.js';
import { excludedTopicNamed, sensitiveTopic } from './sensitive-topics.js';
import type { WeightedTerm } from './term-index.js';
import type { Placement, TopicSpace } from './topic-space.js';
import { addScaled, normalise } from './vectors.js';

export type NoAdReason = 'empty' | 'small_talk' | 'command' | 'sensitive_topic' | 'excluded_topic';

/** A conversation read for its words: everything that can be known without a model. */
export type PreparedQuery = {
  /** Why there will be no ad, or null to go on. */
  refusal: { reason: NoAdReason; topic: string | null } | null;
  terms: readonly WeightedTerm[];
  /** What people said lately, folded and in order, one entry a message: for brands and phrases. */
  said: readonly (readonly string[])[];
  /**
   * Texts to embed, newest first, with how much each counts. Earlier ones were embedded with the
   * turn before and are cached.
   */
  texts: readonly { text: string; weight: number }[];
  /** Topics the publisher wants no ad about: their words, and their meaning once it is read. */
  excluded: readonly { terms: readonly string[]; vector: Float32Array | null }[];
  /** The newest has the form of a question of knowledge. */
  asksToKnow: boolean;
};

/** The same once the model has read it. `placement` is null while there is no model. */
export type MatchQuery = PreparedQuery & { placement: Placement | null };

/** How much the newest message counts, and the ones before it. */
const decay = [1, 0.35, 0.12];
/** How many of the newest messages of a person are read at all. */
export const textsRead = decay.length + 1;
const mostTerms = 48;

export function prepareQuery(
  messages: readonly ConversationMessage[],
  excludedTopics: readonly string[] = [],
): PreparedQuery {
  const need = commercialNeed(messages);
  const recent = userTexts(messages, textsRead);
  // "Yes please" says nothing itself: the message before it counts as the newest.
  const spoken = (need === 'continues' ? recent.slice(1) : recent).slice(0, decay.length);
  const query = {
    terms: weightedTerms(spoken),
    said: spoken.map((text) => tokenize(shorten(text))),
    texts: spoken.map((text, at) => ({ text: shorten(text), weight: decay[at]! })),
    excluded: excludedTopics.map((topic) => ({ terms: termsOf(topic), vector: null })),
    asksToKnow: asksToKnow(shorten(spoken[0] ?? '')),
  };
  const sensitive = sensitiveTopic(messages);
  if (sensitive !== null)
    return { refusal: { reason: 'sensitive_topic', topic: sensitive }, ...query };
  const excluded = excludedTopicNamed(messages, excludedTopics);
  if (excluded !== null)
    return { refusal: { reason: 'excluded_topic', topic: excluded }, ...query };
  if (need === 'open') return { refusal: null, ...query };
  if (need !== 'continues') return { refusal: { reason: need, topic: null }, ...query };
  const before = commercialNeed([{ role: 'user', content: spoken[0] ?? '' }]);
  return {
    refusal:
      before === 'open'
        ? null
        : { reason: before === 'continues' ? 'small_talk' : before, topic: null },
    ...query,
  };
}

function weightedTerms(spoken: readonly string[]): WeightedTerm[] {
  const weights = new Map<string, number>();
  spoken.forEach((text, at) => {
    const short = shorten(text);
    for (const term of termsOf(short))
      weights.set(term, Math.max(weights.get(term) ?? 0, decay[at]!));
    // A model number says exactly what is meant.
    for (const identifier of identifiersIn(short)) weights.set(identifier, 2 * decay[at]!);
  });
  return [...weights].slice(0, mostTerms).map(([term, weight]) => ({ term, weight }));
}

/**
 * Below this share the talk is not about anything to sell; above the other, it is too near to
 * something no ad may stand beside.
 */
const leastNeed = 0.35;
const mostSensitive = 0.33;
/**
 * A message this near to the name of a topic is taken to be about it: whoever excludes a topic
 * prefers one ad too few.
 */
const excludedNearness = 0.3;

/**
 * Adds what the model read: `vectors` belong to `query.texts`, `excluded` to the excluded topics.
 * May refuse where the words alone did not.
 */
export function readMeaning(
  prepared: PreparedQuery,
  vectors: readonly Float32Array[],
  space: TopicSpace,
  excluded: readonly { topic: string; vector: Float32Array }[] = [],
): MatchQuery {
  const query =
    excluded.length === 0
      ? prepared
      : {
          ...prepared,
          excluded: excluded.map(({ topic, vector }) => ({
            terms: termsOf(topic),
            vector: space.adapt(vector),
          })),
        };
  const newest = vectors[0];
  if (newest === undefined || query.refusal !== null) return { ...query, placement: null };
  const pooled = newest.slice();
  vectors.forEach((vector, at) => {
    if (at > 0) addScaled(pooled, vector, query.texts[at]?.weight ?? 0);
  });
  const alone = space.place(newest);
  const placement = vectors.length === 1 ? alone : space.place(normalise(pooled));
  for (const { topic, vector } of excluded) {
    if (alone.nearnessTo(vector) >= excludedNearness)
      return { ...query, placement, refusal: { reason: 'excluded_topic', topic } };
  }
  if (Math.max(alone.sensitive, placement.sensitive) >= mostSensitive) {
    return {
      ...query,
      placement,
      refusal: {
        reason: 'sensitive_topic',
        topic: (alone.sensitive >= placement.sensitive ? alone : placement).topic.id,
      },
    };
  }
  if (alone.need < leastNeed && placement.need < leastNeed)
    return { ...query, placement, refusal: { reason: 'small_talk', topic: alone.topic.id } };
  return { ...query, placement };
}
