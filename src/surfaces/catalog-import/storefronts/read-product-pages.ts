import { gunzipSync } from 'node:zlib';
import { itemProblems } from '../../../domain/commerce/catalog-item.js';
import { type PageProduct, readPageProducts } from '../../../domain/commerce/json-ld-products.js';
import type { Outbound } from '../../../platform/outbound/guarded-fetch.js';
import { BrokenFeed, type FeedRow } from '../feeds/feed-row.js';

const mostPages = 20_000;
const together = 4;

/** Product pages with JSON-LD: one page, or every page a sitemap names. */
export async function* readProductPages(
  outbound: Outbound,
  address: string,
  fallbackCurrency: string | null,
): AsyncGenerator<FeedRow> {
  const first = await readText(outbound, address);
  const pages = /<(?:\w+:)?(?:urlset|sitemapindex)\b/.test(first.slice(0, 2000))
    ? await pagesOf(outbound, first, 0)
    : null;
  let row = 0;
  if (pages === null) {
    for (const product of readPageProducts(first, address))
      yield rowOf(product, ++row, fallbackCurrency);
    return;
  }
  for (let at = 0; at < pages.length; at += together) {
    const group = pages.slice(at, at + together);
    const texts = await Promise.allSettled(group.map((page) => readText(outbound, page)));
    for (const [index, text] of texts.entries()) {
      const page = group[index] ?? '';
      if (text.status === 'rejected')
        yield {
          row: ++row,
          label: page.slice(0, 120),
          externalId: null,
          problem: 'the page could not be read',
        };
      else
        for (const product of readPageProducts(text.value, page))
          yield rowOf(product, ++row, fallbackCurrency);
    }
  }
}

async function pagesOf(outbound: Outbound, sitemap: string, depth: number): Promise<string[]> {
  const places = [...sitemap.matchAll(/<(?:\w+:)?loc>\s*([^<\s]+)\s*<\//g)].map((found) =>
    (found[1] ?? '').replaceAll('&amp;', '&'),
  );
  if (!/<(?:\w+:)?sitemapindex\b/.test(sitemap.slice(0, 2000))) return places.slice(0, mostPages);
  if (depth > 1) return [];
  const pages: string[] = [];
  for (const place of places) {
    if (pages.length >= mostPages) break;
    pages.push(...(await pagesOf(outbound, await readText(outbound, place), depth + 1)));
  }
  return pages.slice(0, mostPages);
}

async function readText(outbound: Outbound, url: string): Promise<string> {
  const answer = await outbound(url, { timeoutMs: 15_000, maxBytes: 8 * 1024 * 1024 });
  if (answer.status !== 200) throw new BrokenFeed(`the page answered ${answer.status}`);
  const { body } = answer;
  // Sitemaps are often kept zipped.
  return (
    body[0] === 0x1f && body[1] === 0x8b
      ? gunzipSync(body, { maxOutputLength: 64 * 1024 * 1024 })
      : body
  ).toString('utf8');
}

export function rowOf(product: PageProduct, row: number, fallbackCurrency: string | null): FeedRow {
  const item = {
    externalId: (product.id ?? product.pageUrl).slice(0, 200),
    groupId: product.groupId,
    title: product.name,
    brand: product.brand,
    category: product.category,
    description: product.description,
    color: product.color,
    sizes: product.size === null ? [] : [product.size],
    gender: null,
    attributes: product.attributes,
    currency: product.currency ?? fallbackCurrency ?? '',
    priceMicros: product.priceMicros ?? 0,
    salePriceMicros: null,
    saleStartsAt: null,
    saleEndsAt: null,
    regularPublished: false,
    inStock: product.inStock ?? true,
    imageUrl: product.imageUrl ?? '',
    pageUrl: product.pageUrl,
    checkoutItemId: null,
    continueUrl: null,
    variants: [],
  };
  const problems = itemProblems(item);
  return problems.length === 0
    ? { row, item }
    : {
        row,
        label: product.name.slice(0, 120),
        externalId: product.id,
        problem: problems.join('; '),
      };
}
