import { type HTMLElement, parse } from 'node-html-parser';
import type { PageFacts, PageProductFacts } from '../../domain/ad-writing/page-facts.js';
import { readPageProducts } from '../../domain/commerce/json-ld-products.js';
import { storableText } from '../../domain/text/storable-json.js';
import {
  type Outbound,
  OutboundError,
  type OutboundFailure,
  type OutboundResponse,
} from './guarded-fetch.js';
import { readPageApart } from './read-page-apart.js';

/** The page cannot be used, in words for the person who named it. */
export class PageUnreadable extends Error {
  override readonly name = 'PageUnreadable';
  /** Another try later may find it well. */
  readonly isPassing: boolean;
  constructor(message: string, isPassing: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isPassing = isPassing;
  }
}

/** In words for the person who named the address. */
export const pageProblems: Readonly<Record<OutboundFailure, string>> = {
  bad_url: 'The address cannot be opened',
  private_address: 'The address is private',
  unreachable: 'Nothing answers at this address',
  timeout: 'The page takes too long to answer',
  too_large: 'The page is too large',
  too_many_redirects: 'The page redirects without end',
  redirect_refused: 'The page redirects',
};
export const pageLimits = {
  timeoutMs: 8000,
  maxBytes: 3 * 1024 * 1024,
  textLength: 40_000,
} as const;

/** Fetches and reads a page somebody else named. Throws `PageUnreadable`. */
export async function readPage(outbound: Outbound, url: string): Promise<PageFacts> {
  const response = await fetchPage(outbound, url);
  if (response.status < 200 || response.status > 299)
    throw new PageUnreadable(
      `The page answers ${response.status}`,
      response.status >= 500 || response.status === 429,
    );
  const type = response.headers['content-type'] ?? '';
  const html = decodeText(response.body, type);
  const looksLikeHtml =
    type === ''
      ? /<(?:!doctype html|html|head|body)\b/i.test(html.slice(0, 2000))
      : /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type);
  if (!looksLikeHtml) throw new PageUnreadable('The address is not a web page', false);
  const facts = await readPageApart(html, response.url).catch((error: unknown) => {
    throw new PageUnreadable('The page takes too long to read', false, { cause: error });
  });
  if (facts.title === null && facts.description === null && facts.headings.length === 0)
    throw new PageUnreadable('The page says nothing an ad could be written from', false);
  return facts;
}

async function fetchPage(outbound: Outbound, url: string): Promise<OutboundResponse> {
  try {
    return await outbound(url, {
      timeoutMs: pageLimits.timeoutMs,
      maxBytes: pageLimits.maxBytes,
      headers: {
        accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
        'accept-language': 'en,*;q=0.5',
      },
    });
  } catch (error) {
    const failure = error instanceof OutboundError ? error.failure : 'unreachable';
    throw new PageUnreadable(
      pageProblems[failure],
      failure === 'unreachable' || failure === 'timeout',
      { cause: error },
    );
  }
}

/** In the encoding the answer or the page names; UTF-8 when neither does or the name is unknown. */
export function decodeText(body: Buffer, contentType: string): string {
  const named = /charset\s*=\s*["']?([\w-]+)/i;
  const label =
    named.exec(contentType)?.[1] ??
    named.exec(body.subarray(0, 2048).toString('latin1'))?.[1] ??
    'utf-8';
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/**
 * What a page says about itself: Open Graph, JSON-LD, title, description, headings, text, icon and
 * main picture.
 */
export function readPageFacts(html: string, url: string): PageFacts {
  const root = parse(html, {
    comment: false,
    blockTextElements: { script: true, style: false, noscript: false, pre: true },
  });
  const meta = readMeta(root);
  const product = readProduct(html, url);
  const named = structuredName(root);
  const image =
    meta.get('og:image') ??
    meta.get('og:image:url') ??
    meta.get('twitter:image') ??
    product?.imageUrl ??
    mainImage(root);
  for (const hidden of root.querySelectorAll(
    'script, style, noscript, template, svg, nav, footer, [hidden], [aria-hidden="true"]',
  ))
    hidden.remove();
  const title =
    textOf(meta.get('og:title')) ??
    textOf(root.querySelector('title')?.text) ??
    textOf(meta.get('twitter:title'));
  const description =
    textOf(meta.get('og:description')) ??
    textOf(meta.get('description')) ??
    textOf(meta.get('twitter:description'));
  const body = root.querySelector('body') ?? root;
  return {
    url,
    language: languageOf(
      root.querySelector('html')?.getAttribute('lang') ?? meta.get('og:locale') ?? null,
    ),
    siteName: textOf(meta.get('og:site_name')) ?? textOf(meta.get('application-name')) ?? named,
    title,
    description: longer(description, textOf(meta.get('description'))),
    headings: texts(root, 'h1, h2, h3', 25),
    paragraphs: texts(root, 'p, li', 60),
    actions: [
      ...texts(root, 'a, button', 80),
      ...root
        .querySelectorAll('input[type="submit"]')
        .flatMap((input) => textOf(input.getAttribute('value')) ?? []),
    ],
    product: product?.facts ?? null,
    imageUrl: absolute(image, url),
    faviconUrl: absolute(iconOf(root), url) ?? absolute('/favicon.ico', url),
    text: storableText(
      [
        title ?? '',
        description ?? '',
        product?.facts.description ?? '',
        product?.facts.price ?? '',
        body.structuredText.replace(/\s+/g, ' '),
      ].join(' \n '),
      pageLimits.textLength,
    ),
  };
}

function readMeta(root: HTMLElement): Map<string, string> {
  const meta = new Map<string, string>();
  for (const element of root.querySelectorAll('meta')) {
    const name = (
      element.getAttribute('property') ??
      element.getAttribute('name') ??
      ''
    ).toLowerCase();
    const content = element.getAttribute('content');
    if (name !== '' && content !== undefined && content.trim() !== '' && !meta.has(name))
      meta.set(name, content.trim());
  }
  return meta;
}

function readProduct(
  html: string,
  url: string,
): { facts: PageProductFacts; imageUrl: string | null } | null {
  const [product] = readPageProducts(html, url);
  if (product === undefined) return null;
  const { name, description, priceMicros, currency, imageUrl } = product;
  const price =
    priceMicros === null || currency === null
      ? null
      : new Intl.NumberFormat('en-US', {
          style: 'currency',
          currency,
          maximumFractionDigits: priceMicros % 1_000_000 === 0 ? 0 : 2,
        }).format(priceMicros / 1_000_000);
  return {
    facts: {
      name: storableText(name, 200),
      description: description === '' ? null : storableText(description, 2000),
      price,
    },
    imageUrl,
  };
}

const organisations =
  'Organization|WebSite|Corporation|LocalBusiness|Restaurant|Store|OnlineStore|Hotel';
const quotedName = String.raw`"name"\s*:\s*"((?:[^"\\]|\\.){1,100})"`;
const namedOrganisation = new RegExp(
  String.raw`"@type"\s*:\s*"(?:${organisations})"[^{}[\]]{0,300}?${quotedName}`,
  'g',
);

/** The organisation or site the page names in its structured data. */
function structuredName(root: HTMLElement): string | null {
  for (const script of root.querySelectorAll('script[type="application/ld+json"]')) {
    for (const node of script.rawText.matchAll(namedOrganisation)) return textOf(node[1]);
  }
  return null;
}

function iconOf(root: HTMLElement): string | null {
  const icons = root
    .querySelectorAll('link')
    .filter((link) => /\b(?:icon|apple-touch-icon)\b/i.test(link.getAttribute('rel') ?? ''));
  return (
    (
      icons.find((link) => /apple-touch/i.test(link.getAttribute('rel') ?? '')) ?? icons[0]
    )?.getAttribute('href') ?? null
  );
}

/** The first picture of the content that is no icon or tracking dot. */
function mainImage(root: HTMLElement): string | null {
  const place = root.querySelector('main') ?? root.querySelector('article') ?? root;
  for (const image of place.querySelectorAll('img')) {
    const address = image.getAttribute('src') ?? image.getAttribute('data-src') ?? '';
    const width = Number(image.getAttribute('width') ?? 200);
    if (
      address !== '' &&
      !address.startsWith('data:') &&
      !(width < 100) &&
      !/\b(?:logo|icon|sprite|avatar|pixel)\b|\.svg(?:\?|$)/i.test(address)
    )
      return address;
  }
  return null;
}

function texts(root: HTMLElement, selector: string, most: number): string[] {
  return root
    .querySelectorAll(selector)
    .slice(0, most * 3)
    .flatMap((element) => textOf(element.structuredText) ?? [])
    .slice(0, most);
}

function textOf(text: string | null | undefined): string | null {
  const line = (text ?? '').replace(/\s+/g, ' ').trim();
  return line === '' ? null : storableText(decodeEntities(line), 1000);
}

/** Attributes and text arrive decoded; pages that encode twice are common. */
function decodeEntities(text: string): string {
  return text
    .replace(/&(?:nbsp|#160);/gi, ' ')
    .replace(/&(?:#39|#x27|apos|rsquo);/gi, '’')
    .replace(/&quot;/gi, '"')
    .replace(/&amp;/gi, '&')
    .replace(/&(?:ndash|mdash|#8211|#8212);/gi, '–');
}

function longer(a: string | null, b: string | null): string | null {
  return (b?.length ?? 0) > (a?.length ?? 0) ? b : a;
}

function languageOf(tag: string | null): string | null {
  const [, primary] = /^\s*([a-z]{2,3})\b/i.exec((tag ?? '').replace('_', '-')) ?? [];
  return primary?.toLowerCase() ?? null;
}

function absolute(address: string | null | undefined, base: string): string | null {
  if (address == null || address.trim() === '' || !URL.canParse(address.trim(), base)) return null;
  const url = new URL(address.trim(), base);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}
