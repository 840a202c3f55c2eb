import { wantedSizes } from '../../../domain/search/sizes.js';
import type { ProductRow } from '../queries.js';

/**
 * What a checkout buys: the variant in the size asked for when it can be had at the price shown,
 * else the usual one.
 */
export function chooseVariant(
  row: ProductRow,
  sizes: readonly string[],
): { itemId: string; continueUrl: string | null } | null {
  const usual = row.checkoutItemId;
  if (usual === null) return null;
  const price = row.variants.find((variant) => variant.id === usual)?.priceMicros;
  const wanted = new Set(sizes.flatMap(wantedSizes));
  const chosen =
    wanted.size === 0
      ? undefined
      : row.variants.find(
          (variant) =>
            variant.available &&
            variant.priceMicros === price &&
            variant.title
              .split(' / ')
              .some((part) => wantedSizes(part).some((size) => wanted.has(size))),
        );
  if (chosen === undefined || chosen.id === usual)
    return { itemId: usual, continueUrl: row.continueUrl };
  return {
    itemId: chosen.id,
    continueUrl: row.continueUrl === null ? null : swapped(row.continueUrl, usual, chosen.id),
  };
}

/** Cart links hold the variant's id, or its number where ids are addresses. */
function swapped(url: string, from: string, to: string): string | null {
  const encoded = encodeURIComponent(from);
  if (url.includes(encoded)) return url.replace(encoded, encodeURIComponent(to));
  const [fromNumber, toNumber] = [from, to].map((id) => /(?<!\d)\d+$/.exec(id)?.[0]);
  return fromNumber !== undefined && toNumber !== undefined && url.includes(fromNumber)
    ? url.replace(fromNumber, toNumber)
    : null;
}
