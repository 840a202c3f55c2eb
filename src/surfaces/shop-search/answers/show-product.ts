import { agentProfileUrl } from '../../../domain/commerce/ucp-profile.js';
import { disclose, type DisclosureWords } from '../../../domain/disclosure/disclosure.js';
import { grclidOf } from '../../../domain/grclid.js';
import { toDollars } from '../../../domain/money.js';
import { chooseVariant } from './choose-variant.js';
import { offerOf } from '../index/listing-document.js';
import type { MerchantRow, ProductRow } from '../queries.js';
import type { Checkout, Product } from '../schema.js';

const longestDescription = 400;

/** Addresses of the catalog that begin with "/" are pages of the demo shops, wherever they are. */
export function absoluteUrl(address: string, storeUrl: string): string {
  return address.startsWith('/') ? `${storeUrl}${address}` : address;
}

export interface Showing {
  row: ProductRow;
  merchant: MerchantRow;
  linkId: string;
  clickUrl: string;
  indexUrl: string;
  /** Where the demo shops are. */
  storeUrl: string;
  now: number;
  /** The sizes asked for. */
  sizes: readonly string[];
  words: DisclosureWords;
}

export function showProduct({
  row,
  merchant,
  linkId,
  clickUrl,
  indexUrl,
  storeUrl,
  now,
  sizes,
  words,
}: Showing): Product {
  const offer = offerOf(row, now);
  return {
    product_id: row.id,
    name: row.title,
    brand: row.brand,
    merchant: merchant.name,
    // Live listings of hosted storefronts carry no taxonomy path.
    category: merchant.platform === 'storefront' ? null : row.category,
    description: firstWords(row.description, longestDescription),
    currency: row.currency,
    price: toDollars(offer.priceMicros),
    regular_price: offer.regularPriceMicros === null ? null : toDollars(offer.regularPriceMicros),
    on_sale: offer.onSale,
    image_url: absoluteUrl(row.imageUrl, storeUrl),
    click_url: clickUrl,
    grclid: grclidOf(linkId),
    checkout: checkoutOf(row, merchant, sizes, linkId, { indexUrl, storeUrl }),
    disclosure:
      merchant.campaignId === null && merchant.commissionBps === 0
        ? null
        : disclose(words, {
            advertiser: merchant.name,
            paidBy: merchant.payer ?? merchant.name,
            ground: 'search',
          }),
  };
}

function checkoutOf(
  row: ProductRow,
  merchant: MerchantRow,
  sizes: readonly string[],
  linkId: string,
  { indexUrl, storeUrl }: Pick<Showing, 'indexUrl' | 'storeUrl'>,
): Checkout | null {
  const variant = chooseVariant(row, sizes);
  if (merchant.ucpEndpoint === null || variant === null) return null;
  return {
    protocol: 'ucp',
    endpoint: absoluteUrl(merchant.ucpEndpoint, storeUrl),
    continue_url: absoluteUrl(variant.continueUrl ?? row.pageUrl, storeUrl),
    item_id: variant.itemId,
    agent_profile: agentProfileUrl(merchant.ucpVersion, indexUrl),
    attribution: {
      referring_domain: new URL(indexUrl).hostname,
      click_id_tag: 'grclid',
      click_id_value: grclidOf(linkId),
    },
  };
}

export function firstWords(text: string, most: number): string {
  const words = text.match(/\S+/g) ?? [];
  return words.length <= most ? text.trim() : `${words.slice(0, most).join(' ')}…`;
}
