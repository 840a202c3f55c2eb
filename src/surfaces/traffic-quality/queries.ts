import type { PublisherTraffic } from '../../domain/traffic/judge-publishers.js';
import type { Db } from '../../platform/db/db.js';
import { type CountedEvent, countedEvents } from '../../platform/events/reverse-events.js';

/** A click this soon after its impression is no person's. */
const fastMs = 1000;

/**
 * What was counted of each publisher's traffic since then, event by event; also what was taken back
 * since, or the rest of it would look like little.
 */
export function loadTraffic(db: Db, since: Date, until: Date): Promise<PublisherTraffic[]> {
  return db.query<PublisherTraffic>(
    `with counted as (
         select e.id, e.day, e.kind, e.at, e.publisher_id, e.country, e.data
         from events e
         where e.day >= $1::date - 1 and e.at >= $1 and e.at < $2
           and e.kind in ('impression', 'click', 'conversion') and e.invalid is null
           and not e.test and e.publisher_id is not null
       )
     select s.publisher_id as "publisherId",
       count(*) filter (where s.kind = 'impression') as impressions,
       count(*) filter (where s.kind = 'click') as clicks,
       count(*) filter (
         where s.kind = 'click' and s.at - i.at < interval '${fastMs} milliseconds'
       ) as "fastClicks",
       count(*) filter (
         where s.kind = 'impression' and s.country is not null and s.data ->> 'from' is not null
       ) as placed,
       count(*) filter (
         where s.kind = 'impression' and s.country is not null and s.data ->> 'from' <> s.country
       ) as displaced,
       count(*) filter (
         where s.kind = 'conversion' and coalesce(s.data ->> 'source', '') <> 'pixel'
       ) as conversions
     from counted s
     left join counted i
       on s.kind = 'click' and i.kind = 'impression' and i.day = s.day and i.id = s.id
     group by 1`,
    [since, until],
  );
}

/** What of a publisher's traffic counts since then and was not taken back, oldest first. */
export function findStanding(
  tx: Db,
  publisherId: string,
  since: Date,
  until: Date,
  limit: number,
): Promise<CountedEvent[]> {
  return tx.query<CountedEvent>(
    `${countedEvents} and e.publisher_id = $1 and e.at >= $2 and e.at < $3 and e.day >= $2::date - 31
     order by e.day, e.id, e.kind limit $4`,
    [publisherId, since, until, limit],
  );
}

/** The topics the ads were shown in: what was learned there is unlearned. */
export function findTopics(
  tx: Db,
  ids: readonly string[],
  days: readonly string[],
): Promise<{ id: string; topic: string }[]> {
  return tx.query(
    `select id, coalesce(data ->> 'topic', '') as topic
     from events
     where day = any($2::date[]) and id = any($1::uuid[]) and kind = 'win'`,
    [ids, days],
  );
}

export interface Finding {
  id: string;
  publisherId: string;
  rule: string;
  foundAt: Date;
  fromAt: Date;
  toAt: Date;
  events: number;
  spendMicros: number;
  revenueMicros: number;
  details: Record<string, unknown>;
}

export async function insertFinding(tx: Db, finding: Finding): Promise<void> {
  await tx.query(
    `insert into traffic_findings (
         id, publisher_id, rule, found_at, from_at, to_at, events, spend_micros, revenue_micros,
         details
       )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb)`,
    [
      finding.id,
      finding.publisherId,
      finding.rule,
      finding.foundAt,
      finding.fromAt,
      finding.toAt,
      finding.events,
      finding.spendMicros,
      finding.revenueMicros,
      JSON.stringify(finding.details),
    ],
  );
}

export function listFindings(db: Db, limit: number): Promise<Finding[]> {
  return db.query<Finding>(
    `select id, publisher_id as "publisherId", rule, found_at as "foundAt", from_at as "fromAt",
       to_at as "toAt", events, spend_micros as "spendMicros", revenue_micros as "revenueMicros",
       details
     from traffic_findings
     order by found_at desc, id
     limit $1`,
    [limit],
  );
}

export interface FilteredRow {
  reason: string;
  kind: string;
  events: number;
  /** Given back for it, or no longer earned. */
  micros: number;
}

/** What did not count of an account's traffic since then, and what was taken back later, by reason. */
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
     from events
     where day >= $2::date - 31 and at >= $2 and ${column} = $1 and not test
       and (
         invalid is not null or unbilled is not null
         or kind in ('impression_reversal', 'click_reversal', 'conversion_reversal')
       )
     group by 1, 2
     order by 3 desc, 1, 2
     limit 200`,
    [account.id, since],
  );
}
