import { channels, hear } from '../../../platform/channels.js';
import type { ProductSearch, ProductSearchResult } from '../../../domain/search/product-search.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/db/db.js';
import { AppError } from '../../../platform/errors.js';
import { errorFields, type Log } from '../../../platform/log.js';
import { type IndexThread, IndexThreadLost, startIndexThread } from './index-thread.js';
import type { IndexChange } from './index-worker.js';
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
  search(request: ProductSearch): Promise<ProductSearchResult>;
  readonly merchant: KnownMerchants['get'];
  readonly commissionMicros: KnownMerchants['commissionMicros'];
  readonly rates: KnownMerchants['rates'];
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
  close(): Promise<void>;
}

const pageSize = 100;
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
const usablePages = 20;
const sweepMs = 30_000;
/** Longer than any transaction that writes products, so that a sweep cannot miss a late commit. */
const overlapMs = 120_000;

export interface CatalogDeps {
  db: Database;
  clock: Clock;
  log: Log;
  /** How long a search waits for products announced just before it. */
  importWaitMs: number;
  startThread?: typeof startIndexThread;
}

export async function followCatalog({
  db,
  clock,
  log,
  importWaitMs,
  startThread = startIndexThread,
}: CatalogDeps): Promise<LiveCatalog> {
  let thread: IndexThread | null = null;
  let losses = 0;
  const merchants = knownMerchants(db);
  let batches = new Set<string>();
  /** Announced and not yet in the index: the last batch of an import, or all there is of it. */
  const awaited = new Set<string>();
  /** Announced changes being read and indexed now. */
  let underWay = 0;
  const heard = new Map<string, number>();
  let merchantsStale = false;
  let timer: NodeJS.Timeout | null = null;
  let sweptTo = clock();
  let expected = 0;
  let begun = false;
  let ready = false;
  let closed = false;
  let running: Promise<void> = Promise.resolve();
  /** The index is built, or enough of it to answer from. */
  let usable = deferred();
  /** It is known how large the shop is. */
  let measured = deferred();

  const queue = (work: () => Promise<void>): Promise<void> => {
    running = running
      .then(() => (closed ? undefined : work()))
      .catch((error: unknown) =>
        closed ? undefined : log.warn(errorFields(error), 'catalog not refreshed'),
      );
    return running;
  };

  function loadPeople(): Promise<void> {
    merchantsStale = false;
    return merchants.load();
  }

  async function take(rows: readonly ProductRow[]): Promise<void> {
    if (rows.some((row) => merchants.get(row.merchantId) === undefined)) await loadPeople();
    await thread?.change(
      rows.map((row): IndexChange =>
        row.removed || !row.inStock || row.imageUrl === ''
          ? { remove: row.id }
          : { upsert: documentOf(row, merchants.get(row.merchantId)?.name ?? '', clock()) },
      ),
    );
  }

  async function build(): Promise<void> {
    ready = false;
    // What was written before is read now; sweeps look from here on.
    sweptTo = clock();
    await loadPeople();
    expected = await estimateProducts(db);
    measured.resolve();
    // A page is read while the one before is indexed.
    let indexed = Promise.resolve();
    for (
      let after = '', rows: ProductRow[] = [], page = 1;
      !closed;
      after = rows.at(-1)?.id ?? after, page++
    ) {
      [rows] = await Promise.all([loadPage(db, after, pageSize), indexed]);
      indexed = take(rows);
      if (rows.length < pageSize) break;
      // Where there is more than was estimated, it was no small shop.
      if (page === (expected > smallShop ? usablePages : smallShop / pageSize)) usable.resolve();
      if (page % 200 === 0)
        log.info({ indexed: size(), of: expected }, 'building the product index');
    }
    await indexed;
    ready = true;
    expected = size();
    usable.resolve();
    if (size() > 0) log.info({ products: size() }, 'product index built');
  }

  async function refresh(): Promise<void> {
    const waiting = [...batches];
    underWay = waiting.length;
    batches = new Set();
    try {
      if (merchantsStale) await loadPeople();
      for (const batch of waiting) {
        if (closed) return;
        await take(await loadBatch(db, batch));
        heard.set(batch, clock());
        awaited.delete(batch);
        underWay -= 1;
      }
    } finally {
      underWay = 0;
      for (const batch of waiting) awaited.delete(batch);
    }
  }

  /**
   * A page at a time in the queue, so that what is announced meanwhile gets its turn; batches heard
   * of already are left out.
   */
  async function sweep(): Promise<void> {
    const from = sweptTo - overlapMs;
    sweptTo = clock();
    for (const [batch, at] of heard) if (at < from) heard.delete(batch);
    await loadPeople();
    await sweepPage({ at: new Date(from), id: '' });
  }

  async function sweepPage(after: { at: Date; id: string }): Promise<void> {
    const page = await listUpdatedSince(db, after, sweepSize);
    const unheard = page.filter(({ changedIn }) => !heard.has(changedIn)).map(({ id }) => id);
    for (let at = 0; at < unheard.length; at += pageSize)
      await take(await loadProducts(db, unheard.slice(at, at + pageSize)));
    const last = page.at(-1);
    if (last !== undefined && page.length === sweepSize)
      void queue(() => sweepPage({ at: last.updatedAt, id: last.id }));
  }

  function flush(): void {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    void queue(refresh);
  }

  const size = (): number => thread?.size ?? 0;

  function start(): void {
    if (begun) return;
    begun = true;
    void rebuild();
  }

  function rebuild(): Promise<void> {
    ready = false;
    usable = deferred();
    measured = deferred();
    thread = startThread(onLost);
    return queue(build);
  }

  /** A small shop to the end, a large one for a moment. */
  async function waitForBuild(): Promise<void> {
    const { promise } = usable;
    await Promise.race([measured.promise, promise]);
    await (expected > smallShop ? within(promise, importWaitMs) : promise);
  }

  /** The rows are in the database: a new thread reads them again. */
  function onLost(error: Error): void {
    losses += 1;
    log.error({ ...errorFields(error.cause), losses }, 'product index lost');
    if (!closed && losses <= mostLosses) void rebuild();
  }

  const stopListening = await hear(db, channels.catalog, (news) => {
    // The first build will read it; what was missed is found by the sweep.
    if (!begun || news === null) return;
    if (news === 'merchants') merchantsStale = true;
    else {
      batches.add(news.batchId);
      if (!news.goesOn) awaited.add(news.batchId);
    }
    timer ??= setTimeout(flush, coalesceMs);
  });
  const sweeping = setInterval(() => {
    if (ready) void queue(sweep);
  }, sweepMs);
  sweeping.unref();

  return {
    async search(request) {
      start();
      try {
        if (thread !== null) return await thread.search(request);
      } catch (error) {
        if (!(error instanceof IndexThreadLost)) throw error;
      }
      throw new AppError('temporarily_unavailable');
    },
    merchant: merchants.get,
    commissionMicros: merchants.commissionMicros,
    rates: merchants.rates,
    start,
    settled() {
      start();
      flush();
      const pending = batches.size + underWay;
      if (ready && pending > fewBatches) return Promise.resolve();
      // An import that goes on is not waited for.
      if (ready && pending > 0 && awaited.size === 0) return Promise.resolve();
      // An empty shop is looked at again: its first import may have been announced a moment ago.
      if (ready && size() === 0) void queue(sweep);
      if (ready) return within(running, importWaitMs);
      return within(waitForBuild(), 20 * importWaitMs);
    },
    progress: () => ({ indexed: size(), of: Math.max(expected, size()), ready }),
    async close() {
      closed = true;
      clearInterval(sweeping);
      if (timer !== null) clearTimeout(timer);
      await stopListening();
      await thread?.close();
      await running;
    },
  };
}

async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
