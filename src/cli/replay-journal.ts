import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../platform/clock.js';
import {
  type JournalCopy,
  type Replayed,
  replayJournals,
} from '../platform/events/journal/replay-journals.js';
import { lastStoredAt, loadPosition } from '../platform/events/journal/position-queries.js';
import { listSegments, type Segment } from '../platform/events/journal/segment-files.js';
import { createPartitions } from '../platform/events/partitions.js';
import { createStore } from '../platform/events/store-events.js';
import { silentLog } from '../platform/log.js';
import { journalRecorders } from '../recorders.js';
import { CommandFailure, type CommandStore } from './command.js';

/**
 * Brings shipped files of journals into a store that was just restored, up to a moment. The store
 * then goes its own way: its journal is a new one, and what the old ones hold of later stays there.
 */
export async function replayJournal(
  { db, nodeDir }: CommandStore,
  { folder, until }: { folder: string; until: number },
  print: (line: string) => void,
): Promise<void> {
  const own = join(nodeDir, 'journal');
  const reached = await lastStoredAt(db);
  if (reached !== null && reached.getTime() > until)
    throw new CommandFailure(
      `the backup is of ${reached.toISOString()}, later than the moment asked for: take an earlier one`,
    );
  const partitions = createPartitions(db);
  const recorders = journalRecorders();
  mkdirSync(own, { recursive: true });
  const replayed = await replayJournals({
    journals: findJournals([folder, own]),
    until,
    findPosition: (journalId) => loadPosition(db, journalId),
    storeOf: (journalId) =>
      createStore({ db, clock: systemClock, partitions, recorders }, journalId, {
        flushed: 0,
        batches: 0,
      }).store,
    refuse: (text) => appendFileSync(join(own, 'refused.jsonl'), `${text}\n`, { flush: true }),
    log: silentLog,
  });
  for (const { path } of listSegments(own)) rmSync(path);
  for (const name of ['id', 'shipped']) rmSync(join(own, name), { force: true });
  tell(replayed, print);
}

function tell(replayed: Replayed, print: (line: string) => void): void {
  const { events, entries, lastAt, refused, damagedPlaces, missing } = replayed;
  const to = lastAt === null ? 'nothing newer was there' : `to ${new Date(lastAt).toISOString()}`;
  print(`applied ${events} events in ${entries} entries of the journals, ${to}`);
  if (refused > 0) print(`${refused} entries were refused: see journal/refused.jsonl`);
  if (damagedPlaces > 0) print(`${damagedPlaces} damaged places could not be read`);
  for (const files of missing) print(`files ${files} are not there: what they held is missing`);
}

/** Of each journal every file, the longest copy of it. */
export function findJournals(folders: readonly string[]): JournalCopy[] {
  const found = new Map<string, Map<number, Segment>>();
  for (const folder of folders)
    for (const { id, path } of journalFolders(folder)) {
      const known = found.get(id) ?? new Map<number, Segment>();
      found.set(id, known);
      for (const segment of listSegments(path))
        if (segment.size > (known.get(segment.number)?.size ?? 0))
          known.set(segment.number, segment);
    }
  return [...found].map(([id, segments]) => ({
    id,
    segments: [...segments.values()].sort((a, b) => a.number - b.number),
  }));
}

/** The folder of one journal, which says whose it is, or one that has such copies by name. */
function journalFolders(folder: string): { id: string; path: string }[] {
  const named = join(folder, 'id');
  if (existsSync(named)) return [{ id: readFileSync(named, 'utf8').trim(), path: folder }];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^[0-9a-f-]{36}$/.test(entry.name))
    .map(({ name }) => ({ id: name, path: join(folder, name) }));
}
