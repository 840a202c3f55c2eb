import { parse, type HTMLElement } from 'node-html-parser';
import {
  type PageProduct,
  plainText,
  readPageProducts,
} from '../../../domain/commerce/json-ld-products.js';
import { microsOfAmount } from '../../../domain/commerce/price-text.js';
import { toDollars } from '../../../domain/money.js';
import { errorFields, type Log } from '../../../platform/log.js';
import type { Outbound } from '../../../platform/outbound/guarded-fetch.js';
import { isRasterImage } from '../answers/raster-image.js';
import type { WebResult } from '../schema.js';
import type { WebSearch } from './web-search.js';

const mostResults = 5;
const mostPages = 8;
const usualBudgetMs = 4000;
/** Given to better placed pages once there are enough. */
const graceMs = 400;
const pageBytes = 1024 * 1024;

/**
 * Pages that sell what the catalog lacks: searched, read in parallel, and cut off when the time
 * is over or enough have answered. Never rejects.
 */
export function createWebFinder(deps: {
  search: WebSearch | null;
  outbound: Outbound;
  log: Log;
  budgetMs?: number;
}): (query: string) => Promise<WebResult[]> {
  const { search, outbound, log, budgetMs = usualBudgetMs } = deps;
  if (search === null) return async () => [];
  return async (query) => {
    const end = new AbortController();
    const timers = [setTimeout(() => end.abort(), budgetMs)];
    let found = 0;
    const read = async (page: string): Promise<WebResult | null> => {
      const result = await readPage(outbound, page, end.signal).catch(() => null);
      if (result !== null && ++found === mostResults)
        timers.push(setTimeout(() => end.abort(), graceMs));
      return result;
    };
    try {
      const pages = (await search(query.slice(0, 300), end.signal)).slice(0, mostPages);
      return (await Promise.all(pages.map(read)))
        .filter((result) => result !== null)
        .slice(0, mostResults);
    } catch (error) {
      log.info(errorFields(error), 'web search failed');
      return [];
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  };
}

async function readPage(
  outbound: Outbound,
  address: string,
  signal: AbortSignal,
): Promise<WebResult | null> {
  const answer = await outbound(address, {
    signal,
    timeoutMs: usualBudgetMs,
    maxBytes: pageBytes,
    headers: { accept: 'text/html' },
  });
  if (answer.status !== 200 || !/html/i.test(String(answer.headers['content-type'] ?? 'html')))
    return null;
  const result = readListing(answer.body.toString('utf8'), answer.url);
  if (result === null || result.image_url === null) return result;
  const isImage = await checkImage(outbound, result.image_url, signal);
  return isImage ? result : { ...result, image_url: null };
}

/** What the page itself states; a page that is no product page gives nothing. */
export function readListing(html: string, pageUrl: string): WebResult | null {
  const product =
    readPageProducts(html, pageUrl)[0] ??
    readMeta(
      parse(html, { comment: false, blockTextElements: { script: false, style: false } }),
      pageUrl,
    );
  if (product === null || product.inStock === false) return null;
  const isPriced = product.priceMicros !== null && product.currency !== null;
  return {
    name: product.name.slice(0, 300),
    brand: product.brand,
    price: isPriced && product.priceMicros !== null ? toDollars(product.priceMicros) : null,
    currency: isPriced ? product.currency : null,
    description: firstSentence(product.description),
    image_url: product.imageUrl,
    url: pageUrl,
    site: new URL(pageUrl).hostname.replace(/^www\./, ''),
  };
}

/** Open Graph product pages, where there is no JSON-LD. */
function readMeta(root: HTMLElement, pageUrl: string): PageProduct | null {
  const meta = (name: string): string | null => {
    const content = (
      root.querySelector(`meta[property="${name}"]`) ?? root.querySelector(`meta[name="${name}"]`)
    )
      ?.getAttribute('content')
      ?.trim();
    return content === undefined || content === '' ? null : plainText(content);
  };
  const amount = meta('product:price:amount') ?? meta('og:price:amount');
  const currency =
    (meta('product:price:currency') ?? meta('og:price:currency'))?.toUpperCase() ?? null;
  const name = meta('og:title');
  if (name === null || (amount === null && !/product/i.test(meta('og:type') ?? ''))) return null;
  const micros = amount === null ? null : microsOfAmount(amount);
  const isPriced =
    micros !== null && micros > 0 && currency !== null && /^[A-Z]{3}$/.test(currency);
  const image = meta('og:image:secure_url') ?? meta('og:image');
  return {
    id: null,
    groupId: null,
    name,
    brand: meta('product:brand') ?? meta('og:brand'),
    description: meta('og:description') ?? '',
    category: null,
    color: null,
    size: null,
    attributes: {},
    imageUrl: image !== null && URL.canParse(image, pageUrl) ? new URL(image, pageUrl).href : null,
    pageUrl,
    priceMicros: isPriced ? micros : null,
    currency: isPriced ? currency : null,
    inStock: /out\s*of\s*stock|oos/i.test(meta('product:availability') ?? '') ? false : null,
  };
}

function firstSentence(text: string): string | null {
  const plain = plainText(text);
  if (plain === '') return null;
  const sentence = /^.{6,280}?[.!?](?=\s|$)/.exec(plain)?.[0] ?? plain;
  return sentence.length <= 280 ? sentence : `${sentence.slice(0, 279).trimEnd()}…`;
}

/** Believed only after its first bytes: names and types lie. */
async function checkImage(outbound: Outbound, url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await outbound(url, {
      signal,
      timeoutMs: 2500,
      maxBytes: 6 * 1024 * 1024,
      headers: { accept: 'image/*' },
    });
    return answer.status === 200 && isRasterImage(answer.body);
  } catch {
    // A picture that cannot be fetched is not shown; the listing stands without it.
    return false;
  }
}
