import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/db.js';
import { isBefore } from '../events/journal/applier.js';
import { endOfFrames } from '../events/journal/copy-journal.js';
import type { Position } from '../events/journal/journal.js';
import { loadPosition } from '../events/journal/position-queries.js';
import { listSegments, segmentPath } from '../events/journal/segment-files.js';
import { cornersIn, inLeftCorner } from './left-corners.js';
import { UnsettledCorner } from './unsettled-corner.js';

const lookEveryMs = 50;
/** A worker that stands still is replaced after a minute, and its successor stores its journal. */
const usualPatienceMs = 90_000;

export interface SettleDeps {
  db: Db;
  dataDir: string;
  /** The corner of this process: its own journal is its own business. */
  nodeDir: string;
  /** Brings the journal of a corner that no process has into the database. */
  applyLeft: (corner: string) => Promise<void>;
  /** Two servers may use one data folder with different databases. */
  isOurs: (corner: string) => boolean;
  /** Without any progress for so long it is given up. */
  patienceMs?: number;
}

/**
 * Waits until what every other process of this data folder had acknowledged by now is in the
 * database: workers store their journals themselves, and what nobody has is stored here. A backup
 * of one worker's journal alone would lack what the others had just answered.
 */
export async function settleCorners(deps: SettleDeps): Promise<void> {
  // All ends first: what is acknowledged while one of them is waited for is of a later moment.
  const others = cornersIn(deps.dataDir)
    .filter((corner) => corner !== deps.nodeDir && deps.isOurs(corner))
    .map((corner) => ({ corner, end: journalEnd(join(corner, 'journal')) }));
  await Promise.all(others.map(({ corner, end }) => settleCorner(deps, corner, end)));
}

async function settleCorner(
  { db, applyLeft, patienceMs = usualPatienceMs }: SettleDeps,
  corner: string,
  found: Position | null,
): Promise<void> {
  const journal = join(corner, 'journal');
  let end = found;
  let reached: Position | null = null;
  let since = performance.now();
  while (end !== null) {
    const at = await loadPosition(db, journalId(journal));
    if (at !== null && !isBefore(at, end)) return;
    // What a failed sync left is cut off again, and was not acknowledged.
    if (!holds(journal, end)) end = journalEnd(journal);
    if (await inLeftCorner(corner, applyLeft)) return;
    if (at !== null && (reached === null || isBefore(reached, at))) {
      reached = at;
      since = performance.now();
    }
    if (performance.now() - since > patienceMs) throw new UnsettledCorner(corner);
    await sleep(lookEveryMs);
  }
}

function journalId(journal: string): string {
  const file = join(journal, 'id');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

/**
 * Behind the last whole frame; null where there is none. What is acknowledged was synced before, so
 * that the files have it; what is half written was not acknowledged.
 */
export function journalEnd(journal: string): Position | null {
  for (const { number, path } of listSegments(journal).reverse()) {
    const offset = endOfFrames(readFileSync(path));
    if (offset > 0) return { segment: number, offset };
  }
  return null;
}

function holds(journal: string, { segment, offset }: Position): boolean {
  return (statSync(segmentPath(journal, segment), { throwIfNoEntry: false })?.size ?? 0) >= offset;
}
