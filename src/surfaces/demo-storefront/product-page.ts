import { currentOffer } from '../../domain/commerce/current-offer.js';
import { toDollars } from '../../domain/money.js';
import type { ShopProduct } from './queries.js';

export function offerOf(product: ShopProduct, now: number): ReturnType<typeof currentOffer> {
  return currentOffer(
    {
      ...product,
      saleStartsAt: product.saleStartsAt?.getTime() ?? null,
      saleEndsAt: product.saleEndsAt?.getTime() ?? null,
    },
    now,
  );
}

/** A plain page with the facts for people and, as JSON-LD, for machines. */
export function productPage(product: ShopProduct, origin: string, now: number): string {
  const offer = offerOf(product, now);
  const price = toDollars(offer.priceMicros).toFixed(2);
  const facts = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    sku: product.externalId,
    name: product.title,
    description: product.description,
    image: [`${origin}${product.imageUrl}`],
    ...(product.brand === null ? {} : { brand: { '@type': 'Brand', name: product.brand } }),
    ...(product.category === null ? {} : { category: product.category }),
    ...(product.color === null ? {} : { color: product.color }),
    offers: {
      '@type': 'Offer',
      url: `${origin}${product.pageUrl}`,
      priceCurrency: product.currency,
      price,
      availability: product.inStock
        ? 'https://schema.org/InStock'
        : 'https://schema.org/OutOfStock',
      seller: { '@type': 'Organization', name: product.merchantName },
    },
  };
  const was =
    offer.onSale && offer.regularPriceMicros !== null
      ? ` <s>${toDollars(offer.regularPriceMicros).toFixed(2)}</s>`
      : '';
  const sizes = product.variants
    .filter((variant) => variant.available)
    .map((variant) => `<li>${escaped(variant.title)}</li>`)
    .join('');
  return page(
    `${product.title} · ${product.merchantName}`,
    `<p><a href="/demo-store">All demo shops</a></p><h1>${escaped(product.title)}</h1><img src="${escaped(product.imageUrl)}" alt="Drawing of ${escaped(product.title)}" width="256" height="256">
<p class="price">${price} ${escaped(product.currency)}${was}</p><p>${product.inStock ? 'In stock' : 'Out of stock'} at ${escaped(product.merchantName)}</p><p>${escaped(product.description)}</p>${sizes === '' ? '' : `<h2>Sizes</h2><ul>${sizes}</ul>`}
<script type="application/ld+json">${JSON.stringify(facts).replaceAll('<', '\\u003c')}</script>`,
  );
}

export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escaped(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}img{border-radius:8px}.price{font-size:1.4rem}.note{background:#fff4d6;padding:.5rem 1rem;border-radius:6px}</style>
</head><body><p class="note">Demo shop: everything here is made up and nothing is sold.</p>${body}</body></html>`;
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
