import type { Db } from '../db/db.js';

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
const dayMs = 86_400_000;

/**
 * The raw events of the ads of these days, page by page: what is read over all of them is read in
 * pages and added up by the caller, so that nobody waits for the whole.
 */
export async function* eventPages(
  db: Db,
  { from, to }: { from: Date; to: Date },
): AsyncGenerator<EventPage> {
  const last = Math.floor(to.getTime() / dayMs);
  for (let number = Math.floor(from.getTime() / dayMs); number <= last; number += 1) {
    const day = new Date(number * dayMs).toISOString().slice(0, 10);
    let afterId = firstId;
    for (;;) {
      const [next] = await db.query<{ id: string }>(
        `select id
         from events
         where day = $1 and id > $2
         order by id
         offset ${rowsAtOnce}
         limit 1`,
        [day, afterId],
      );
      yield { day, afterId, upToId: next?.id ?? lastId };
      if (next === undefined) break;
      afterId = next.id;
    }
  }
}

/** The condition that a row of `events` lies in a page, given as the first three parameters. */
export function isInPage(row: string): string {
  return `${row}.day = $1 and ${row}.id > $2 and ${row}.id <= $3`;
}

export function pageParameters({ day, afterId, upToId }: EventPage): [string, string, string] {
  return [day, afterId, upToId];
}
