import type { CatalogItem } from '../../domain/commerce/catalog-item.js';
import { productIdOf } from '../../domain/commerce/product-id.js';
import { storableText } from '../../domain/text/storable-json.js';
import type { Clock } from '../../platform/clock.js';
import { analyzeTable } from '../../platform/db/analyze-table.js';
import type { Db } from '../../platform/db/db.js';
import type { MintId } from '../../platform/ids.js';
import { BrokenFeed, type FeedRow } from './feeds/feed-row.js';
import {
  announceBatch,
  commitLater,
  finishRun,
  forgetSeen,
  insertErrors,
  insertRun,
  listKnown,
  markSeen,
  removeProducts,
  type RunCounts,
  saveRunCounts,
} from './queries.js';
import { type BatchTarget, writeBatch } from './write-batch.js';

export interface ImportDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
}

export interface ImportJob {
  target: BatchTarget;
  source: string;
  format: string;
  rows: AsyncIterable<FeedRow>;
  /** A larger share of the shop missing from the feed means that the feed is broken. */
  maxMissingPercent: number;
  /** False when the source is only a part of the shop: nothing is removed. */
  isSnapshot: boolean;
  onProgress?: (counts: RunCounts) => void;
}

/** The same while it runs. */
interface RunningJob extends ImportJob {
  /** So many products were in the feed before. */
  onRepeated(count: number): void;
}

/** Why a listing is kept and not shown; how many there are of each. */
export interface Hidden {
  noPicture: number;
  notInStock: number;
  /** The feed says that search is not to find it. */
  withheld: number;
  /** The same id again: the last one counts. */
  repeated: number;
  /** What is wrong with rows that cannot be read, and how often. */
  problems: Map<string, number>;
}

export interface ImportOutcome extends RunCounts {
  runId: string;
  hidden: Hidden;
  status: 'done' | 'failed';
  problem: string | null;
}

/** A search on the embedded engine waits for the batch that is being written, not for more. */
const batchSize = { embedded: 25, server: 100 };
const removeSize = { embedded: 50, server: 200 };
const pageSize = 1000;
const keptErrors = 500;

/**
 * Brings a feed in. Whatever goes wrong, products already in the shop stay until a complete feed no
 * longer has them.
 */
export async function runImport(deps: ImportDeps, job: ImportJob): Promise<ImportOutcome> {
  const run = {
    id: deps.mintId(deps.clock()),
    merchantId: job.target.merchantId,
    feedId: job.target.feedId,
  };
  const counts: RunCounts = { read: 0, written: 0, unchanged: 0, failed: 0, removed: 0 };
  const hidden: Hidden = {
    noPicture: 0,
    notInStock: 0,
    withheld: 0,
    repeated: 0,
    problems: new Map(),
  };
  await insertRun(deps.db, {
    ...run,
    source: job.source,
    format: job.format,
    at: new Date(deps.clock()),
  });
  let problem: string | null = null;
  try {
    const rows = countHidden(job.rows, hidden);
    const onRepeated = (count: number): void => void (hidden.repeated += count);
    await takeRows(deps, { ...job, rows, onRepeated }, run.id, counts);
    problem = judge(counts);
    if (problem === null && job.isSnapshot) problem = await removeGone(deps, job, run, counts);
  } catch (error) {
    problem = describe(error);
    if (problem === null) throw error;
  } finally {
    await forgetSeen(deps.db, run.id);
    // Beside the rows, of which there is none with this number.
    const message = storableText(describeShown({ ...counts, hidden }), 300);
    await insertErrors(deps.db, run.id, [{ row: 0, item: '', message }]);
    await finishRun(deps.db, run.id, counts, problem, new Date(deps.clock()));
    // Statistics at once: until there are some, every plan over products is a guess.
    if (counts.written + counts.removed > 0) await analyzeTable(deps.db, 'products');
  }
  const status = problem === null ? 'done' : 'failed';
  return { runId: run.id, status, problem, hidden, ...counts };
}

async function* countHidden(rows: AsyncIterable<FeedRow>, hidden: Hidden): AsyncGenerator<FeedRow> {
  for await (const row of rows) {
    if ('problem' in row) countProblem(hidden.problems, row.problem);
    else if (row.item.imageUrl === '') hidden.noPicture += 1;
    else if (row.isWithheld === true) hidden.withheld += 1;
    else if (!row.item.inStock) hidden.notInStock += 1;
    yield row;
  }
}

/** Of a feed that words each complaint anew no more is kept. */
const mostProblems = 100;

function countProblem(problems: Map<string, number>, problem: string): void {
  if (problems.size < mostProblems || problems.has(problem))
    problems.set(problem, (problems.get(problem) ?? 0) + 1);
}

/** The complaint most rows share. */
function mainProblem(problems: ReadonlyMap<string, number>): string {
  const [first, ...others] = [...problems].sort(([, a], [, b]) => b - a);
  if (first === undefined) return '';
  return ` (${others.length === 0 ? '' : 'mostly '}${first[0]})`;
}

/** "7 read, 0 shown: 7 without a picture". */
export function describeShown(outcome: RunCounts & { hidden: Hidden }): string {
  const reasons = (
    [
      [outcome.failed, `not readable${mainProblem(outcome.hidden.problems)}`],
      [outcome.hidden.repeated, 'with an id that comes again'],
      [outcome.hidden.noPicture, 'without a picture'],
      [outcome.hidden.notInStock, 'not in stock'],
      [outcome.hidden.withheld, 'not eligible for search'],
    ] as const
  ).filter(([count]) => count > 0);
  // What comes again may lack a picture each time.
  const left = Math.min(
    outcome.read,
    reasons.reduce((sum, [count]) => sum + count, 0),
  );
  const why = reasons.map(([count, reason]) => `${count} ${reason}`).join(', ');
  return `${outcome.read} read, ${outcome.read - left} shown${why === '' ? '' : `: ${why}`}`;
}

async function takeRows(
  deps: ImportDeps,
  job: RunningJob,
  runId: string,
  counts: RunCounts,
): Promise<void> {
  let batch: FeedRow[] = [];
  const flush = async (goesOn: boolean): Promise<void> => {
    const rows = batch;
    batch = [];
    await takeBatch(deps, job, { id: runId, goesOn }, rows, counts);
    job.onProgress?.({ ...counts });
  };
  try {
    for await (const row of job.rows) {
      if (batch.length >= batchSize[deps.db.engine]) await flush(true);
      batch.push(row);
    }
  } finally {
    // Also when the feed breaks off: its good rows and its errors are worth keeping.
    if (batch.length > 0) await flush(false);
  }
}

async function takeBatch(
  deps: ImportDeps,
  job: RunningJob,
  { id: runId, goesOn }: { id: string; goesOn: boolean },
  rows: readonly FeedRow[],
  counts: RunCounts,
): Promise<void> {
  const items: CatalogItem[] = rows.flatMap((row) => ('item' in row ? [row.item] : []));
  const failed = rows.flatMap((row) => ('problem' in row ? [row] : []));
  const now = deps.clock();
  const { ids, written, met } = await deps.db.transaction(async (tx) => {
    await commitLater(tx);
    const done = await writeBatch(tx, job.target, { id: deps.mintId(now), at: now, goesOn }, items);
    // A product whose row cannot be read is still in the feed: its last good state stays.
    const unreadable = failed.flatMap((row) =>
      row.externalId === null
        ? []
        : [productIdOf(job.target.merchantSlug, storableText(row.externalId, 4000))],
    );
    const met = await markSeen(tx, runId, done.ids);
    await markSeen(tx, runId, unreadable);
    const room = Math.max(0, keptErrors - counts.failed);
    await insertErrors(
      tx,
      runId,
      failed.slice(0, room).map((row) => ({
        row: row.row,
        item: storableText(row.label, 200),
        message: storableText(row.problem, 300),
      })),
    );
    await saveRunCounts(tx, runId, {
      ...counts,
      read: counts.read + rows.length,
      written: counts.written + done.written,
      failed: counts.failed + failed.length,
    });
    return { ...done, met };
  });
  job.onRepeated(items.length - met);
  counts.read += rows.length;
  counts.written += written;
  counts.unchanged += ids.length - written;
  counts.failed += failed.length;
}

function judge({ read, failed }: RunCounts): string | null {
  if (read === 0) return 'the feed is empty';
  return failed * 2 > read ? `${failed} of ${read} rows cannot be read` : null;
}

async function removeGone(
  deps: ImportDeps,
  job: ImportJob,
  run: { id: string; merchantId: string; feedId: string | null },
  counts: RunCounts,
): Promise<string | null> {
  const { missing, known } = await findMissing(deps.db, run);
  if (missing.length * 100 > known * job.maxMissingPercent)
    return `${missing.length} of ${known} products are missing from the feed, more than ${job.maxMissingPercent} %: nothing was removed`;
  const size = removeSize[deps.db.engine];
  for (let at = 0; at < missing.length; at += size) {
    const now = deps.clock();
    counts.removed += await deps.db.transaction(async (tx) => {
      await commitLater(tx);
      const batch = { id: deps.mintId(now), at: new Date(now) };
      const removed = await removeProducts(tx, run.id, missing.slice(at, at + size), batch);
      const goesOn = at + size < missing.length;
      if (removed.length > 0) await announceBatch(tx, { id: batch.id, goesOn }, removed);
      return removed.length;
    });
    job.onProgress?.({ ...counts });
  }
  return null;
}

async function findMissing(
  db: Db,
  run: { id: string; merchantId: string; feedId: string | null },
): Promise<{ missing: string[]; known: number }> {
  const missing: string[] = [];
  let known = 0;
  for (let after: string | null = ''; after !== null;) {
    const page: Awaited<ReturnType<typeof listKnown>> = await listKnown(db, run, after, pageSize);
    known += page.products.length;
    for (const product of page.products) if (product.isMissing) missing.push(product.id);
    after = page.last;
  }
  return { missing, known };
}

/** What is wrong with the source, in one line; null for a fault of ours. */
function describe(error: unknown): string | null {
  if (error instanceof BrokenFeed) return error.message;
  if (!(error instanceof Error)) return null;
  const code = 'code' in error ? String(error.code) : '';
  if ('failure' in error || code.startsWith('Z_') || code.startsWith('ECONN'))
    return `the feed broke off: ${error.message}`;
  return code === 'ENOENT'
    ? 'there is no such file'
    : code === 'ERR_STREAM_PREMATURE_CLOSE' || error.message === 'aborted'
      ? 'the feed broke off'
      : null;
}
