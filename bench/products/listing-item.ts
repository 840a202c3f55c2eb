import type { CatalogItem } from '../../src/domain/commerce/catalog-item.js';
import type { ProductDocument } from '../../src/domain/search/product-document.js';

/** A made-up listing as a feed would state it. */
export function itemOf(product: ProductDocument): CatalogItem {
  const regular = product.regularPriceMicros ?? product.priceMicros;
  return {
    externalId: product.product_id,
    groupId: null,
    title: product.title,
    brand: product.brand,
    category: product.category,
    description: product.description,
    color: product.color ?? null,
    sizes: [],
    gender: null,
    attributes: {},
    currency: product.currency,
    priceMicros: regular,
    salePriceMicros: product.priceMicros < regular ? product.priceMicros : null,
    saleStartsAt: null,
    saleEndsAt: null,
    regularPublished: true,
    inStock: product.inStock,
    imageUrl: product.hasImage ? `https://shop.example/i/${product.product_id}.jpg` : '',
    pageUrl: `https://shop.example/p/${product.product_id}`,
    checkoutItemId: null,
    continueUrl: null,
    variants: [],
  };
}
