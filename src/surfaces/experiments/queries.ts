import type { Db } from '../../platform/db/db.js';
import type { ExperimentResult } from './schema.js';

export interface StoredVariant {
  name: string;
  weight: number;
  ad_group_ids: string[];
}

export interface ExperimentRow {
  id: string;
  campaignId: string;
  name: string;
  kind: 'ab' | 'holdout';
  variants: StoredVariant[];
  startedAt: Date;
  stoppedAt: Date | null;
  /** What came of it, once its people are forgotten. */
  result: ExperimentResult['results'] | null;
}

const columns = `id, campaign_id as "campaignId", name, kind, variants, started_at as "startedAt",
  stopped_at as "stoppedAt", result`;

/** Groups of a campaign of this advertiser; null where it has no such campaign. */
export async function findGroups(
  db: Db,
  advertiserId: string,
  campaignId: string,
): Promise<string[] | null> {
  const rows = await db.query<{ id: string | null }>(
    `select g.id
     from campaigns c
     left join ad_groups g on g.campaign_id = c.id
     where c.id = $1 and c.advertiser_id = $2`,
    [campaignId, advertiserId],
  );
  return rows.length === 0 ? null : rows.flatMap(({ id }) => (id === null ? [] : [id]));
}

/** Whether it is the only one of its campaign that runs. */
export async function insertExperiment(
  tx: Db,
  advertiserId: string,
  row: ExperimentRow,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into experiments (id, advertiser_id, campaign_id, name, kind, variants, started_at)
     values ($1, $2, $3, $4, $5, $6::jsonb, $7)
     on conflict (campaign_id) where stopped_at is null do nothing
     returning 1`,
    [
      row.id,
      advertiserId,
      row.campaignId,
      row.name,
      row.kind,
      JSON.stringify(row.variants),
      row.startedAt,
    ],
  );
  return rows.length > 0;
}

export function listExperiments(
  db: Db,
  advertiserId: string,
  id: string | null,
): Promise<ExperimentRow[]> {
  return db.query<ExperimentRow>(
    `select ${columns}
     from experiments
     where advertiser_id = $1 and ($2::uuid is null or id = $2)
     order by started_at desc, id
     limit 500`,
    [advertiserId, id],
  );
}

export async function stopExperiment(tx: Db, id: string, at: Date): Promise<void> {
  await tx.query(`update experiments set stopped_at = $2 where id = $1 and stopped_at is null`, [
    id,
    at,
  ]);
}

export interface OwnedExperiment extends ExperimentRow {
  advertiserId: string;
}

/** That run for longer than what people did in them is kept. */
export function listOverlong(db: Db, before: Date): Promise<OwnedExperiment[]> {
  return db.query<OwnedExperiment>(
    `select ${columns}, advertiser_id as "advertiserId"
     from experiments
     where stopped_at is null and started_at < $1
     order by id
     limit 500`,
    [before],
  );
}

/** That ended before then and still know who was in them. */
export function listForgettable(db: Db, before: Date): Promise<OwnedExperiment[]> {
  return db.query<OwnedExperiment>(
    `select ${columns}, advertiser_id as "advertiserId"
     from experiments
     where stopped_at < $1 and result is null
     order by id
     limit 500`,
    [before],
  );
}

/** False when its result is kept already. */
export async function lockUnforgotten(tx: Db, id: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1
     from experiments
     where id = $1 and result is null
     for update`,
    [id],
  );
  return rows.length === 1;
}

export async function forgetUnits(
  tx: Db,
  id: string,
  result: ExperimentResult['results'],
): Promise<void> {
  await tx.query(`update experiments set result = $2::jsonb where id = $1`, [
    id,
    JSON.stringify(result),
  ]);
  await tx.query(`delete from experiment_units where experiment_id = $1`, [id]);
}

export interface UnitRow {
  experimentId: string;
  unit: string;
  variant: string;
  /** Epoch milliseconds. */
  at: number;
  viewer: string | null;
}

/** As the journal brings them; the first of each person counts. */
export async function insertUnits(tx: Db, rows: readonly UnitRow[]): Promise<void> {
  await tx.query(
    `insert into experiment_units (experiment_id, unit, variant, at, viewer)
     select "experimentId", unit, variant, to_timestamp(at / 1000.0), viewer
     from json_to_recordset($1::json) as r (
         "experimentId" uuid, unit text, variant text, at float8, viewer text
       )
     where exists (
         select from experiments x where x.id = r."experimentId" and x.result is null
       )
     order by 1, 2
     on conflict do nothing`,
    [JSON.stringify(rows)],
  );
}

export interface ArmCounts {
  variant: string;
  units: number;
  clicked: number;
}

/** People of each arm, and those who clicked an ad of the campaign since it began. */
export function countArms(db: Db, experiment: ExperimentRow): Promise<ArmCounts[]> {
  return db.query<ArmCounts>(
    `with clicked as (
         select distinct w.data ->> 'unit' as unit
         from events w
         cross join lateral (
             select 1
             from events c
             where c.day = w.day and c.id = w.id and c.kind = 'click' and c.invalid is null
             limit 1
           ) c
         where w.kind = 'win' and w.day >= $3::timestamptz::date and w.campaign_id = $2
           and w.data ->> 'experiment' = $1::uuid::text
       )
     select u.variant, count(*) as units, count(k.unit) as clicked
     from experiment_units u
     left join clicked k on k.unit = u.unit
     where u.experiment_id = $1
     group by 1`,
    [experiment.id, experiment.campaignId, experiment.startedAt],
  );
}

export interface ViewerRow {
  variant: string;
  viewer: string;
  at: Date;
}

/** People the advertiser may know, with when they came into the experiment. */
export function listViewers(db: Db, experimentId: string): Promise<ViewerRow[]> {
  return db.query<ViewerRow>(
    `select variant, viewer, at
     from experiment_units
     where experiment_id = $1 and viewer is not null
     limit 200000`,
    [experimentId],
  );
}

/** Hashed e-mails of purchases since then that stand, with their times. */
export function listBuyers(
  db: Db,
  advertiserId: string,
  since: Date,
  until: Date,
): Promise<{ email: string; at: Date }[]> {
  return db.query(
    `select m.email, c.at
     from conversions c
     cross join lateral json_array_elements_text(
         case when json_typeof(c.details -> 'user_data' -> 'em') = 'array'
           then c.details -> 'user_data' -> 'em' else '[]'::json end
       ) as m (email)
     where c.advertiser_id = $1 and c.at >= $2 and c.at < $3 and c.reversed_at is null
       and c.source <> 'pixel'`,
    [advertiserId, since, until],
  );
}
