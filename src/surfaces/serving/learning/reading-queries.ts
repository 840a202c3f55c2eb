import { offsetBounds } from '../../../domain/reading/learn-offset.js';
import type { Db } from '../../../platform/db/db.js';

export interface ReadingDay {
  publisherId: string;
  day: string;
  outcome: string;
  requests: number;
  unread: number;
}

export async function addReadingDays(db: Db, rows: readonly ReadingDay[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query(
    `insert into reading_days (publisher_id, day, outcome, requests, unread)
     select *
     from unnest($1::uuid[], $2::date[], $3::text[], $4::bigint[], $5::bigint[])
     order by 1, 2, 3
     on conflict (publisher_id, day, outcome)
       do update set requests = reading_days.requests + excluded.requests,
       unread = reading_days.unread + excluded.unread`,
    [
      rows.map((row) => row.publisherId),
      rows.map((row) => row.day),
      rows.map((row) => row.outcome),
      rows.map((row) => row.requests),
      rows.map((row) => row.unread),
    ],
  );
}

export interface RequestDay {
  publisherId: string;
  day: string;
  country: string;
  device: string;
  requests: number;
  wins: number;
}

export async function addRequestDays(db: Db, rows: readonly RequestDay[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query(
    `insert into request_days (publisher_id, day, country, device, requests, wins)
     select *
     from unnest($1::uuid[], $2::date[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
     order by 1, 2, 3, 4
     on conflict (publisher_id, day, country, device)
       do update set requests = request_days.requests + excluded.requests,
       wins = request_days.wins + excluded.wins`,
    [
      rows.map((row) => row.publisherId),
      rows.map((row) => row.day),
      rows.map((row) => row.country),
      rows.map((row) => row.device),
      rows.map((row) => row.requests),
      rows.map((row) => row.wins),
    ],
  );
}

/** Of everybody, or of one publisher. */
export function sumReadingDays(
  db: Db,
  from: string,
  publisherId: string | null,
): Promise<{ day: string; outcome: string; requests: number; unread: number }[]> {
  return db.query(
    `select day::text as day, outcome, sum(requests)::bigint as requests,
       sum(unread)::bigint as unread
     from reading_days
     where day >= $1 and ($2::uuid is null or publisher_id = $2)
     group by day, outcome
     order by day, outcome`,
    [from, publisherId],
  );
}

export interface OffsetRow {
  publisherId: string;
  placement: string;
  value: number;
  signals: number;
  frozen: boolean;
}

export function loadOffsets(db: Db): Promise<OffsetRow[]> {
  return db.query<OffsetRow>(
    `select publisher_id as "publisherId", placement, value, signals, frozen
     from calibration_offsets
     order by publisher_id, placement`,
  );
}

/** Several nodes learn of the same place: each adds what it saw. What is frozen stays. */
export async function addToOffsets(
  db: Db,
  rows: readonly Pick<OffsetRow, 'publisherId' | 'placement' | 'value' | 'signals'>[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await db.query(
    `insert into calibration_offsets (publisher_id, placement, value, signals, updated_at)
     select publisher_id, placement, greatest($6::float8, least($7::float8, value)), signals, $5
     from unnest($1::uuid[], $2::text[], $3::float8[], $4::bigint[])
       as n (publisher_id, placement, value, signals)
     order by 1, 2
     on conflict (publisher_id, placement)
       do update set value =
         greatest($6::float8, least($7::float8, calibration_offsets.value + excluded.value)),
       signals = calibration_offsets.signals + excluded.signals,
       updated_at = excluded.updated_at
     where not calibration_offsets.frozen`,
    [
      rows.map((row) => row.publisherId),
      rows.map((row) => row.placement),
      rows.map((row) => row.value),
      rows.map((row) => row.signals),
      at,
      offsetBounds.least,
      offsetBounds.most,
    ],
  );
}

export async function setOffset(
  db: Db,
  row: { publisherId: string; placement: string; frozen: boolean; reset: boolean; at: Date },
): Promise<void> {
  await db.query(
    `insert into calibration_offsets (publisher_id, placement, frozen, updated_at)
     values ($1, $2, $3, $4)
     on conflict (publisher_id, placement)
       do update set frozen = excluded.frozen,
       value = case when $5 then 0 else calibration_offsets.value end,
       signals = case when $5 then 0 else calibration_offsets.signals end,
       updated_at = excluded.updated_at`,
    [row.publisherId, row.placement, row.frozen, row.at, row.reset],
  );
}
