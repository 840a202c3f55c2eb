import { currencyCode } from '../../domain/commerce/currency.js';
import { fromDollars } from '../../domain/money.js';
import { hashPersonal, sha256 } from '../../domain/pii.js';
import { inferNeed } from '../../domain/search/infer-need.js';
import type { ProductFilters } from '../../domain/search/product-filters.js';
import { AppError, fieldError } from '../../platform/errors.js';
import { misplacedFilters } from './misplaced-filters.js';
import { ShopQuery } from './schema.js';

export interface ReadQuery {
  /** As given, or as inferred from the conversation. */
  query: string;
  isInferred: boolean;
  style: string | null;
  filters: ProductFilters;
}

/** Clients send null for "not set". */
export function withoutNulls(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

const known: ReadonlySet<string> = new Set(Object.keys(ShopQuery.properties));

export function readQuery(body: ShopQuery): ReadQuery {
  const misplaced = misplacedFilters(body, known);
  if (misplaced.length > 0)
    throw new AppError('validation_failed', {
      detail: misplaced.map((each) => ({ type: 'unknown_filter', ...each })),
    });
  const context = body.context ?? {};
  const style =
    [context.style, context.vibe].find((text) => text !== undefined && text.trim() !== '') ?? null;
  const given = body.query ?? '';
  const said = (context.messages ?? []).filter((turn) => turn.content.trim() !== '');
  if (given.trim() === '' && said.length === 0)
    throw fieldError(['body', 'query'], 'query or context.messages is required', 'missing');
  const query = given.trim() === '' ? inferNeed(said) : given;
  return { query, isInferred: given.trim() === '', style, filters: readFilters(body) };
}

function readFilters(body: ShopQuery): ProductFilters {
  return {
    ...(body.price_min === undefined ? {} : { priceMinMicros: micros(body.price_min) }),
    ...(body.price_max === undefined ? {} : { priceMaxMicros: micros(body.price_max) }),
    currency: readCurrency(body.currency),
    brands: body.brands ?? [],
    merchants: body.merchants ?? [],
    onSaleOnly: body.on_sale_only,
    colors: body.colors ?? [],
    sizes: body.sizes ?? [],
    ...(body.gender === undefined ? {} : { gender: body.gender }),
    categories: body.categories ?? [],
  };
}

/** Nothing is priced in money nobody has: the code is a slip, and the bounds would mean nothing. */
function readCurrency(text: string): string {
  const currency = currencyCode(text);
  if (currency === null) throw fieldError(['body', 'currency'], 'not an ISO 4217 code');
  return currency;
}

/** A bound beyond what money can be is no bound on that side and admits nothing on the other. */
function micros(amount: number): number {
  if (Math.abs(amount) >= 9e9)
    return amount < 0 ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
  return fromDollars(amount, { allowNegative: true });
}

/** Whom the search was for, as attribution may keep it: raw ids only as their hash. */
export function readIdentity(body: ShopQuery): {
  sessionId: string | null;
  userHash: string | null;
  emailHash: string | null;
} {
  const { external_user_id: raw, external_user_id_hash: hash } = body;
  const email = body.hashed_email ?? body.email_hash;
  // What is called a hash stays if it is one; anything else is hashed, because it may be the thing
  // itself.
  const userHash =
    hash != null
      ? hashPersonal('external_id', hash)
      : raw == null || raw === ''
        ? null
        : sha256(raw);
  return {
    sessionId: body.external_session_id ?? null,
    userHash,
    emailHash: hashPersonal('em', email ?? ''),
  };
}
