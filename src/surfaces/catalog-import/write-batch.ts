import { createHash } from 'node:crypto';
import type { CatalogItem } from '../../domain/commerce/catalog-item.js';
import { productIdOf } from '../../domain/commerce/product-id.js';
import { storableJson } from '../../domain/text/storable-json.js';
import type { Db } from '../../platform/db/db.js';
import { announceBatch, type ProductWrite, writeProducts } from './queries.js';

export interface BatchTarget {
  merchantId: string;
  merchantSlug: string;
  feedId: string | null;
}

/**
 * One batch of listings, announced to every node. Of listings with the same id the last one counts.
 */
export async function writeBatch(
  tx: Db,
  target: BatchTarget,
  batch: { id: string; at: number; goesOn?: boolean },
  items: readonly CatalogItem[],
): Promise<{ ids: string[]; written: number }> {
  const rows = new Map(
    items.map((item) => prepare(target.merchantSlug, item)).map((row) => [row.id, row]),
  );
  if (rows.size === 0) return { ids: [], written: 0 };
  const written = await writeProducts(
    tx,
    { id: batch.id, merchantId: target.merchantId, feedId: target.feedId, at: new Date(batch.at) },
    [...rows.values()],
  );
  if (written.length > 0) await announceBatch(tx, batch, written);
  return { ids: [...rows.keys()], written: written.length };
}

function prepare(merchantSlug: string, item: CatalogItem): ProductWrite {
  // Same shape in, same shape out; only characters the database refuses are dropped.
  const clean = storableJson(item) as CatalogItem;
  return {
    ...clean,
    id: productIdOf(merchantSlug, clean.externalId),
    contentHash: createHash('sha1').update(JSON.stringify(clean)).digest('base64url'),
  };
}
