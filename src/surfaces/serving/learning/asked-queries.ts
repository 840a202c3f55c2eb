import type { Db } from '../../../platform/db/db.js';

export interface AskedRequest {
  hour: Date;
  modelId: string;
  country: string | null;
  device: string | null;
  topic: string;
  signs: Uint8Array;
  reach: number;
  need: number;
  never: number;
  trade: number | null;
  shift: number;
  minRelevance: number;
  floorCpmMicros: number;
  places: number;
  /** The best scores of an auction with whose they are, the best first. */
  advertiserIds: string[];
  scores: number[];
  weight: number;
}

export async function insertAskedRequests(db: Db, rows: readonly AskedRequest[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query(
    `insert into asked_requests (
         hour, model_id, country, device, topic, signs, reach, need, never, trade, shift,
         min_relevance, floor_cpm_micros, places, advertiser_ids, scores, weight
       )
     select hour, "modelId", country, device, topic, decode(signs, 'base64'), reach, need, never,
       trade, shift, "minRelevance", "floorCpmMicros", places, "advertiserIds", scores, weight
     from json_to_recordset($1::text::json) as x(
         hour timestamptz, "modelId" text, country text, device text, topic text, signs text,
         reach real, need real, never real, trade real, shift real, "minRelevance" real,
         "floorCpmMicros" bigint, places integer, "advertiserIds" uuid[], scores bigint[],
         weight real
       )`,
    [
      JSON.stringify(
        rows.map((row) => ({ ...row, signs: Buffer.from(row.signs).toString('base64') })),
      ),
    ],
  );
}

export async function hasAskedRequests(db: Db): Promise<boolean> {
  return (await db.query(`select from asked_requests limit 1`)).length > 0;
}

export async function forgetAskedRequests(db: Db, before: Date): Promise<void> {
  await db.query(`delete from asked_requests where hour < $1`, [before]);
}
