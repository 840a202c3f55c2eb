import { createMatchIndex } from '../../domain/matching/match-index.js';
import {
  documentTexts,
  documentVector,
  type MatchDocument,
  negativePhrases,
} from '../../domain/matching/match-document.js';
import { match, type Match } from '../../domain/matching/match.js';
import {
  type MatchQuery,
  type PreparedQuery,
  prepareQuery,
  readMeaning,
  textsRead,
} from '../../domain/matching/prepare-query.js';
import { createTopicSpace, type TopicSpace } from '../../domain/matching/topic-space.js';
import { type ConversationMessage, userTexts } from '../../domain/matching/conversation.js';
import { createBoundedCache } from '../../platform/bounded-cache.js';
import type { Embedder } from '../../platform/embedding/embedder.js';
import { loadTopicVectors, matchingVersion } from '../../platform/embedding/topic-vectors.js';
import { errorFields, type Log } from '../../platform/log.js';
import type { Offer } from './inventory.js';
import type { EmbedStored } from '../../platform/embedding/stored-embeddings.js';

/**
 * Finds the offers that fit a conversation: by meaning once the model is there, by words until
 * then.
 */
export interface AdMatcher {
  set(slot: number, offer: Offer): void;
  remove(slot: number): void;
  read(
    messages: readonly ConversationMessage[],
    excludedTopics: readonly string[],
  ): Promise<MatchQuery>;
  match(query: MatchQuery, limit: number): Match[];
  /** `semantic` once topics are placed; offers not yet embedded match by words. */
  readonly mode: 'semantic' | 'lexical';
  /** The model and catalogue that conversations are read with now. */
  readonly version: string;
  /** Settles when everything set so far is embedded, or will not be. */
  settled(): Promise<void>;
}

const embedBatch = 16;
/**
 * Conversations kept with what was read and matched: the same one is asked about again by each
 * placement, retry and reload.
 */
const keptConversations = 1000;
const longestKept = 8000;

export function createAdMatcher(options: {
  embedder: Embedder;
  embedStored: EmbedStored;
  log: Log;
}): AdMatcher {
  const { embedder, embedStored, log } = options;
  const index = createMatchIndex();
  const documents = new Map<number, MatchDocument>();
  const waiting = new Set<number>();
  /** Waiting too, but still matched by what they meant before: their turn comes first. */
  const edited = new Set<number>();
  let kept = createBoundedCache<string, MatchQuery>(keptConversations);
  const matched = new WeakMap<MatchQuery, { version: number; limit: number; matches: Match[] }>();
  let space: TopicSpace | null = null;
  let version = matchingVersion(null);
  let working: Promise<void> | null = null;
  let toldAt = -Infinity;

  const starting = embedder.ready.then(async () => {
    if (embedder.status !== 'ready') return;
    space = createTopicSpace(await loadTopicVectors(embedder, embedStored));
    version = matchingVersion(embedder.modelId);
    // What was read by words alone is now read by meaning.
    kept = createBoundedCache(keptConversations);
    work();
  });
  starting.catch((error: unknown) => log.warn(errorFields(error), 'matching stays lexical'));

  function work(): void {
    if (space === null || working !== null || waiting.size + edited.size === 0) return;
    working = embedWaiting(space)
      .catch((error: unknown) => log.warn(errorFields(error), 'offers not embedded'))
      .finally(() => {
        working = null;
        work();
      });
  }

  async function embedWaiting(topics: TopicSpace): Promise<void> {
    const slots = takeWaiting();
    const jobs = slots.flatMap((slot) => {
      const document = documents.get(slot);
      return document === undefined
        ? []
        : [
            {
              slot,
              document,
              texts: documentTexts(document),
              negatives: negativePhrases(document.negativeContext),
            },
          ];
    });
    const vectors = await embedStored(
      jobs.flatMap((job) => [...job.texts, ...job.negatives]),
    ).catch((error: unknown) => {
      // A meaning that is no longer what the text says is worse than none.
      for (const { slot, document } of jobs)
        if (documents.get(slot) === document)
          index.upsert(slot, document, { meaning: null, negatives: [] });
      throw error;
    });
    let at = 0;
    for (const { slot, document, texts, negatives } of jobs) {
      const own = vectors.slice(at, at + texts.length);
      const against = vectors.slice(at + texts.length, at + texts.length + negatives.length);
      at += texts.length + negatives.length;
      // Edited meanwhile: the newer text waits for its own turn.
      if (documents.get(slot) === document)
        index.upsert(slot, document, {
          meaning: documentVector(own, topics),
          ...(own[0] !== undefined && { whole: own[0] }),
          negatives: against,
        });
    }
  }

  function takeWaiting(): number[] {
    const slots: number[] = [];
    for (const line of [edited, waiting]) {
      for (const slot of line) {
        if (slots.length === embedBatch) return slots;
        line.delete(slot);
        slots.push(slot);
      }
    }
    return slots;
  }

  async function read(
    messages: readonly ConversationMessage[],
    excludedTopics: readonly string[],
  ): Promise<MatchQuery> {
    const topics = space;
    // Everything that is read of a conversation depends on these texts alone.
    const key = JSON.stringify([userTexts(messages, textsRead), excludedTopics]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const prepared = prepareQuery(messages, excludedTopics);
    const query =
      topics === null
        ? { ...prepared, placement: null }
        : await readAfresh(prepared, excludedTopics, topics);
    const isComplete = query.refusal !== null || (query.placement === null) === (topics === null);
    if (isComplete && topics === space && key.length <= longestKept) kept.set(key, query);
    return query;
  }

  async function readAfresh(
    query: PreparedQuery,
    excludedTopics: readonly string[],
    topics: TopicSpace,
  ): Promise<MatchQuery> {
    if (query.refusal !== null) return { ...query, placement: null };
    try {
      const texts = query.texts.map(({ text }) => text);
      const vectors = await vectorsOf([...texts, ...excludedTopics]);
      const excluded = excludedTopics.map((topic, at) => ({
        topic,
        vector: vectors[texts.length + at] ?? new Float32Array(),
      }));
      return readMeaning(query, vectors.slice(0, texts.length), topics, excluded);
    } catch (error) {
      tellUnread(error);
      return { ...query, placement: null };
    }
  }

  /** Where one cannot be read, hundreds cannot: the log hears of the first of each second. */
  function tellUnread(error: unknown): void {
    const now = performance.now();
    if (now - toldAt < 1000) return;
    toldAt = now;
    log.warn(errorFields(error), 'conversation matched by words');
  }

  /** What is cached costs no turn of the event loop. */
  async function vectorsOf(texts: readonly string[]): Promise<Float32Array[]> {
    const cached = texts.map((text) => embedder.peek(text));
    if (cached.every((vector) => vector !== undefined)) return cached;
    return embedder.embed(texts, { priority: 'conversation' });
  }

  return {
    set(slot, offer) {
      const document: MatchDocument = offer.text;
      const isEdit = documents.has(slot);
      documents.set(slot, document);
      index.upsert(slot, document, null);
      waiting.delete(slot);
      (isEdit ? edited : waiting).add(slot);
      work();
    },
    remove(slot) {
      documents.delete(slot);
      waiting.delete(slot);
      edited.delete(slot);
      index.remove(slot);
    },
    read,
    match(query, limit) {
      const known = matched.get(query);
      if (known?.version === index.version && known.limit === limit) return known.matches;
      const matches = match(index, query, { limit });
      matched.set(query, { version: index.version, limit, matches });
      return matches;
    },
    get mode() {
      return space === null ? 'lexical' : 'semantic';
    },
    get version() {
      return version;
    },
    async settled() {
      await starting.catch(() => undefined);
      while (working !== null) await working;
    },
  };
}
