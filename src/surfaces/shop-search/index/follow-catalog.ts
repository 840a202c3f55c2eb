import { existsSync, rmSync } from 'node:fs';
import { type CatalogNews, channels, hear } from '../../../platform/channels.js';
import type { ProductSearch } from '../../../domain/search/product-search.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/db/db.js';
import { AppError } from '../../../platform/errors.js';
import { errorFields, type Log } from '../../../platform/log.js';
import {
  type FoundFirst,
  type IndexThread,
  IndexThreadLost,
  startIndexThread,
} from './index-thread.js';
import type { IndexChange } from './index-worker.js';
import { CurrentRows } from '../rows/current-rows.js';
import { deferred, SearchesFirst, within } from './searches-first.js';
import { documentOf } from './listing-document.js';
import { type KnownMerchants, knownMerchants } from './known-merchants.js';
import {
  estimateProducts,
  loadBatch,
  listUpdatedSince,
  loadPage,
  loadProducts,
  type ProductRow,
} from '../queries.js';

/**
 * The product index of this node, following imports of every node: by notification at once, by a
 * sweep should one be lost.
 */
export interface LiveCatalog {
  /** In what is indexed by now; `settled` says when that is all there is. */
  search(request: ProductSearch): Promise<FoundFirst>;
  readonly merchant: KnownMerchants['get'];
  readonly commissionMicros: KnownMerchants['commissionMicros'];
  readonly rates: KnownMerchants['rates'];
  /** Listings as the database has them now, by id. */
  rows(ids: readonly string[]): Promise<Map<string, ProductRow>>;
  /**
   * Begins the first build; the first search does too. Later than the app itself, so that a large
   * shop delays nothing else.
   */
  start(): void;
  /**
   * Resolves when the first build is done and the few changes just announced are in. Nobody waits
   * for a large shop or a large import: searches answer from what is indexed.
   */
  settled(): Promise<void>;
  progress(): { indexed: number; of: number; ready: boolean };
  /** False while listings cannot be found because the index is still being built. */
  isWhole(): boolean;
  close(): Promise<void>;
}

/** A search reads its listings between two pages: what it waits for is one of them. */
const pageSize = 25;
/** Names alone: after an import nearly all of them are in the index already. */
const sweepSize = 500;
/**
 * After this many the thread is not started again: something is wrong that a restart will not mend.
 */
const mostLosses = 5;
const coalesceMs = 20;
/** More than this is an import, and nobody waits for its end. */
const fewBatches = 16;
/** A shop of this size is built in a moment, and a first search can wait for it. */
const smallShop = 5000;
/** So much of a larger one is enough to answer from. */
const usablePages = 80;
const sweepMs = 30_000;
/** Pauses before a build that failed is tried again: a database that is away comes back. */
const firstRetryMs = 1000;
const longestRetryMs = 60_000;
/** Longer than any transaction that writes products, so that a sweep cannot miss a late commit. */
const overlapMs = 120_000;

export interface CatalogDeps {
  db: Database;
  clock: Clock;
  log: Log;
  /** How long a search waits for products announced just before it. */
  importWaitMs: number;
  /** Where a large index is kept for the next start, and how large that is. */
  kept?: { path: string; from?: number };
  /** How much memory rows may take that are kept to be shown. */
  rowBytes?: number;
  startThread?: typeof startIndexThread;
}

export async function followCatalog(deps: CatalogDeps): Promise<LiveCatalog> {
  const catalog = new FollowedCatalog(deps);
  await catalog.listen();
  return catalog;
}

class FollowedCatalog implements LiveCatalog {
  readonly merchant: KnownMerchants['get'];
  readonly commissionMicros: KnownMerchants['commissionMicros'];
  readonly rates: KnownMerchants['rates'];
  private readonly deps: CatalogDeps;
  private readonly merchants: KnownMerchants;
  private readonly currentRows: CurrentRows;
  private isMerchantsStale = false;
  private readonly searches = new SearchesFirst();
  private thread: IndexThread | null = null;
  private losses = 0;
  /** Announced, not yet being read. */
  private batches = new Set<string>();
  /** Announced and not yet in the index: the last batch of an import, or all there is of it. */
  private readonly awaited = new Set<string>();
  /** Announced changes being read and indexed now. */
  private underWay = 0;
  /** Refreshes that were asked for and are not done, and the last one. */
  private refreshes = 0;
  private refreshed: Promise<void> = Promise.resolve();
  /** Batches that were indexed, and when: the sweep leaves them out. */
  private readonly heard = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;
  private sweptTo: number;
  /** How many products there are, as far as is known. */
  private expected = 0;
  /** Listings told of since the index was saved. */
  private unsaved = 0;
  /** Reads what was saved; begins before anybody is let in. */
  private loading: Promise<void> | null = null;
  private isBegun = false;
  private isReady = false;
  /** What was saved is all there was: nothing is missing while it is compared with the rows. */
  private isKept = false;
  private isClosed = false;
  private running: Promise<void> = Promise.resolve();
  /** The index is built, or enough of it to answer from. */
  private usable = deferred();
  /** It is known how large the shop is. */
  private measured = deferred();
  private stopListening = (): Promise<void> => Promise.resolve();
  private sweeping: NodeJS.Timeout | undefined;
  /** Builds that failed since the last one that did not. */
  private failures = 0;
  private retrying: NodeJS.Timeout | undefined;

  constructor(deps: CatalogDeps) {
    this.deps = deps;
    this.merchants = knownMerchants(deps.db);
    this.currentRows = new CurrentRows(deps.db, deps.rowBytes ?? 0);
    this.merchant = this.merchants.get;
    this.commissionMicros = this.merchants.commissionMicros;
    this.rates = this.merchants.rates;
    this.sweptTo = deps.clock();
  }

  // Not by `follow`: the build begins later, and searches count and hurry what is still gathered.
  async listen(): Promise<void> {
    this.stopListening = await hear(this.deps.db, channels.catalog, (news) => this.onNews(news));
    this.sweeping = setInterval(() => {
      if (this.isReady) void this.queue(() => this.sweep());
    }, sweepMs).unref();
    if (this.deps.kept !== undefined && existsSync(this.deps.kept.path)) this.openThread();
  }

  start(): void {
    if (this.isBegun) return;
    this.isBegun = true;
    void this.rebuild();
  }

  async search(request: ProductSearch): Promise<FoundFirst> {
    this.start();
    if (this.thread === null) throw new AppError('temporarily_unavailable');
    const found = await this.searches.first(this.thread.search(request)).catch(unlessLost);
    const facets = found.facets.catch(unlessLost);
    // Whoever asked may have failed before.
    facets.catch(() => undefined);
    return { ...found, facets };
  }

  rows(ids: readonly string[]): Promise<Map<string, ProductRow>> {
    return this.searches.first(this.currentRows.find(ids));
  }

  settled(): Promise<void> {
    const { importWaitMs } = this.deps;
    this.start();
    this.flush();
    if (!this.isReady) return within(this.waitForBuild(), 20 * importWaitMs);
    const pending = this.batches.size + this.underWay;
    if (pending > fewBatches) return Promise.resolve();
    // An import that goes on is not waited for.
    if (pending > 0 && this.awaited.size === 0) return Promise.resolve();
    // An empty shop is looked at again: its first import may have been announced a moment ago.
    if (this.size === 0) {
      void this.queue(() => this.sweep());
      return within(this.running, importWaitMs);
    }
    // Not for a sweep, nor until the index is saved: nobody was told of what they bring.
    return this.refreshes === 0 ? Promise.resolve() : within(this.refreshed, importWaitMs);
  }

  progress(): ReturnType<LiveCatalog['progress']> {
    const indexed = this.size;
    return { indexed, of: Math.max(this.expected, indexed), ready: this.isReady };
  }

  isWhole(): boolean {
    return this.isReady || this.isKept;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.sweeping);
    clearTimeout(this.retrying);
    if (this.timer !== null) clearTimeout(this.timer);
    await this.stopListening();
    await this.thread?.close();
    await this.running;
  }

  private get size(): number {
    return this.thread?.size ?? 0;
  }

  /** One after the other. */
  private queue(work: () => Promise<void>): Promise<void> {
    this.running = this.running
      .then(() => (this.isClosed ? undefined : work()))
      .catch((error: unknown) =>
        this.isClosed ? undefined : this.deps.log.warn(errorFields(error), 'catalog not refreshed'),
      );
    return this.running;
  }

  private onNews(news: CatalogNews | null): void {
    this.currentRows.onNews(news);
    // The first build will read it; what was missed is found by the sweep.
    if (!this.isBegun || news === null) return;
    if (news === 'merchants') this.isMerchantsStale = true;
    else {
      this.batches.add(news.batchId);
      if (!news.goesOn) this.awaited.add(news.batchId);
    }
    this.timer ??= setTimeout(() => this.flush(), coalesceMs);
  }

  private flush(): void {
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.refreshes += 1;
    this.refreshed = this.queue(() => this.refresh()).finally(() => (this.refreshes -= 1));
  }

  private loadMerchants(): Promise<void> {
    this.isMerchantsStale = false;
    return this.merchants.load();
  }

  private async take(rows: readonly ProductRow[]): Promise<void> {
    const { merchants } = this;
    if (rows.some((row) => merchants.get(row.merchantId) === undefined)) await this.loadMerchants();
    const now = this.deps.clock();
    this.unsaved += rows.length;
    await this.thread?.change(
      rows.map((row): IndexChange =>
        row.removed || !row.inStock || row.imageUrl === ''
          ? { remove: row.id }
          : { upsert: documentOf(row, merchants.get(row.merchantId)?.name ?? '', now) },
      ),
    );
  }

  private rebuild(): Promise<void> {
    this.isReady = false;
    this.usable = deferred();
    this.measured = deferred();
    if (this.thread === null) this.openThread();
    // It was read before anybody asked.
    if (this.size > 0) this.usable.resolve();
    return this.queue(() => this.tryBuild());
  }

  /** Until a build succeeds nobody waits for it: what is indexed answers and says so. */
  private async tryBuild(): Promise<void> {
    if (this.isReady) return;
    clearTimeout(this.retrying);
    const { thread } = this;
    try {
      await this.build();
      this.failures = 0;
    } catch (error) {
      this.usable.resolve();
      // For a thread that was lost there is another one, with a build of its own.
      const isLost = error instanceof IndexThreadLost || this.thread !== thread;
      if (!isLost && !this.isClosed) this.retryLater();
      throw error;
    }
  }

  private retryLater(): void {
    const pause = Math.min(longestRetryMs, firstRetryMs * 2 ** this.failures);
    this.failures += 1;
    this.retrying = setTimeout(() => void this.queue(() => this.tryBuild()), pause).unref();
  }

  private openThread(): void {
    const { startThread = startIndexThread, kept } = this.deps;
    const thread = startThread((error) => this.onLost(error));
    this.thread = thread;
    if (kept !== undefined) this.loading = this.loadKept(thread, kept.path);
  }

  /** Rows are read all the same: they say what changed, and what is gone. */
  private async loadKept(thread: IndexThread, path: string): Promise<void> {
    try {
      const reason = await thread.load(path);
      if (reason !== null) this.deps.log.info({ reason }, 'the kept product index is built anew');
      this.isKept = thread.size > 0;
      if (this.isKept) this.usable.resolve();
      this.practise();
    } catch (error) {
      if (!(error instanceof IndexThreadLost))
        this.deps.log.warn(errorFields(error), 'the kept product index is built anew');
    }
  }

  /** In a small one, searches are quick before their code is. */
  private practise(): void {
    if (this.size > smallShop) this.thread?.practise();
  }

  private async save(): Promise<void> {
    const { kept, log } = this.deps;
    if (kept === undefined || this.size <= (kept.from ?? smallShop)) return;
    this.unsaved = 0;
    try {
      await this.thread?.save(kept.path);
    } catch (error) {
      if (!(error instanceof IndexThreadLost))
        log.warn(errorFields(error), 'the product index is not kept');
    }
  }

  /** The rows are in the database: a new thread reads them again. */
  private onLost(error: Error): void {
    this.losses += 1;
    const { losses } = this;
    this.deps.log.error({ ...errorFields(error.cause), losses }, 'product index lost');
    this.thread = null;
    this.isKept = false;
    // What ended it may have been what it read.
    const { kept } = this.deps;
    if (kept !== undefined) rmSync(kept.path, { force: true });
    if (!this.isClosed && this.isBegun && losses <= mostLosses) void this.rebuild();
  }

  private async build(): Promise<void> {
    const { db, clock, log } = this.deps;
    this.isReady = false;
    // What was written before is read now; sweeps look from here on.
    this.sweptTo = clock();
    await this.loadMerchants();
    this.expected = await estimateProducts(db);
    this.measured.resolve();
    await this.loading;
    // Unlike an empty one, it knows what is no longer there.
    const isFilled = this.size > 0;
    await this.indexAll(isFilled);
    if (isFilled && !this.isClosed) await this.thread?.retain();
    this.isReady = true;
    this.expected = this.size;
    this.usable.resolve();
    if (this.size > 0) log.info({ products: this.size }, 'product index built');
    if (!isFilled) this.practise();
    await this.save();
  }

  private async indexAll(isFilled: boolean): Promise<void> {
    const { db, log } = this.deps;
    // A page is read while the one before is indexed.
    let indexed = Promise.resolve();
    let after = '';
    for (let page = 1; !this.isClosed; page++) {
      if (isFilled) await this.searches.standBack();
      const reading = this.readAhead(() => loadPage(db, after, pageSize));
      const [rows] = await Promise.all([reading, indexed]);
      indexed = this.take(rows);
      if (rows.length < pageSize) break;
      after = rows.at(-1)?.id ?? after;
      // Where there is more than was estimated, it was no small shop.
      const enough = this.expected > smallShop ? usablePages : smallShop / pageSize;
      if (page === enough) this.usable.resolve();
      if (page % 800 === 0)
        log.info({ indexed: this.size, of: this.expected }, 'building the product index');
    }
    await indexed;
  }

  /** Rows of a large shop are kept before anybody asks; of a small one, those that are shown. */
  private readAhead(load: () => Promise<ProductRow[]>): Promise<ProductRow[]> {
    return Math.max(this.expected, this.size) > smallShop ? this.currentRows.read(load) : load();
  }

  /** A small shop to the end, a large one for a moment. */
  private async waitForBuild(): Promise<void> {
    const { promise } = this.usable;
    await Promise.race([this.measured.promise, promise]);
    await (this.expected > smallShop ? within(promise, this.deps.importWaitMs) : promise);
  }

  private async refresh(): Promise<void> {
    const waiting = [...this.batches];
    this.underWay = waiting.length;
    this.batches = new Set();
    try {
      if (this.isMerchantsStale) await this.loadMerchants();
      for (const batch of waiting) {
        if (this.isClosed) return;
        await this.take(await this.readAhead(() => loadBatch(this.deps.db, batch)));
        this.heard.set(batch, this.deps.clock());
        this.awaited.delete(batch);
        this.underWay -= 1;
      }
    } finally {
      this.underWay = 0;
      for (const batch of waiting) this.awaited.delete(batch);
    }
  }

  /**
   * A page at a time in the queue, so that what is announced meanwhile gets its turn; batches heard
   * of already are left out.
   */
  private async sweep(): Promise<void> {
    const from = this.sweptTo - overlapMs;
    this.sweptTo = this.deps.clock();
    for (const [batch, at] of this.heard) if (at < from) this.heard.delete(batch);
    try {
      await this.loadMerchants();
      await this.sweepPage({ at: new Date(from), id: '' }, from);
    } catch (error) {
      this.sweepAgainFrom(from);
      throw error;
    }
    // After an import, not while it goes on.
    if (this.unsaved * 10 > this.size && this.batches.size === 0) await this.save();
  }

  /** What a sweep did not come to is looked for by the next one. */
  private sweepAgainFrom(from: number): void {
    this.sweptTo = Math.min(this.sweptTo, from + overlapMs);
  }

  private async sweepPage(after: { at: Date; id: string }, from: number): Promise<void> {
    const { db } = this.deps;
    const page = await listUpdatedSince(db, after, sweepSize);
    const unheard = page.filter(({ changedIn }) => !this.heard.has(changedIn)).map(({ id }) => id);
    for (let at = 0; at < unheard.length; at += pageSize) {
      await this.searches.standBack();
      const ids = unheard.slice(at, at + pageSize);
      await this.take(await this.currentRows.read(() => loadProducts(db, ids)));
    }
    const last = page.at(-1);
    if (last !== undefined && page.length === sweepSize)
      void this.queue(() =>
        this.sweepPage({ at: last.updatedAt, id: last.id }, from).catch((error: unknown) => {
          this.sweepAgainFrom(from);
          throw error;
        }),
      );
  }
}

function unlessLost(error: unknown): never {
  throw error instanceof IndexThreadLost ? new AppError('temporarily_unavailable') : error;
}
