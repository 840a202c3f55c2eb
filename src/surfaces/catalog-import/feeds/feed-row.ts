import type { CatalogItem } from '../../../domain/commerce/catalog-item.js';

/** One row of a feed: a listing, or what is wrong with it. */
export type FeedRow =
  | {
      row: number;
      item: CatalogItem;
      /** The feed itself says that it is not to be found; its stock says nothing then. */
      isWithheld?: boolean;
    }
  | { row: number; label: string; externalId: string | null; problem: string };

export const feedFormats = [
  'google-xml',
  'table',
  'jsonl',
  'shopify',
  'ucp',
  'schema-org',
] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** Formats only a hosted storefront has. */
export function isStorefront(format: string): boolean {
  return format === 'shopify' || format === 'ucp';
}

/** The source cannot be read on: what was written stays, nothing is removed. */
export class BrokenFeed extends Error {
  override readonly name = 'BrokenFeed';
}

/** Text of a scalar, trimmed; empty for anything else. */
export function textIn(record: Record<string, unknown>, ...names: readonly string[]): string {
  for (const name of names) {
    const value = record[name];
    const text =
      typeof value === 'string'
        ? value.trim()
        : typeof value === 'number' || typeof value === 'boolean'
          ? String(value)
          : '';
    if (text !== '') return text;
  }
  return '';
}
