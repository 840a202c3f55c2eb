import { createHash } from 'node:crypto';

/** The same for the same merchant and item, in every import and every store. */
export function productIdOf(merchantSlug: string, externalId: string): string {
  return `prd_${createHash('sha256').update(`${merchantSlug}\n${externalId}`).digest('base64url').slice(0, 20)}`;
}

export function slugOf(name: string): string {
  // Of several signs between words one dash is left, so at most one stands at each end.
  const slug = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return slug === ''
    ? `m-${createHash('sha256').update(name).digest('hex').slice(0, 10)}`
    : slug.slice(0, 80);
}
