import { currencyCode } from './currency.js';
import { isPublicWebAddress } from '../web-address.js';

/**
 * One listing as any feed states it, ready to be stored. Addresses that begin with "/" are pages of
 * this server.
 */
export interface CatalogItem {
  externalId: string;
  groupId: string | null;
  title: string;
  brand: string | null;
  category: string | null;
  description: string;
  color: string | null;
  sizes: readonly string[];
  gender: string | null;
  attributes: Readonly<Record<string, string>>;
  currency: string;
  /** Without a sale. */
  priceMicros: number;
  salePriceMicros: number | null;
  saleStartsAt: number | null;
  saleEndsAt: number | null;
  /** False when the source gives a current price and nothing about the usual one. */
  regularPublished: boolean;
  inStock: boolean;
  imageUrl: string;
  pageUrl: string;
  checkoutItemId: string | null;
  continueUrl: string | null;
  variants: readonly CatalogVariant[];
}

export interface CatalogVariant {
  id: string;
  title: string;
  priceMicros: number;
  available: boolean;
}

/**
 * Why an item cannot be stored; empty when it can. Links to the shop it was read from, `origin`,
 * are as good as the shop.
 */
export function itemProblems(item: CatalogItem, origin: string | null = null): string[] {
  const isPage = (address: string): boolean => isShown(address, origin);
  const problems: string[] = [];
  if (item.externalId.trim() === '') problems.push('no id');
  if (item.externalId.length > 200) problems.push('the id is over 200 characters');
  if (item.title.trim() === '') problems.push('no title');
  if (!isPage(item.pageUrl)) problems.push('no valid link');
  if (item.imageUrl !== '' && !isPage(item.imageUrl)) problems.push('the image link is not valid');
  if (item.continueUrl !== null && !isPage(item.continueUrl))
    problems.push('the checkout link is not valid');
  if (item.currency === '') problems.push('no currency');
  // "5 PCS" and "NOW 5" look like one.
  else if (currencyCode(item.currency) !== item.currency)
    problems.push('the currency is no ISO 4217 code');
  if (!Number.isSafeInteger(item.priceMicros) || item.priceMicros <= 0)
    problems.push('no valid price');
  if (
    item.salePriceMicros !== null &&
    (!Number.isSafeInteger(item.salePriceMicros) || item.salePriceMicros <= 0)
  )
    problems.push('the sale price is not valid');
  return problems;
}

const longestAddress = 2000;

function isShown(address: string, origin: string | null): boolean {
  if (address.length > longestAddress) return false;
  if (/^\/(?![/\\])/.test(address)) return true;
  const isOwn = origin !== null && URL.canParse(address) && new URL(address).origin === origin;
  return isOwn || isPublicWebAddress(address);
}
