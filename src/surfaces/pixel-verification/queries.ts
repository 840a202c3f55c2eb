import type { Db } from '../../platform/db/db.js';

export interface PixelRow {
  id: string;
  advertiserId: string;
  name: string;
  url: string;
  isFunctional: boolean | null;
  verifiedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const columns = `id, advertiser_id as "advertiserId", name, url, is_functional as "isFunctional",
  verified_at as "verifiedAt", created_at as "createdAt", updated_at as "updatedAt"`;

/** Null when the account has a pixel for that address already. */
export async function insertPixel(
  tx: Db,
  pixel: { id: string; advertiserId: string; name: string; url: string; urlKey: string; at: Date },
): Promise<PixelRow | null> {
  const [row] = await tx.query<PixelRow>(
    `insert into pixels (id, advertiser_id, name, url, url_key, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (advertiser_id, url_key) do nothing
     returning ${columns}`,
    [pixel.id, pixel.advertiserId, pixel.name, pixel.url, pixel.urlKey, pixel.at],
  );
  return row ?? null;
}

export function listPixels(db: Db, advertiserId: string): Promise<PixelRow[]> {
  return db.query<PixelRow>(
    `select ${columns} from pixels where advertiser_id = $1 order by created_at desc, id desc`,
    [advertiserId],
  );
}

export async function findPixel(db: Db, id: string): Promise<PixelRow | null> {
  const [row] = await db.query<PixelRow>(`select ${columns} from pixels where id = $1`, [id]);
  return row ?? null;
}

export async function saveVerdict(
  db: Db,
  id: string,
  verdict: { isFunctional: boolean; problem: string | null; at: Date },
): Promise<void> {
  await db.query(
    `update pixels
     set is_functional = $2, last_problem = $3, verified_at = $4, updated_at = case
       when is_functional is distinct from $2 then $4 else updated_at end
     where id = $1`,
    [id, verdict.isFunctional, verdict.problem, verdict.at],
  );
}

/** Pixels looked at before the instant, or not yet. */
export async function listStalePixels(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id
     from pixels
     where verified_at is null and created_at < $1 or verified_at < $1
     order by verified_at limit $2`,
    [before, limit],
  );
  return rows.map((row) => row.id);
}
