import type { Database } from '../../../platform/db/db.js';
import { loadMerchants, loadRates, type MerchantRow, type ProductRow } from '../queries.js';

/** Merchants and currency rates of this node, as of the last `load`. */
export interface KnownMerchants {
  load(): Promise<void>;
  get(id: string): MerchantRow | undefined;
  /** What a unit of each currency is worth in dollars, for those the operator has set. */
  rates(): Readonly<Record<string, number>>;
  /** What a sale of the listing is worth in commission, in microdollars where the rate is known. */
  commissionMicros(row: ProductRow, priceMicros: number): number;
}

export function knownMerchants(db: Database): KnownMerchants {
  const merchants = new Map<string, MerchantRow>();
  const rates = new Map<string, number>([['USD', 1]]);
  return {
    async load() {
      for (const row of await loadMerchants(db)) merchants.set(row.id, row);
      const set = await loadRates(db);
      // One that was taken away converts nothing any more.
      rates.clear();
      rates.set('USD', 1);
      for (const { currency, usdPerUnit } of set) rates.set(currency, Number(usdPerUnit));
    },
    get: (id) => merchants.get(id),
    rates: () => Object.fromEntries(rates),
    commissionMicros: (row, priceMicros) =>
      (priceMicros *
        (rates.get(row.currency) ?? 1) *
        (merchants.get(row.merchantId)?.commissionBps ?? 0)) /
      10_000,
  };
}
