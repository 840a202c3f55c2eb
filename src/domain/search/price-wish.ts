// A price said in words ("under $50", "between 20 and 40 euros"): taken out of the query and kept
// as bounds.
import { talkLists } from './talk-lists.js';

export interface PriceWish {
  /** The query without the words about money. */
  rest: string;
  minMicros?: number;
  maxMicros?: number;
  /** ISO code when a sign or a name was given. */
  currency?: string;
}

const sign = String.raw`(?:us\$|\$|€|£)`;
const amount = String.raw`(\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?)`;
const name = String.raw`(?:\s?(?:${talkLists.currencies})\b|\s?(?:€|£|\$))`;
/** Money is a number with a sign before or a name after it: "under 5 feet" is no price. */
const money = String.raw`(?:${sign}\s?${amount}${name}?|${amount}${name})`;
const most = new RegExp(String.raw`\b(?:${talkLists.atMost})\s+${money}`, 'i');
const least = new RegExp(String.raw`\b(?:${talkLists.atLeast})\s+${money}`, 'i');
const between = new RegExp(
  String.raw`\b(?:between|from)\s+${sign}?\s?${amount}${name}?\s*(?:and|to|-|–)\s*${money}`,
  'i',
);
const range = new RegExp(String.raw`${sign}\s?${amount}\s*(?:-|–|to)\s*${sign}?\s?${amount}`, 'i');

function micros(text: string | undefined): number {
  return Math.round(Number((text ?? '').replaceAll(',', '')) * 1_000_000);
}

function currencyIn(text: string): string | undefined {
  if (/€|eur/i.test(text)) return 'EUR';
  if (/£|gbp|pounds? sterling|quid/i.test(text)) return 'GBP';
  return /\$|dollar|bucks|usd/i.test(text) ? 'USD' : undefined;
}

export function readPriceWish(query: string): PriceWish {
  const span = between.exec(query) ?? range.exec(query);
  if (span !== null) {
    const [low, high] = span.slice(1).filter((each) => each !== undefined);
    return {
      rest: without(query, span[0]),
      minMicros: micros(low),
      maxMicros: micros(high),
      currency: currencyIn(span[0]),
    };
  }
  const upper = most.exec(query);
  const lower = least.exec(query);
  if (upper === null && lower === null) return { rest: query };
  const wish: PriceWish = { rest: query };
  if (upper !== null) {
    wish.maxMicros = micros(upper[1] ?? upper[2]);
    wish.rest = without(wish.rest, upper[0]);
  }
  if (lower !== null) {
    wish.minMicros = micros(lower[1] ?? lower[2]);
    wish.rest = without(wish.rest, lower[0]);
  }
  const currency = currencyIn((upper?.[0] ?? '') + (lower?.[0] ?? ''));
  if (currency !== undefined) wish.currency = currency;
  return wish;
}

function without(query: string, part: string): string {
  return query.replace(part, ' ').replace(/\s+/g, ' ').trim();
}
