// Constraints said in the words of a query: a price, a size, for whom. What was sent as a parameter
// wins over what was said.
import { genderBit, genderWords } from './genders.js';
import { bareNeed } from './infer-need.js';
import { readPriceWish } from './price-wish.js';
import type { ProductFilters } from './product-filters.js';
import type { ParsedQuery } from './product-query.js';
import { talkLists } from './talk-lists.js';

export interface QueryWishes {
  /** The query without the words that became constraints. */
  rest: string;
  /** The filters sent, with the wishes. */
  filters: ProductFilters;
  /** As said; listings that name it go before those that name none. */
  size: string | null;
}

const value = String.raw`(?:\d{1,2}(?:\.5)?|\d{2}\s?x\s?\d{2}|[2-6]x|[2-6]?xl|x{1,3}[sl]|[sml]|x-?small|x-?large|small|medium|large)`;
/** "Size 10", not "plus size", and not a measure: "size 10 inch". */
const sizeWish = new RegExp(
  String.raw`(?<!\b(?:${talkLists.otherSizes})\s)\b(?:in\s+)?(?:(?:us|uk|eu)\s+)?size\s*:?\s*(?:(?:us|uk|eu)\s+)?(${value})(?![\w.]|-\w|\s*(?:${talkLists.measures}|x\s?\d|"|''|%)(?!\w))`,
  'i',
);

export function readWishes(query: string, filters: ProductFilters): QueryWishes {
  const price = readPriceWish(isStory(query) ? bareNeed(query) || query : query);
  const isBounded = filters.priceMinMicros !== undefined || filters.priceMaxMicros !== undefined;
  const isPriceSaid =
    !isBounded && (price.minMicros !== undefined || price.maxMicros !== undefined);
  const size = (filters.sizes ?? []).length > 0 ? null : sizeWish.exec(price.rest);
  const rest =
    size === null ? price.rest : price.rest.replace(size[0], ' ').replace(/\s+/g, ' ').trim();
  const isRest = rest !== '';
  return {
    // A query that is nothing but its size is searched as it stands.
    rest: isRest ? rest : price.rest,
    filters: {
      ...filters,
      ...(isPriceSaid
        ? {
            priceMinMicros: price.minMicros,
            priceMaxMicros: price.maxMicros,
            currency: price.currency ?? filters.currency,
          }
        : {}),
      ...(size !== null && isRest ? { sizes: [size[1] ?? ''] } : {}),
    },
    size: size !== null && isRest ? size[0] : null,
  };
}

/** Long enough to hold more than the need itself. */
function isStory(query: string): boolean {
  return query.length > 60 && query.split(/\s+/).length > 8;
}

const relative = new RegExp(
  String.raw`\bfor\s+(?:(?:${talkLists.beforeRelatives})\s+)?(?:(${talkLists.womenInTheFamily})|(${talkLists.menInTheFamily}))\b`,
  'i',
);

/**
 * Whom the query names as the wearer, as bits; 0 when it names nobody. A relative counts only as
 * the one it is for: there are "mom jeans".
 */
export function gendersAsked(query: string, { wanted }: ParsedQuery): number {
  const said = new Set(wanted.filter((each) => each.absent === undefined).map((each) => each.word));
  const named = genderWords.reduce(
    (mask, { bit, words }) => (words.some((word) => said.has(word)) ? mask | bit : mask),
    0,
  );
  if (named !== 0) return named;
  const [, she, he] = relative.exec(query) ?? [];
  return (she === undefined ? 0 : genderBit.women) | (he === undefined ? 0 : genderBit.men);
}
