import { readFileSync } from 'node:fs';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/db/db.js';
import type { MintId } from '../../../platform/ids.js';
import { type DemoMerchant, type DemoShelf, makeDemoProducts } from './demo-products.js';
import { announceMerchants, openMerchant, setCheckout } from '../queries.js';
import { writeBatch } from '../write-batch.js';

const batchSize = 500;
/** This file runs as build/src/surfaces/catalog-import/demo/seed-demo-products.js. */
const folder = new URL('../../../../../catalog/products/', import.meta.url);

export function readDemoShops(): { merchants: DemoMerchant[]; shelves: DemoShelf[] } {
  // Our own files, checked by the tests of this surface.
  const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  return {
    merchants: read('merchants.json') as DemoMerchant[],
    shelves: read('kinds.json') as DemoShelf[],
  };
}

/** Made-up merchants and their products, in one transaction; safe to repeat. */
export async function seedDemoProducts({
  db,
  clock,
  mintId,
}: {
  db: Database;
  clock: Clock;
  mintId: MintId;
}): Promise<number> {
  const { merchants, shelves } = readDemoShops();
  const now = clock();
  return db.transaction(async (tx) => {
    let count = 0;
    for (const merchant of merchants) {
      const storeUrl =
        merchant.storefront === true ? '/demo-store' : `/demo-store/${merchant.slug}`;
      const merchantId = await openMerchant(tx, {
        id: mintId(now),
        slug: merchant.slug,
        name: merchant.name,
        storeUrl,
        platform: merchant.storefront === true ? 'storefront' : 'feed',
        commissionBps: merchant.commission_bps,
        isDemo: true,
        createdAt: new Date(now),
      });
      if (merchant.storefront === true)
        await setCheckout(tx, merchantId, {
          endpoint: '/demo-store/2026-08-25/mcp',
          version: '2026-08-25',
          problem: null,
          at: new Date(now),
        });
      const items = makeDemoProducts(merchant, merchants, shelves);
      for (let at = 0; at < items.length; at += batchSize) {
        await writeBatch(
          tx,
          { merchantId, merchantSlug: merchant.slug, feedId: null },
          { id: mintId(now), at: now },
          items.slice(at, at + batchSize),
        );
      }
      count += items.length;
    }
    await announceMerchants(tx);
    return count;
  });
}
