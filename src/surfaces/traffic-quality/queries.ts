import type { Db } from '../../platform/db/db.js';
import { eventFacts } from '../../platform/events/event-facts.js';
import { type CountedEvent, countedEvents } from '../../platform/events/reverse-events.js';

/** What of a publisher's traffic counts since then and was not taken back, oldest first. */
export function findStanding(
  tx: Db,
  publisherId: string,
  since: Date,
  until: Date,
  limit: number,
): Promise<CountedEvent[]> {
  return tx.query<CountedEvent>(
    `${countedEvents((day) => `${day} >= $2::timestamptz::date - 31`)}
       and e.publisher_id = $1 and e.at >= $2 and e.at < $3
     order by e.day, e.id, e.kind limit $4`,
    [publisherId, since, until, limit],
  );
}

export interface ShownRow {
  publisherId: string;
  name: string;
  impressions: number;
  viewable: number;
  disclosed: number;
}

/** What one publisher, or each that showed anything, has shown since then. */
export function sumShown(db: Db, publisherId: string | null, since: Date): Promise<ShownRow[]> {
  return db.query<ShownRow>(
    `select p.id as "publisherId", p.name, sum(h.impressions)::bigint as impressions,
       sum(h.viewable)::bigint as viewable, sum(h.disclosed)::bigint as disclosed
     from publishers p
     join publisher_hours h on h.publisher_id = p.id and h.bucket >= $2
     where $1::uuid is null or p.id = $1
     group by p.id, p.name
     having sum(h.impressions) > 0
     order by p.name, p.id`,
    [publisherId, since],
  );
}

export interface FilteredRow {
  reason: string;
  kind: string;
  events: number;
  /** Given back for it, or no longer earned. */
  micros: number;
}

/**
 * What did not count of an account's traffic since then, and what was taken back later, by reason.
 */
export function sumFiltered(
  db: Db,
  account: { side: 'advertiser' | 'publisher'; id: string },
  since: Date,
): Promise<FilteredRow[]> {
  const column = account.side === 'advertiser' ? 'advertiser_id' : 'publisher_id';
  const money = account.side === 'advertiser' ? 'spend_micros' : 'revenue_micros';
  return db.query<FilteredRow>(
    `select case when right(kind, 9) = '_reversal' then coalesce(data ->> 'reason', 'taken_back')
       else coalesce(invalid, unbilled) end as reason, replace(kind, '_reversal', '') as kind,
       count(*) as events, coalesce(-sum(${money}), 0)::bigint as micros
     from ${eventFacts((day) => `${day} >= $2::timestamptz::date - 31`)} e
     where at >= $2 and ${column} = $1 and not test
       and (
         invalid is not null or unbilled is not null
         or kind in (
           'impression_reversal', 'viewable_reversal', 'click_reversal', 'conversion_reversal'
         )
       )
     group by 1, 2
     order by 3 desc, 1, 2
     limit 200`,
    [account.id, since],
  );
}
