import type { Db } from '../../platform/db/db.js';
import { utcDaySql } from '../../platform/db/utc-day-sql.js';

export interface StatementDay {
  day: string;
  impressions: number;
  clicks: number;
  revenueMicros: number;
}

/** Days of a stretch with anything in them, as reports have them by now. */
export function sumDays(
  db: Db,
  publisherId: string,
  from: Date,
  to: Date,
): Promise<StatementDay[]> {
  return db.query<StatementDay>(
    `select ${utcDaySql('bucket')}::text as day, sum(impressions)::bigint as impressions,
       sum(clicks)::bigint as clicks, sum(revenue_micros)::bigint as "revenueMicros"
     from publisher_hours
     where publisher_id = $1 and bucket >= $2 and bucket < $3
     group by 1
     having sum(impressions) <> 0 or sum(clicks) <> 0 or sum(revenue_micros) <> 0
     order by 1`,
    [publisherId, from, to],
  );
}

/** What each month brought and what was paid in it, oldest first. */
export function sumMonths(
  db: Db,
  publisherId: string,
): Promise<{ month: string; earnedMicros: number; paidMicros: number }[]> {
  return db.query(
    `select month, sum(earned)::bigint as "earnedMicros", sum(paid)::bigint as "paidMicros"
     from (
         select to_char(bucket at time zone 'UTC', 'YYYY-MM') as month,
           sum(revenue_micros) as earned, 0 as paid
         from publisher_hours
         where publisher_id = $1
         group by 1
         union all
         select to_char(approved_at at time zone 'UTC', 'YYYY-MM'), 0, sum(amount_micros)
         from payouts
         where publisher_id = $1 and status <> 'void'
         group by 1
       ) m
     group by month
     order by month`,
    [publisherId],
  );
}
