import type { ProductFilters } from '../../../domain/search/product-filters.js';
import type { ProductHit, ProductSearchResult } from '../../../domain/search/product-search.js';
import type { Product } from '../schema.js';

export interface ReasoningFacts {
  query: string;
  result: Pick<
    ProductSearchResult,
    'total' | 'corrected' | 'excluded' | 'missingColor' | 'applied'
  >;
  best: { product: Product; hit: ProductHit } | null;
  /** What the listings shown are priced in. */
  currencies: readonly string[];
  webCount: number;
  /** False for the raw ranking, in which nobody judged whether a listing fits. */
  isJudged: boolean;
  /** How much of the shop could be looked through, where that was not all of it. */
  unfinished: { indexed: number; of: number } | null;
}

/**
 * One sentence about why this comes first, or why nothing does: only what the match itself shows.
 */
export function composeReasoning({
  query,
  result,
  best,
  currencies,
  webCount,
  isJudged,
  unfinished,
}: ReasoningFacts): string {
  const limits = limitsOf(result.applied, currencies);
  if (best === null) {
    const subject =
      query === ''
        ? 'The conversation names nothing to buy'
        : `Nothing in stock matches ${quoted(query)}${limits.length === 0 ? '' : ` within ${limits.length === 1 ? 'the limit' : 'the limits'} on ${joined(limits)}`}`;
    return `${subject}${lookedThrough(unfinished)}${webCount > 0 ? ', so these are pages found on the web' : ''}.`;
  }
  const { product, hit } = best;
  const parts = [matchOf(hit, result)];
  if (result.missingColor !== null)
    parts.push(`stands in for ${plain(result.missingColor)}, a colour nothing that fits has`);
  if (limits.length > 0)
    parts.push(`keeps to the ${limits.length === 1 ? 'limit' : 'limits'} on ${joined(limits)}`);
  if (result.excluded.length > 0) parts.push(`leaves out ${joined(result.excluded)}`);
  parts.push(
    `is in stock at ${plain(product.merchant)} for ${priceOf(product)}${comparedPrice(product, result.applied)}`,
  );
  return `${quoted(product.name)} ${joined(parts)}${result.total > 1 ? `, the ${isJudged ? 'best' : 'first'} of ${result.total} that ${isJudged ? 'fit' : 'match'}` : ''}${lookedThrough(unfinished)}.`;
}

/** Nobody may take a shop that is still read in for one that has nothing. */
function lookedThrough(unfinished: ReasoningFacts['unfinished']): string {
  if (unfinished === null) return '';
  const { indexed, of } = unfinished;
  if (indexed === 0) return ' yet: the listings are still being indexed';
  const share = of > indexed ? ` of about ${of.toLocaleString('en-US')}` : '';
  return ` among the ${indexed.toLocaleString('en-US')}${share} listings indexed so far`;
}

function matchOf(hit: ProductHit, { corrected }: ReasoningFacts['result']): string {
  const read = corrected === null ? 'the request' : `the request, read as ${quoted(corrected)},`;
  switch (hit.tier) {
    case 3:
      return `has every word of ${read} in its title`;
    case 2:
      return `answers every word of ${read} by its title, brand, category or details`;
    case 1:
      return `mentions every word of ${read}`;
    default:
      return `is the closest to ${read} although it does not name all of it`;
  }
}

function priceOf(product: Product): string {
  const shown = money(product.price, product.currency);
  return product.on_sale && product.regular_price !== null
    ? `${shown} instead of ${money(product.regular_price, product.currency)}`
    : shown;
}

/** A bound in another currency was kept to at the operator's rates. */
function comparedPrice(product: Product, filters: ProductFilters): string {
  const { currency: asked = 'USD', rates = {} } = filters;
  const [own, wanted] = [rates[product.currency.toUpperCase()], rates[asked]];
  return isBounded(filters) &&
    product.currency !== asked &&
    own !== undefined &&
    wanted !== undefined
    ? `, about ${money((product.price * own) / wanted, asked)} at the operator’s rate`
    : '';
}

function isBounded({ priceMinMicros, priceMaxMicros }: ProductFilters): boolean {
  return priceMinMicros !== undefined || priceMaxMicros !== undefined;
}

/** Shown prices are the listings' own: which of them the bounds were converted for is told. */
function foreignPrices(
  { currency: asked = 'USD' }: ProductFilters,
  currencies: readonly string[],
): string {
  const foreign = [...new Set(currencies)].filter((each) => each !== asked);
  return foreign.length === 0
    ? ''
    : ` in ${asked} (listings in ${joined(foreign)} compared at the operator’s rates)`;
}

const signs: Readonly<Record<string, string>> = { USD: '$', EUR: '€', GBP: '£' };

export function money(amount: number, currency: string): string {
  const sign = signs[currency];
  // As below, in a hundredth of the time.
  if (sign !== undefined && amount >= 0 && amount < 1e12)
    return `${sign}${amount.toFixed(2).replace(/\B(?=(?:\d{3}){1,4}\.)/g, ',')}`;
  try {
    return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount);
  } catch {
    // A code no currency has: the number still helps.
    return `${amount} ${currency}`;
  }
}

function limitsOf(filters: ProductFilters, currencies: readonly string[]): string[] {
  const given = (list: readonly unknown[] | undefined): boolean =>
    list !== undefined && list.length > 0;
  return [
    ...(isBounded(filters) ? [`price${foreignPrices(filters, currencies)}`] : []),
    ...(given(filters.brands) ? ['brand'] : []),
    ...(given(filters.merchants) ? ['merchant'] : []),
    ...(filters.onSaleOnly === true ? ['sale'] : []),
    ...(given(filters.colors) ? ['colour'] : []),
    ...(given(filters.sizes) ? ['size'] : []),
    ...(filters.gender === undefined ? [] : ['gender']),
    ...(given(filters.categories) ? ['category'] : []),
  ];
}

function joined(parts: readonly string[]): string {
  return parts.length < 2
    ? (parts[0] ?? '')
    : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}

/** Titles may hold full stops; inside quotation marks the sentence stays one. */
function quoted(text: string): string {
  return `“${plain(text)}”`;
}

function plain(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}
