import { createMatchIndex } from '../../../domain/matching/match-index.js';
import {
  documentText,
  type MatchDocument,
  negativePhrases,
} from '../../../domain/matching/match-document.js';
import { match, type Match } from '../../../domain/matching/match.js';
import { addReading, type MatchQuery, prepareQuery } from '../../../domain/matching/match-query.js';
import type { Calibration } from '../../../domain/reading/calibration.js';
import type { Reading } from '../../../domain/reading/reading.js';
import { createTopicMap, splitExcluded, type TopicMap } from '../../../domain/reading/topics.js';
import {
  type ConversationMessage,
  earlierMessages,
  joinTurns,
  type Turns,
  turnsOf,
} from '../../../domain/reading/turns.js';
import { createExcludedTopics } from './excluded-topics.js';
import { createBoundedCache } from '../../../platform/bounded-cache.js';
import { builtTopicVectors, loadVectors } from '../../../platform/catalog-folder/load-vectors.js';
import type { MatchingLists } from '../../../platform/catalog-folder/read-matching-lists.js';
import type { Reader } from '../../../platform/embedding/create-reader.js';
import { errorFields, type Log } from '../../../platform/log.js';
import type { EmbedStored } from '../../../platform/embedding/stored-embeddings.js';

/**
 * Finds the offers that fit a conversation: by meaning once the model is there, by words until
 * then.
 */
export interface AdMatcher {
  set(slot: number, document: MatchDocument): void;
  remove(slot: number): void;
  /** `caller`: who pays for topics nobody has excluded before. */
  read(
    messages: readonly ConversationMessage[],
    excludedTopics: readonly string[],
    caller?: string,
  ): Promise<MatchQuery>;
  match(query: MatchQuery, limit: number): Match[];
  /** Whether nobody under age may be shown the offer. */
  isForAdults(slot: number): boolean;
  /** `semantic` once topics are placed; offers not yet embedded match by words. */
  readonly mode: 'semantic' | 'lexical';
  /** The model that conversations are read with now. */
  readonly version: string;
  readonly calibration: Calibration;
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
  reader: Reader;
  lists: MatchingLists;
  embedStored: EmbedStored;
  log: Log;
}): AdMatcher {
  const { reader, lists, embedStored, log } = options;
  const { calibration } = reader;
  const index = createMatchIndex(lists.everyday);
  const documents = new Map<number, MatchDocument>();
  const adults = new Set<number>();
  const waiting = new Set<number>();
  /** Waiting too, but still matched by what they meant before: their turn comes first. */
  const edited = new Set<number>();
  let kept = createBoundedCache<string, MatchQuery>(keptConversations);
  const matched = new WeakMap<MatchQuery, { version: number; limit: number; matches: Match[] }>();
  const meaningsOf = createExcludedTopics({
    read: async (name) => (await readingOf(alone(name))).vector,
  });
  let topics: TopicMap | null = null;
  let working: Promise<void> | null = null;
  let toldAt = -Infinity;

  const starting = reader.ready.then(async () => {
    const names = lists.topics.map(({ name }) => name);
    const vectors = await loadVectors(reader, embedStored, names, builtTopicVectors);
    if (vectors === null) return;
    topics = createTopicMap(lists.topics, vectors);
    // What was read by words alone is now read by meaning.
    kept = createBoundedCache(keptConversations);
    work();
  });
  starting.catch((error: unknown) => log.warn(errorFields(error), 'matching stays lexical'));

  function work(): void {
    if (topics === null || working !== null || waiting.size + edited.size === 0) return;
    working = embedWaiting(topics)
      .catch((error: unknown) => log.warn(errorFields(error), 'offers not embedded'))
      .finally(() => {
        working = null;
        work();
      });
  }

  async function embedWaiting(map: TopicMap): Promise<void> {
    const jobs = takeWaiting().flatMap((slot) => {
      const document = documents.get(slot);
      return document === undefined
        ? []
        : [
            {
              slot,
              document,
              texts: [documentText(document), ...negativePhrases(document.negativeContext)],
            },
          ];
    });
    const vectors = await embedStored(jobs.flatMap(({ texts }) => texts)).catch(
      (error: unknown) => {
        // A meaning that is no longer what the text says is worse than none.
        for (const { slot, document } of jobs)
          if (documents.get(slot) === document)
            index.upsert(slot, document, { meaning: null, negatives: [] });
        throw error;
      },
    );
    let at = 0;
    for (const { slot, document, texts } of jobs) {
      const [meaning, ...negatives] = vectors.slice(at, at + texts.length);
      at += texts.length;
      // Edited meanwhile: the newer text waits for its own turn.
      if (documents.get(slot) !== document || meaning === undefined) continue;
      const topic = map.nearest(meaning)?.topic;
      index.upsert(slot, document, { meaning, negatives, category: topic?.category ?? null });
      if (topic?.adults_only === true) adults.add(slot);
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
    caller = '',
  ): Promise<MatchQuery> {
    const map = topics;
    const turns = turnsOf(messages);
    const before = turns === null ? null : earlierOf(messages);
    // Everything that is read of a conversation depends on these texts alone.
    const key = JSON.stringify([
      turns === null ? '' : joinTurns(turns),
      before === null ? '' : joinTurns(before),
      excludedTopics,
    ]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const prepared = prepareQuery(turns, lists, splitExcluded(excludedTopics, lists.categories));
    const isWhole = map === null || prepared.refusal !== null || prepared.foreign || turns === null;
    const query = isWhole ? prepared : await readAfresh(prepared, turns, before, map, caller);
    // What was matched by words for want of a model is not kept: the next reading may be whole.
    const wasRead =
      isWhole || (query !== prepared && query.excluded.every(({ vector }) => vector !== null));
    if (wasRead && map === topics && key.length <= longestKept) kept.set(key, query);
    return query;
  }

  async function readAfresh(
    query: MatchQuery,
    turns: Turns,
    before: Turns | null,
    map: TopicMap,
    caller: string,
  ): Promise<MatchQuery> {
    try {
      const [reading, excluded] = await Promise.all([
        readingOf(turns),
        meaningsOf(
          query.excluded.map(({ name }) => name),
          caller,
        ),
      ]);
      const earlier =
        before !== null && mattersBefore(reading.need) ? (await readingOf(before)).need : null;
      const topic = map.nearest(reading.vector);
      return addReading(query, { reading, earlier, topic, excluded }, calibration);
    } catch (error) {
      tellUnread(error);
      return query;
    }
  }

  /** The turn before was read when it was the newest; if not, it is only where it decides. */
  function mattersBefore(need: number): boolean {
    return need < calibration.needAtLeast && need >= calibration.carriedNeedAtLeast;
  }

  /** What is known costs no turn of the event loop. */
  async function readingOf(turns: Turns): Promise<Reading> {
    return reader.peek(turns) ?? reader.read(turns);
  }

  /** Where one cannot be read, hundreds cannot: the log hears of the first of each second. */
  function tellUnread(error: unknown): void {
    const now = performance.now();
    if (now - toldAt < 1000) return;
    toldAt = now;
    log.warn(errorFields(error), 'conversation matched by words');
  }

  return {
    calibration,
    set(slot, document) {
      const isEdit = documents.has(slot);
      documents.set(slot, document);
      index.upsert(slot, document, null);
      const { context, adText, brand } = document;
      if (lists.adultsOnly(`${brand} ${context} ${adText}`) === null) adults.delete(slot);
      else adults.add(slot);
      waiting.delete(slot);
      (isEdit ? edited : waiting).add(slot);
      work();
    },
    remove(slot) {
      documents.delete(slot);
      adults.delete(slot);
      waiting.delete(slot);
      edited.delete(slot);
      index.remove(slot);
    },
    isForAdults: (slot) => adults.has(slot),
    read,
    match(query, limit) {
      const known = matched.get(query);
      if (known?.version === index.version && known.limit === limit) return known.matches;
      const matches = match(index, query, { limit, calibration });
      matched.set(query, { version: index.version, limit, matches });
      return matches;
    },
    get mode() {
      return topics === null ? 'lexical' : 'semantic';
    },
    get version() {
      return topics === null ? 'words' : (reader.modelId ?? 'words');
    },
    async settled() {
      await starting.catch(() => undefined);
      while (working !== null) await working;
    },
  };
}

function alone(newest: string): Turns {
  return { newest, previous: null, assistant: null };
}

function earlierOf(messages: readonly ConversationMessage[]): Turns | null {
  const before = earlierMessages(messages);
  return before === null ? null : turnsOf(before);
}
