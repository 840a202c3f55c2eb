import { createMatchIndex, type MatchIndex } from '../../../domain/matching/match-index.js';
import type { MatchDocument } from '../../../domain/matching/match-document.js';
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
import { OfferMeanings } from './offer-meanings.js';
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

/**
 * Conversations kept with what was read and matched: the same one is asked about again by each
 * placement, retry and reload.
 */
const keptConversations = 1000;
const longestKept = 8000;

export interface AdMatcherOptions {
  reader: Reader;
  lists: MatchingLists;
  embedStored: EmbedStored;
  log: Log;
}

export function createAdMatcher(options: AdMatcherOptions): AdMatcher {
  return new ReadingMatcher(options);
}

class ReadingMatcher implements AdMatcher {
  readonly calibration: Calibration;
  private readonly reader: Reader;
  private readonly lists: MatchingLists;
  private readonly log: Log;
  private readonly index: MatchIndex;
  private readonly offers: OfferMeanings;
  private readonly meaningsOf: ReturnType<typeof createExcludedTopics>;
  private topics: TopicMap | null = null;
  private kept = createBoundedCache<string, MatchQuery>(keptConversations);
  private readonly matched = new WeakMap<
    MatchQuery,
    { version: number; limit: number; matches: Match[] }
  >();
  private readonly starting: Promise<void>;
  private toldAt = -Infinity;

  constructor(options: AdMatcherOptions) {
    const { reader, lists, embedStored, log } = options;
    this.reader = reader;
    this.lists = lists;
    this.log = log;
    this.calibration = reader.calibration;
    this.index = createMatchIndex(lists.everyday);
    this.offers = new OfferMeanings({ index: this.index, lists, embedStored, log });
    this.meaningsOf = createExcludedTopics({
      read: async (name) => (await this.readingOf(alone(name))).vector,
    });
    this.starting = this.start(embedStored);
    this.starting.catch((error: unknown) => log.warn(errorFields(error), 'matching stays lexical'));
  }

  private async start(embedStored: EmbedStored): Promise<void> {
    await this.reader.ready;
    const names = this.lists.topics.map(({ name }) => name);
    const vectors = await loadVectors(this.reader, embedStored, names, builtTopicVectors);
    if (vectors === null) return;
    this.topics = createTopicMap(this.lists.topics, vectors);
    // What was read by words alone is now read by meaning.
    this.kept = createBoundedCache(keptConversations);
    this.offers.start(this.topics);
  }

  get mode(): AdMatcher['mode'] {
    return this.topics === null ? 'lexical' : 'semantic';
  }

  get version(): string {
    return this.topics === null ? 'words' : (this.reader.modelId ?? 'words');
  }

  async settled(): Promise<void> {
    await this.starting.catch(() => undefined);
    await this.offers.settled();
  }

  set(slot: number, document: MatchDocument): void {
    this.offers.set(slot, document);
  }

  remove(slot: number): void {
    this.offers.remove(slot);
  }

  isForAdults(slot: number): boolean {
    return this.offers.isForAdults(slot);
  }

  match(query: MatchQuery, limit: number): Match[] {
    const { index, calibration } = this;
    const known = this.matched.get(query);
    if (known?.version === index.version && known.limit === limit) return known.matches;
    const matches = match(index, query, { limit, calibration });
    this.matched.set(query, { version: index.version, limit, matches });
    return matches;
  }

  async read(
    messages: readonly ConversationMessage[],
    excludedTopics: readonly string[],
    caller = '',
  ): Promise<MatchQuery> {
    const { lists, topics: map } = this;
    const turns = turnsOf(messages);
    const before = turns === null ? null : earlierOf(messages);
    const key = nameOf(turns, before, excludedTopics);
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const prepared = prepareQuery(turns, lists, splitExcluded(excludedTopics, lists.categories));
    const isWhole = map === null || prepared.refusal !== null || prepared.foreign || turns === null;
    const query = isWhole ? prepared : await this.readAfresh(prepared, turns, before, map, caller);
    // What was matched by words for want of a model is not kept: the next reading may be whole.
    const wasRead =
      isWhole || (query !== prepared && query.excluded.every(({ vector }) => vector !== null));
    if (wasRead && map === this.topics && key.length <= longestKept) this.kept.set(key, query);
    return query;
  }

  private async readAfresh(
    query: MatchQuery,
    turns: Turns,
    before: Turns | null,
    map: TopicMap,
    caller: string,
  ): Promise<MatchQuery> {
    try {
      const [reading, excluded] = await Promise.all([
        this.readingOf(turns),
        this.meaningsOf(
          query.excluded.map(({ name }) => name),
          caller,
        ),
      ]);
      const earlier =
        before !== null && this.mattersBefore(reading) ? await this.readingOf(before) : null;
      const topic = map.nearest(reading.vector);
      return addReading(query, { reading, earlier, topic, excluded }, this.calibration);
    } catch (error) {
      this.tellUnread(error);
      return query;
    }
  }

  /** The turn before was read when it was the newest; if not, it is only where it decides. */
  private mattersBefore({ need, never }: Reading): boolean {
    const { carriedNeedAtLeast, neverAtMost } = this.calibration;
    return need >= carriedNeedAtLeast && never < neverAtMost;
  }

  /** What is known costs no turn of the event loop. */
  private async readingOf(turns: Turns): Promise<Reading> {
    return this.reader.peek(turns) ?? this.reader.read(turns);
  }

  /** Where one cannot be read, hundreds cannot: the log hears of the first of each second. */
  private tellUnread(error: unknown): void {
    const now = performance.now();
    if (now - this.toldAt < 1000) return;
    this.toldAt = now;
    this.log.warn(errorFields(error), 'conversation matched by words');
  }
}

/**
 * Everything that is read of a conversation depends on these texts alone. How long the first is says
 * where the second begins, and so on: no two conversations have one name.
 */
function nameOf(
  turns: Turns | null,
  before: Turns | null,
  excludedTopics: readonly string[],
): string {
  const now = turns === null ? '' : joinTurns(turns);
  const then = before === null ? '' : joinTurns(before);
  const excluded = excludedTopics.length === 0 ? '' : JSON.stringify(excludedTopics);
  return `${now.length} ${then.length} ${now}${then}${excluded}`;
}

function alone(newest: string): Turns {
  return { newest, previous: null, assistant: null };
}

function earlierOf(messages: readonly ConversationMessage[]): Turns | null {
  const before = earlierMessages(messages);
  return before === null ? null : turnsOf(before);
}
