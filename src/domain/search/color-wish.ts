// The colour a query asks for beside a thing: it says which of the things, never what else would
// do. Where no such thing has it, the nearest colours come first.
import {
  type ColorBits,
  colorsAnswering,
  colorsSaid,
  distanceFrom,
  isColorDegree,
} from './colors.js';
import { isNaming } from './genuine-fit.js';
import type { Kept } from './judge-matches.js';
import type { ProductColumns } from './product-columns.js';
import type { PlannedGroup } from './query-plan.js';
import { firmCell, type Scored } from './scored.js';

/** What another colour costs in weight: as far away as black from white, nearly everything. */
const steepness = 6;
/** What is not quite the thing stands behind all that is, whatever its colour. */
const otherThing = 0.1;

export interface ColorFound {
  /** The colour, where no such thing has it. */
  missing: string | null;
  weigh(kept: Kept): void;
}

export interface Colored {
  groups: readonly PlannedGroup[];
  /** Place of the group that names the thing. */
  head: number;
  colors: number;
  /** Number of the shelf the thing stands on, -1 when the words do not tell. */
  shelf: number;
}

/** What there is of the first colour asked for; null where nothing is to be said or done. */
export function findColor(
  { groups, head, colors, shelf }: Colored,
  { cells }: Scored,
  { docs }: Kept,
  columns: ProductColumns,
): ColorFound | null {
  const main = groups.map(({ aside, words }) => (aside ? '' : (words[0] ?? '')));
  const wish = colorsSaid(main).find(({ at }) => ((colors >>> at) & 1) === 1);
  if (wish === undefined) return null;
  const firm = (doc: number): number => cells[(doc << 2) + firmCell] as number; // sized to every one
  const whole = groups.reduce(
    (mask, group, at) => (!group.aside && isNaming(group) ? mask | (1 << at) : mask),
    0,
  );
  const kind = [whole & ~colors, (1 << head) & ~colors].find(
    (mask) => mask !== 0 && docs.some((doc) => (firm(doc) & mask) === mask),
  );
  if (kind === undefined) return null;
  const isCalledSo = (doc: number): boolean => (firm(doc) & kind) === kind;
  const isAtHome = (doc: number): boolean => shelf < 0 || columns.shelfOf(doc) === shelf;
  const isOnShelf = docs.some((doc) => isCalledSo(doc) && isAtHome(doc));
  const isKind = (doc: number): boolean => isCalledSo(doc) && (!isOnShelf || isAtHome(doc));
  const said = ((1 << wish.length) - 1) << wish.at;
  const answering = colorsAnswering(wish.name) ?? none;
  let isShade = false;
  let isColored = false;
  for (const doc of docs) {
    if (!isKind(doc)) continue;
    if ((firm(doc) & said) === said) return null;
    const match = columns.colorMatch(doc, answering);
    isShade ||= match === 2;
    isColored ||= match !== 1;
  }
  // Of things that name no colour at all it would say little that they do not name this one.
  if (!isColored) return null;
  const distance = distanceFrom(wish);
  return {
    missing: isShade ? null : main.slice(wish.at, wish.at + wish.length).join(' '),
    weigh({ docs: all, scores }) {
      for (const [at, doc] of all.entries()) {
        const near =
          columns.colorMatch(doc, answering) === 2 ? 0 : columns.colorDistance(doc, distance);
        const factor = Math.exp(-steepness * near) * (isKind(doc) ? 1 : otherThing);
        scores[at] = (scores[at] as number) * factor; // one for each document
      }
    },
  };
}

const none: ColorBits = { low: 0, high: 0 };

/**
 * Groups that only say a colour: one of the plain ones, or a shade before the thing. "Cream" alone
 * or behind is a thing of its own ("face cream").
 */
export function colorGroups(groups: readonly PlannedGroup[]): number {
  const words = groups.map((group) => group.words[0] ?? '');
  const said = colorsSaid(words);
  const isColor = new Set(said.flatMap(({ at, length }) => [at, at + length - 1]));
  const isFollowed = (from: number): boolean =>
    groups.some((group, at) => at >= from && !group.aside && !isColor.has(at) && isNaming(group));
  return said
    .filter(({ at, length, family }) => family === '' || isFollowed(at + length))
    .reduce((mask, { at, length }) => {
      const from = isColorDegree(words[at - 1] ?? '') ? at - 1 : at;
      return mask | (((1 << (at + length - from)) - 1) << from);
    }, 0);
}
