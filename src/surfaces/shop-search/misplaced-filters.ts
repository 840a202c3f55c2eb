import { isRecord } from '../../domain/is-record.js';
import { lettersOf, nameMeant } from '../../domain/text/name-meant.js';
import { shopFilters } from './schema.js';

/** A wish under another name would silently do nothing. */
const filters: readonly string[] = Object.keys(shopFilters);

/** `body.filters.price.price_max`, and no further. */
const deepest = 4;
/** So many entries of an object or a list are looked at. */
const most = 50;
/** Objects whose entries are filters, or the ends of a price. */
const filterLists: ReadonlySet<string> = new Set(['filter', 'filters']);
const priceNames: ReadonlySet<string> = new Set(['price', 'pricerange', 'budget']);

/** What others, and our own products, call a filter that is spelt otherwise here. */
const otherNames = byName([
  ['on_sale_only', 'onsale saleonly'],
  ['price_min', 'pricerangemin'],
  ['price_max', 'pricerangemax'],
]);
/**
 * Names too common to mean a filter wherever they stand: they do at the top of a body, and among
 * what is called filters.
 */
const commonNames = byName([
  ['on_sale_only', 'sale'],
  ['price_min or price_max', 'price pricerange budget'],
  ['gender', 'sex'],
  ['merchants', 'store stores shop shops'],
]);
/** The ends of a range, as `price: {max: 50}` names them. */
const rangeEnds = byName([
  ['price_min', 'min minimum from gte'],
  ['price_max', 'max maximum to lte'],
]);

/** Each row: what is meant, and names for it in small letters alone. */
function byName(rows: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap(([meant, names]) => names.split(' ').map((name) => [name, meant] as const)),
  );
}

export interface Misplaced {
  loc: (string | number)[];
  msg: string;
}

/**
 * Filters that were put into an object of their own, or under a name that is nearly one of ours.
 * Fields that are like none of them stay ignored, and so does what `metadata` holds. `context` may
 * hold whatever is known beside the query, so only a filter by its very name counts as one there.
 */
export function misplacedFilters(
  body: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): Misplaced[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (name === 'context') return filtersOfContext(value);
    if (known.has(name)) return [];
    const inside = misplacedIn(value, ['body', name]);
    const meant = meantBy(name) ?? (inside.length > 0 ? null : commonNames.get(lettersOf(name)));
    return meant == null
      ? inside
      : [{ loc: ['body', name], msg: `Unknown filter; did you mean ${meant}?` }];
  });
}

function filtersOfContext(context: unknown): Misplaced[] {
  return filters
    .filter((filter) => isRecord(context) && isGiven(context[filter]))
    .map((filter) => misplaced(['body', 'context', filter], filter));
}

/** Clients send null for "not set". */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function misplaced(loc: (string | number)[], filter: string): Misplaced {
  return { loc, msg: `Belongs at the top of the body, as ${filter}` };
}

/** What lies in an object or a list that has no place in a body, or in one inside it. */
function misplacedIn(value: unknown, loc: readonly (string | number)[]): Misplaced[] {
  if (loc.length > deepest) return [];
  if (Array.isArray(value))
    return value.slice(0, most).flatMap((each, at) => misplacedIn(each, [...loc, at]));
  if (!isRecord(value)) return [];
  const around = lettersOf(String(loc.findLast((part) => typeof part === 'string')));
  return Object.entries(value)
    .slice(0, most)
    .flatMap(([name, inner]) => {
      const filter =
        filters.find((each) => each === name) ??
        (priceNames.has(around) ? rangeEnds.get(lettersOf(name)) : undefined) ??
        meantBy(name);
      if (filter != null) return [misplaced([...loc, name], filter)];
      const inside = misplacedIn(inner, [...loc, name]);
      const common = filterLists.has(around) ? commonNames.get(lettersOf(name)) : undefined;
      return inside.length > 0 || common === undefined
        ? inside
        : [misplaced([...loc, name], common)];
    });
}

/** The filter a name is a slip of; "colour" is one of "colours", which is a slip of its own. */
function meantBy(name: string): string | null {
  return (
    otherNames.get(lettersOf(name)) ?? nameMeant(name, filters) ?? nameMeant(`${name}s`, filters)
  );
}
