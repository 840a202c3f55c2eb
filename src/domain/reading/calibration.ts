import type { Reading } from './reading.js';

/** What training found on held-back conversations; it belongs to the weights it ships with. */
export type Fit = {
  need: number;
  sensitive: number;
  /** Below it talk is not sensitive, however sure the model is of that. */
  sensitiveFloor: number;
  nearness: number;
  /** How much it counts, against an offer, that a trade we know of is nearer than it. */
  tradeLead: number;
  constant: number;
};

/** Where lines are drawn on what the model says; set by us for those weights. */
export type Thresholds = {
  /** Log-odds of a need below which there is no ad. */
  needAtLeast: number;
  /** The same for a message after one with a need: "two people, on Friday". */
  carriedNeedAtLeast: number;
  /** Log-odds from which no ad may stand beside it. */
  neverAtMost: number;
  /** The same for the turn before: what was touched upon there is not over yet. */
  carriedNeverAtMost: number;
  /** Log-odds from which the text counts as unread. */
  foreignAtMost: number;
  /** The nearness an offer is taken to have whose name is said. */
  namedNearness: number;
  /** How much nearer an offer counts that holds every telling word of what was said. */
  wordsNearness: number;
  /** How near in meaning a text is to a topic somebody ruled out. */
  excludedNearness: number;
};

export type Calibration = Fit & Thresholds;

const limit = 8;
const clip = (logit: number): number => Math.max(-limit, Math.min(limit, logit));

/** What is known of a conversation when offers are weighed. */
export type Weighed = Pick<Reading, 'need' | 'never'> & {
  /** Need of the turn before; null when there was none, or it does not matter. */
  earlier: number | null;
  /** How near the nearest trade we know of is, on sale or not; null when that is not known. */
  trade: number | null;
};

/**
 * The chance that somebody would call this offer helpful now: need × fit on one scale. An offer may
 * be the nearest on sale and still not be what is wanted: that shows when a trade we know of is
 * nearer.
 */
export function relevanceOf(fit: Fit, { need, never, trade }: Weighed, nearness: number): number {
  return chance(
    fit.constant +
      fit.need * clip(need) +
      fit.sensitive * Math.max(fit.sensitiveFloor, clip(never)) +
      fit.nearness * nearness +
      fit.tradeLead * Math.max(0, (trade ?? nearness) - nearness),
  );
}

/** A need of its own, or one that goes on. */
export function hasNeed(
  { needAtLeast, carriedNeedAtLeast }: Calibration,
  { need, earlier }: Pick<Weighed, 'need' | 'earlier'>,
): boolean {
  return (
    need >= needAtLeast || ((earlier ?? -Infinity) >= needAtLeast && need >= carriedNeedAtLeast)
  );
}

/** Moves a chance along its own scale. */
export function shifted(relevance: number, offset: number): number {
  if (offset === 0 || relevance <= 0 || relevance >= 1) return relevance;
  return chance(Math.log(relevance / (1 - relevance)) + offset);
}

export function chance(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

const fitted = [
  'need',
  'sensitive',
  'sensitiveFloor',
  'nearness',
  'tradeLead',
  'constant',
] as const;
const drawn = [
  'needAtLeast',
  'carriedNeedAtLeast',
  'neverAtMost',
  'carriedNeverAtMost',
  'foreignAtMost',
  'namedNearness',
  'wordsNearness',
  'excludedNearness',
] as const;

/** Refuses what is no calibration, by the name of the field. */
export function readCalibration(fit: unknown, thresholds: unknown): Calibration {
  // Every field is there: numbersOf looked at each.
  return { ...numbersOf(fit, fitted), ...numbersOf(thresholds, drawn) } as Calibration;
}

function numbersOf(content: unknown, names: readonly string[]): Record<string, number> {
  const given = Object(content) as Record<string, unknown>;
  return Object.fromEntries(
    names.map((name) => {
      const value = given[name];
      if (typeof value !== 'number' || !Number.isFinite(value))
        throw new Error(`the calibration lacks ${name}`);
      return [name, value];
    }),
  );
}
