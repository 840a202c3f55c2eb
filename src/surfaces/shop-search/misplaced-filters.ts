import { isRecord } from '../../domain/is-record.js';
import { editDistance } from '../../domain/text/edit-distance.js';
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
      const isEnd = /^price(?:range)?$/.test(letters(String(loc.at(-1))));
      const filter =
        filters.find((each) => each === name) ??
        (isEnd ? rangeEnds.get(letters(name)) : undefined) ??
        meantBy(name);
      return filter === null
        ? misplacedIn(inner, [...loc, name])
        : [{ loc: [...loc, name], msg: `Belongs at the top of the body, as ${filter}` }];
    });
}

/**
 * The filter a name is a slip of: other case or signs, other order, one of many, a typing error.
 */
function meantBy(name: string): string | null {
  const plain = letters(name);
  if (plain.length < 4 || plain.length > 20) return null;
  const other = otherNames.get(plain);
  if (other !== undefined) return other;
  const same = filters.find(
    (filter) =>
      plain === letters(filter) ||
      reversed(name) === filter ||
      plain === filter.split('_').reverse().join('') ||
      `${plain.replace(/y$/, 'ie')}s` === letters(filter),
  );
  return (
    same ??
    filters.find((filter) => {
      const wanted = letters(filter);
      return (
        editDistance(plain, wanted, 2) <= (wanted.length > 7 ? 2 : 1) ||
        editDistance(`${plain}s`, wanted, 2) <= 1
      );
    }) ??
    null
  );
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** "maxPrice" and "max_price" are price_max. */
function reversed(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .reverse()
    .join('_');
}
