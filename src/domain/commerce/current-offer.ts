export interface PriceFacts {
  /** Without a sale. */
  priceMicros: number;
  salePriceMicros: number | null;
  saleStartsAt: number | null;
  saleEndsAt: number | null;
  regularPublished: boolean;
}

/**
 * What the thing costs at an instant. A sale counts from its start until just before its end, and
 * only when it is cheaper.
 */
export function currentOffer(
  facts: PriceFacts,
  now: number,
): { priceMicros: number; regularPriceMicros: number | null; onSale: boolean } {
  const { priceMicros, salePriceMicros: sale } = facts;
  const onSale =
    sale !== null &&
    sale < priceMicros &&
    (facts.saleStartsAt === null || facts.saleStartsAt <= now) &&
    (facts.saleEndsAt === null || now < facts.saleEndsAt);
  if (onSale) return { priceMicros: sale, regularPriceMicros: priceMicros, onSale };
  return { priceMicros, regularPriceMicros: facts.regularPublished ? priceMicros : null, onSale };
}
