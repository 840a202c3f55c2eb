import { isRecord } from '../../domain/is-record.js';
import { lettersOf, nameMeant } from '../../domain/text/name-meant.js';
import { shopFilters } from './schema.js';

/** A wish under another name would silently do nothing. */
const filters: readonly string[] = Object.keys(shopFilters);

/** `body.filters.price.price_max`, and no further. */
const deepest = 4;

/** What others, and our own products, call a filter that is spelt otherwise here. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['onsale', 'on_sale_only'],
  ['saleonly', 'on_sale_only'],
  ['pricerangemin', 'price_min'],
  ['pricerangemax', 'price_max'],
]);
/** The ends of a range, as `price: {max: 50}` names them. */
const rangeEnds: ReadonlyMap<string, string> = new Map(
  [
    ['price_min', 'min minimum from gte'],
    ['price_max', 'max maximum to lte'],
  ].flatMap(([filter = '', ends = '']) => ends.split(' ').map((end) => [end, filter] as const)),
);

export interface Misplaced {
  loc: (string | number)[];
  msg: string;
}

/**
 * Filters that were put into an object of their own, or under a name that is nearly one of ours.
 * Fields that are like none of them stay ignored, and so does what `context` and `metadata` hold.
 */
export function misplacedFilters(
  body: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): Misplaced[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (known.has(name)) return [];
    const meant = meantBy(name);
    return meant === null
      ? misplacedIn(value, ['body', name])
      : [{ loc: ['body', name], msg: `Unknown filter; did you mean ${meant}?` }];
  });
}

/** What lies in an object that has no place in a body, or in one inside it. */
function misplacedIn(value: unknown, loc: readonly (string | number)[]): Misplaced[] {
  if (!isRecord(value) || loc.length > deepest) return [];
  return Object.entries(value)
    .slice(0, 50)
    .flatMap(([name, inner]) => {
      const isEnd = /^price(?:range)?$/.test(lettersOf(String(loc.at(-1))));
      const filter =
        filters.find((each) => each === name) ??
        (isEnd ? rangeEnds.get(lettersOf(name)) : undefined) ??
        meantBy(name);
      return filter === null
        ? misplacedIn(inner, [...loc, name])
        : [{ loc: [...loc, name], msg: `Belongs at the top of the body, as ${filter}` }];
    });
}

/** The filter a name is a slip of; "colour" is one of "colours", which is a slip of its own. */
function meantBy(name: string): string | null {
  return (
    otherNames.get(lettersOf(name)) ?? nameMeant(name, filters) ?? nameMeant(`${name}s`, filters)
  );
}
