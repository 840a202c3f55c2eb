import { currentOffer } from '../../../domain/commerce/current-offer.js';
import type { ProductDocument } from '../../../domain/search/product-document.js';
import type { ProductRow } from '../queries.js';

/** A listing as the search knows it at a moment: sales begin and end. */
export function documentOf(row: ProductRow, merchant: string, now: number): ProductDocument {
  const { priceMicros, regularPriceMicros } = offerOf(row, now);
  return {
    product_id: row.id,
    title: row.title,
    brand: row.brand,
    merchant,
    category: row.category,
    description: row.description,
    color: row.color,
    sizes: row.sizes,
    gender: row.gender,
    attributes: row.attributes,
    group: row.groupId === null ? null : `${row.merchantId} ${row.groupId}`,
    currency: row.currency,
    priceMicros,
    regularPriceMicros,
    inStock: row.inStock && !row.removed,
    hasImage: row.imageUrl !== '',
  };
}

export function offerOf(row: ProductRow, now: number): ReturnType<typeof currentOffer> {
  return currentOffer(
    {
      ...row,
      saleStartsAt: row.saleStartsAt?.getTime() ?? null,
      saleEndsAt: row.saleEndsAt?.getTime() ?? null,
    },
    now,
  );
}
