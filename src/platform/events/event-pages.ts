import type { Db } from '../db/db.js';
import { dayMs, utcDay } from '../../domain/time/utc-day.js';

/** A stretch of a day's raw events in the order of their ids; an ad and its beacons are in one. */
export interface EventPage {
  day: string;
  afterId: string;
  upToId: string;
}

/** On the embedded engine everybody else waits while a page is read. */
const rowsAtOnce = 2000;
const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Where the first page of so many days ends is asked at once. */
const daysAtOnce = 10;

/**
 * The raw events of the ads of these days, page by page: what is read over all of them is read in
 * pages and added up by the caller, so that nobody waits for the whole.
 */
export async function* eventPages(
  db: Db,
  { from, to }: { from: Date; to: Date },
): AsyncGenerator<EventPage> {
  const days = daysBetween(from, to);
  for (let start = 0; start < days.length; start += daysAtOnce)
    for (const { day, id } of await findFirstEnds(db, days.slice(start, start + daysAtOnce))) {
      let page: EventPage = { day, afterId: firstId, upToId: id ?? lastId };
      yield page;
      while (page.upToId !== lastId) {
        const afterId = page.upToId;
        page = { day, afterId, upToId: (await findEnd(db, day, afterId)) ?? lastId };
        yield page;
      }
    }
}

function daysBetween(from: Date, to: Date): string[] {
  const first = Math.floor(from.getTime() / dayMs);
  const length = Math.floor(to.getTime() / dayMs) - first + 1;
  return Array.from({ length }, (_, n) => utcDay((first + n) * dayMs));
}

/** Known when it is planned, so that other days are not looked at. */
const isAsked = `e.day >= $2 and e.day <= $3`;

/** Of those days that have events; null where one page holds them all. */
function findFirstEnds(
  db: Db,
  days: readonly string[],
): Promise<{ day: string; id: string | null }[]> {
  return db.query(
    `select to_char(d.day, 'YYYY-MM-DD') as day, (
       select e.id
       from events e
       where e.day = d.day and ${isAsked}
       order by e.id
       offset ${rowsAtOnce}
       limit 1
     ) as id
     from unnest($1::date[]) as d (day)
     where exists (select 1 from events e where e.day = d.day and ${isAsked})
     order by d.day`,
    [days, days[0], days.at(-1)],
  );
}

async function findEnd(db: Db, day: string, afterId: string): Promise<string | null> {
  const [next] = await db.query<{ id: string }>(
    `select id
     from events
     where day = $1 and id > $2
     order by id
     offset ${rowsAtOnce}
     limit 1`,
    [day, afterId],
  );
  return next?.id ?? null;
}

/** The condition that a row of `events` lies in a page, given as the first three parameters. */
export function isInPage(row: string): string {
  return `${row}.day = $1 and ${row}.id > $2 and ${row}.id <= $3`;
}

export function pageParameters({ day, afterId, upToId }: EventPage): [string, string, string] {
  return [day, afterId, upToId];
}
