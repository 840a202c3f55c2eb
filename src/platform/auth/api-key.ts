import { createHash, randomBytes } from 'node:crypto';

export type AccountKind = 'advertiser' | 'publisher';

const prefixes: Record<AccountKind, string> = { advertiser: 'sl_adv_', publisher: 'sl_pub_' };

/** 256 random bits; shown once. */
export function mintApiKey(kind: AccountKind): string {
  return prefixes[kind] + randomBytes(32).toString('base64url');
}

/** Keys are random, so one fast hash is enough: there is nothing to guess. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** What may be shown of a key later. */
export function keyPrefix(key: string): string {
  return key.slice(0, 12);
}
