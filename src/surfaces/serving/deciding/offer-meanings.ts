import {
  documentText,
  type MatchDocument,
  negativePhrases,
} from '../../../domain/matching/match-document.js';
import type { MatchIndex } from '../../../domain/matching/match-index.js';
import type { TopicMap } from '../../../domain/reading/topics.js';
import type { MatchingLists } from '../../../platform/catalog-folder/read-matching-lists.js';
import type { EmbedStored } from '../../../platform/embedding/stored-embeddings.js';
import { errorFields, type Log } from '../../../platform/log.js';

const embedBatch = 16;

interface Job {
  readonly slot: number;
  readonly document: MatchDocument;
  readonly texts: string[];
}

/**
 * Puts offers into the index by their words at once, and by their meaning as soon as the model has
 * read them.
 */
export class OfferMeanings {
  private readonly index: MatchIndex;
  private readonly lists: Pick<MatchingLists, 'adultsOnly'>;
  private readonly embedStored: EmbedStored;
  private readonly log: Log;
  private readonly documents = new Map<number, MatchDocument>();
  private readonly adults = new Set<number>();
  private readonly waiting = new Set<number>();
  /** Waiting too, but still matched by what they meant before: their turn comes first. */
  private readonly edited = new Set<number>();
  private topics: TopicMap | null = null;
  private working: Promise<void> | null = null;

  constructor(options: {
    index: MatchIndex;
    lists: Pick<MatchingLists, 'adultsOnly'>;
    embedStored: EmbedStored;
    log: Log;
  }) {
    this.index = options.index;
    this.lists = options.lists;
    this.embedStored = options.embedStored;
    this.log = options.log;
  }

  /** The model is there. */
  start(topics: TopicMap): void {
    this.topics = topics;
    this.work();
  }

  set(slot: number, document: MatchDocument): void {
    const isEdit = this.documents.has(slot);
    this.documents.set(slot, document);
    this.index.upsert(slot, document, null);
    const { context, adText, brand } = document;
    if (this.lists.adultsOnly(`${brand} ${context} ${adText}`) === null) this.adults.delete(slot);
    else this.adults.add(slot);
    this.waiting.delete(slot);
    (isEdit ? this.edited : this.waiting).add(slot);
    this.work();
  }

  remove(slot: number): void {
    this.documents.delete(slot);
    this.adults.delete(slot);
    this.waiting.delete(slot);
    this.edited.delete(slot);
    this.index.remove(slot);
  }

  isForAdults(slot: number): boolean {
    return this.adults.has(slot);
  }

  async settled(): Promise<void> {
    while (this.working !== null) await this.working;
  }

  private work(): void {
    const count = this.waiting.size + this.edited.size;
    if (this.topics === null || this.working !== null || count === 0) return;
    this.working = this.embedWaiting(this.topics)
      .catch((error: unknown) => this.log.warn(errorFields(error), 'offers not embedded'))
      .finally(() => {
        this.working = null;
        this.work();
      });
  }

  private async embedWaiting(map: TopicMap): Promise<void> {
    const jobs = this.takeWaiting();
    const vectors = await this.embedStored(jobs.flatMap(({ texts }) => texts)).catch(
      (error: unknown) => {
        this.forgetMeanings(jobs);
        throw error;
      },
    );
    let at = 0;
    for (const { slot, document, texts } of jobs) {
      const [meaning, ...negatives] = vectors.slice(at, at + texts.length);
      at += texts.length;
      // Edited meanwhile: the newer text waits for its own turn.
      if (this.documents.get(slot) !== document || meaning === undefined) continue;
      const topic = map.nearest(meaning)?.topic;
      this.index.upsert(slot, document, { meaning, negatives, category: topic?.category ?? null });
      if (topic?.adults_only === true) this.adults.add(slot);
    }
  }

  /** A meaning that is no longer what the text says is worse than none. */
  private forgetMeanings(jobs: readonly Job[]): void {
    for (const { slot, document } of jobs)
      if (this.documents.get(slot) === document)
        this.index.upsert(slot, document, { meaning: null, negatives: [] });
  }

  private takeWaiting(): Job[] {
    return this.takeSlots().flatMap((slot) => {
      const document = this.documents.get(slot);
      if (document === undefined) return [];
      const texts = [documentText(document), ...negativePhrases(document.negativeContext)];
      return [{ slot, document, texts }];
    });
  }

  private takeSlots(): number[] {
    const slots: number[] = [];
    for (const line of [this.edited, this.waiting]) {
      for (const slot of line) {
        if (slots.length === embedBatch) return slots;
        line.delete(slot);
        slots.push(slot);
      }
    }
    return slots;
  }
}
