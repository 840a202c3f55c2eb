import { csvCell, csvLine } from '../../domain/csv.js';
import { createZone, formatDate, isValidZone, parseDate } from '../../domain/time/zone.js';
import { nilUuid } from '../../domain/uuid.js';
import type { Db } from '../../platform/db/db.js';
import { fieldError } from '../../platform/errors.js';
import type { Pseudonyms } from '../../platform/secrets/pseudonyms.js';
import {
  exportColumns,
  type ExportFilter,
  listEventDays,
  loadNames,
  nameMark,
  readEvents,
} from './queries.js';
import type { ExportQuery } from './schema.js';
import { dayMs } from '../../domain/time/utc-day.js';

const page = 2000;
/**
 * An event is stored under the day its id was made: clicks come weeks after the ad was served,
 * conversions may be told a week late.
 */
const daysBefore = 35;
const daysAfter = 8;

/** What an export covers; throws what the caller got wrong. */
export function readExport(
  query: ExportQuery,
  account: ExportFilter['account'],
  accountId: string,
): ExportFilter {
  if (!isValidZone(query.tz)) throw fieldError(['query', 'tz'], 'Unknown time zone');
  const zone = createZone(query.tz);
  const [first, last] = [parseDate(query.start_date), parseDate(query.end_date)];
  if (first === null) throw fieldError(['query', 'start_date'], 'Not a date');
  if (last === null || query.end_date === '9999-12-31')
    throw fieldError(['query', 'end_date'], 'Not a date');
  if (last < first) throw fieldError(['query', 'end_date'], 'Must not be before start_date');
  return {
    account,
    accountId,
    kind: query.kind ?? null,
    from: new Date(zone.startOfDay(query.start_date)),
    to: new Date(zone.startOfDay(formatDate(last + dayMs))),
  };
}

/**
 * Every event as a line of CSV, a page of one day at a time: however long the range, no more than a
 * page is held.
 */
export async function* streamEvents(
  { db, pseudonyms }: { db: Db; pseudonyms: Pick<Pseudonyms, 'open'> },
  filter: ExportFilter,
): AsyncGenerator<string> {
  const names = Object.keys(exportColumns[filter.account]);
  yield csvLine(names);
  const shifted = (instant: Date, days: number): string =>
    formatDate(Math.max(0, instant.getTime() + days * dayMs));
  for (const day of await listEventDays(
    db,
    shifted(filter.from, -daysBefore),
    shifted(filter.to, daysAfter),
  )) {
    let after = { id: nilUuid, kind: '' };
    for (;;) {
      const events = await readEvents(db, day, after, filter, page);
      if (events.lines !== null)
        yield filter.account === 'publisher'
          ? await withNames({ db, pseudonyms }, filter.accountId, events.lines)
          : events.lines;
      if (events.last === null || events.count < page) break;
      after = events.last;
    }
  }
}

/** The lines with what the publisher calls its users in place of their pseudonyms. */
async function withNames(
  { db, pseudonyms }: { db: Db; pseudonyms: Pick<Pseudonyms, 'open'> },
  publisherId: string,
  lines: string,
): Promise<string> {
  // Every second piece is a user.
  const pieces = lines.split(nameMark);
  const users = [...new Set(pieces.filter((_, n) => n % 2 === 1))];
  const names = new Map(
    (await loadNames(db, publisherId, users)).map(({ userId, nameSealed }) => [
      userId,
      pseudonyms.open(publisherId, userId, nameSealed),
    ]),
  );
  return pieces
    .map((piece, n) => (n % 2 === 1 ? csvCell(names.get(piece) ?? piece) : piece))
    .join('');
}
