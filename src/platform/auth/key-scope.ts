import type { AccountKind } from './api-key.js';

/** What a key may be narrowed to; a key without a list may do everything. */
export const keyScopes = {
  advertiser: ['read', 'manage', 'billing', 'conversions'],
  publisher: ['read', 'manage', 'serve', 'search'],
} as const satisfies Record<AccountKind, readonly string[]>;

export type KeyScope = (typeof keyScopes)[AccountKind][number];

export function allows(scopes: readonly string[] | null, scope: KeyScope | null): boolean {
  return scopes === null || scope === null || scopes.includes(scope);
}
