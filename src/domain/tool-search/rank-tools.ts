import { type ConstraintName, constraintsSet, failedBy } from './constraints.js';
import type { NeedState } from './need-state.js';
import type { Tool, ToolCategory } from './tool.js';
import type { Evidence, ToolIndex } from './tool-index.js';
import {
  barredSlugs,
  isAlternative,
  toolAt,
  weighTools,
  type WeighOptions,
} from './weigh-tools.js';

export interface RankedTool {
  tool: Tool;
  score: number;
  /** The example need of the tool that comes nearest. */
  need(): string;
  words: number;
  matched: number;
  firm: number;
  meaning: number | null;
}

export interface Ranking {
  /** Best first; every one satisfies every constraint. Empty: nothing fits. */
  ranked: readonly RankedTool[];
  answer: 'good' | 'weak' | 'none';
  /**
   * Why nothing is left although the need is understood: the best tool regardless of constraints,
   * and what it fails.
   */
  nearMiss: { tool: Tool; failed: readonly ConstraintName[] } | null;
  category: ToolCategory;
  /** Cheaper was asked for and nothing in reach is. */
  isPriceRelaxed: boolean;
}

export interface RankOptions extends WeighOptions {
  named: string | null;
  /** The place of the tool that surely answers, −1 for none: nothing weighs against it. */
  sureAt?: number;
  /** It is only mentioned, in the category of the need. */
  isGuess?: boolean;
  cheaperThan?: Tool | null;
  /** Only the caller's surroundings name a stack. */
  isStackAside?: boolean;
  limit?: number;
}

/**
 * Below this no example need means anything like the text, whatever words they share: "book a table
 * for two" is no need for a database.
 */
const leastMeaning = 0.3;
/**
 * From these odds of the model that was taught the tools a message is a need, and from these surely
 * one.
 */
const [leastNeed, sureNeed] = [0.9, 1.7];
/** What it adds to these odds that a tool is read to be left: who leaves one may want another. */
const leftCounts = 2.5;
/** What suits the surroundings and is this far behind the best answers another need. */
const anotherNeed = 0.15;
/** What surely answers stands this far ahead of the rest. */
const aheadIfSure = 0.05;
/** Tools this far behind the best are answers to something else. */
const within = 0.35;

/**
 * Orders the tool index for a need. Constraints, refusals and what was shown before are filters;
 * the rest is weighed.
 */
export function rankTools(
  index: ToolIndex,
  state: NeedState,
  evidence: Evidence,
  options: RankOptions,
): Ranking {
  const { limit = 5, named, sureAt = -1, establishedIn = null } = options;
  const { tools } = index;
  const { scores, leader } = weighTools(index, state, evidence, options);
  if (sureAt >= 0) scores[sureAt] = Math.max(...scores) + aheadIfSure;
  const rankedAt = (place: number): RankedTool => rankedTool(tools, scores, evidence, place);
  const namedAt = named === null ? -1 : tools.findIndex(({ slug }) => slug === named);
  const isUnasked =
    options.isGuess === true && (isFarOff(scores, namedAt) || !isNeed(evidence, state));
  const askedAt = isUnasked ? -1 : namedAt;
  const open = openPlaces(tools, state, namedAt);
  if (askedAt >= 0)
    return {
      ranked: [askedAt, ...besideAsked(tools, askedAt, open, scores, state)]
        .slice(0, limit)
        .map(rankedAt),
      answer: 'good',
      nearMiss: null,
      category: toolAt(tools, askedAt).category,
      isPriceRelaxed: false,
    };
  const bestAt = bestOf(open, scores);
  const best = bestAt < 0 ? undefined : rankedAt(bestAt);
  const leading = leader < 0 ? undefined : rankedAt(leader);
  const answer = answerOf(index, state, evidence, [best, leading], establishedIn);
  if (best === undefined || answer === 'none')
    return nothing(best?.tool.category ?? evidence.category, null);
  const nearest = open
    .filter((place) =>
      isAbout(
        best.score - (scores[place] ?? 0),
        index.categoryAt[place] === index.categoryAt[bestAt],
        evidence,
      ),
    )
    .sort(byScore(scores));
  const { pool, isPriceRelaxed } = poolOf(nearest, tools, state, scores, options);
  const ranked = pool.slice(0, limit).map(rankedAt);
  const [first] = ranked;
  if (first === undefined)
    return nothing(best.tool.category, {
      tool: best.tool,
      failed: failedBy(best.tool, state.constraints),
    });
  return {
    ranked,
    answer: first.score < best.score - within ? 'weak' : answer,
    nearMiss: null,
    category: first.tool.category,
    isPriceRelaxed,
  };
}

/**
 * Whether the best tool answers the need. One that is understood stays so, whatever the stack then
 * prefers: the tool that led without it may answer instead.
 */
function answerOf(
  index: ToolIndex,
  state: NeedState,
  evidence: Evidence,
  [best, leading]: readonly [RankedTool | undefined, RankedTool | undefined],
  establishedIn: ToolCategory | null,
): Ranking['answer'] {
  const strength = stronger(
    strengthOf(evidence, best, state),
    strengthOf(evidence, leading, state),
  );
  // By words and nearness a kind that is named stands for a need; the model reads the message.
  const isKindNamed =
    evidence.need === null &&
    state.refused.some((slug) => index.named(slug)?.category === best?.tool.category);
  return strength === 'none' && (establishedIn !== null || isKindNamed) ? 'weak' : strength;
}

/** A name in passing is asked for only where it answers the need: "labels for a Spree shop". */
function isFarOff(scores: Float32Array, place: number): boolean {
  return place >= 0 && Math.max(...scores) - (scores[place] ?? 0) > within;
}

/** Whether the model that was taught the tools thinks so; without it anything may be a need. */
function isNeed({ need }: Evidence, { like }: NeedState, least = leastNeed): boolean {
  return need === null || need + (like.length > 0 ? leftCounts : 0) >= least;
}

function rankedTool(
  tools: readonly Tool[],
  scores: Float32Array,
  evidence: Evidence,
  place: number,
): RankedTool {
  return {
    tool: toolAt(tools, place),
    score: scores[place] ?? 0,
    need: () => evidence.nearestNeed(place),
    words: evidence.words[place] ?? 0,
    matched: evidence.matched[place] ?? 0,
    firm: evidence.firm[place] ?? 0,
    meaning: evidence.meaning?.[place] ?? null,
  };
}

function nothing(category: ToolCategory, nearMiss: Ranking['nearMiss']): Ranking {
  return { ranked: [], answer: 'none', nearMiss, category, isPriceRelaxed: false };
}

function bestOf(places: readonly number[], scores: Float32Array): number {
  let best = -1;
  for (const place of places)
    if (best < 0 || (scores[place] ?? 0) > (scores[best] ?? 0)) best = place;
  return best;
}

/** What may be recommended at all: not shown or refused before, and not the one asked for. */
function openPlaces(tools: readonly Tool[], state: NeedState, askedAt: number): number[] {
  const barred = barredSlugs(tools, state);
  const open: number[] = [];
  for (let place = 0; place < tools.length; place++)
    if (place !== askedAt && (barred.size === 0 || !barred.has(toolAt(tools, place).slug)))
      open.push(place);
  return open;
}

function byScore(scores: Float32Array): (a: number, b: number) => number {
  return (a, b) => (scores[b] ?? 0) - (scores[a] ?? 0);
}

function fitsOf(tools: readonly Tool[], { constraints }: NeedState): (place: number) => boolean {
  const isConstrained = constraintsSet(constraints).length > 0;
  return (place) => !isConstrained || failedBy(toolAt(tools, place), constraints).length === 0;
}

/**
 * A stack that is only the surroundings rules out what was not made for it, as long as something
 * answers the need about as well: it must not turn one need into another. What serves a single
 * language stays ruled out.
 */
function fitsAside(
  nearest: readonly number[],
  tools: readonly Tool[],
  state: NeedState,
  scores: Float32Array,
): (place: number) => boolean {
  const strict = fitsOf(tools, state);
  const constraints = { ...state.constraints, languages: [], frameworks: [] };
  const loose = fitsOf(tools, { ...state, constraints });
  const lead = nearest.find(loose);
  const bestStrict = nearest.find(strict);
  if (lead === undefined || bestStrict === undefined) return strict;
  const { category } = toolAt(tools, lead);
  const isUsable = (place: number): boolean =>
    toolAt(tools, place).category === category &&
    (strict(place) || (loose(place) && toolAt(tools, place).facts.languages.length > 1));
  const best = nearest.find(isUsable);
  const isAnotherNeed =
    best !== undefined &&
    (toolAt(tools, bestStrict).category !== category ||
      (scores[best] ?? 0) - (scores[bestStrict] ?? 0) > anotherNeed);
  return isAnotherNeed ? isUsable : strict;
}

/** Others of its kind, those it names as alternatives first. */
function besideAsked(
  tools: readonly Tool[],
  askedAt: number,
  open: readonly number[],
  scores: Float32Array,
  state: NeedState,
): number[] {
  const asked = toolAt(tools, askedAt);
  const fits = fitsOf(tools, state);
  const compare = byScore(scores);
  return open
    .filter((place) => toolAt(tools, place).category === asked.category && fits(place))
    .sort(
      (a, b) =>
        Number(isAlternative(asked, toolAt(tools, b))) -
          Number(isAlternative(asked, toolAt(tools, a))) || compare(a, b),
    );
}

/** Those that meet every condition; of all of them the cheaper ones, where that was asked for. */
function poolOf(
  nearest: readonly number[],
  tools: readonly Tool[],
  state: NeedState,
  scores: Float32Array,
  { limit = 5, cheaperThan = null, isStackAside = false }: RankOptions,
): { pool: readonly number[]; isPriceRelaxed: boolean } {
  const fits = isStackAside ? fitsAside(nearest, tools, state, scores) : fitsOf(tools, state);
  const fitting: number[] = [];
  for (const place of nearest) {
    if (fits(place)) fitting.push(place);
    if (cheaperThan === null && fitting.length === limit) break;
  }
  return cheaperThan === null
    ? { pool: fitting, isPriceRelaxed: false }
    : cheaperOf(fitting, tools, cheaperThan);
}

function stronger(one: Ranking['answer'], other: Ranking['answer']): Ranking['answer'] {
  if (one === 'good' || other === 'good') return 'good';
  return one === 'weak' || other === 'weak' ? 'weak' : 'none';
}

/** Cheaper ones; when there are none, those of no higher price, and that it is so. */
function cheaperOf(
  places: readonly number[],
  tools: readonly Tool[],
  { facts }: Tool,
): { pool: readonly number[]; isPriceRelaxed: boolean } {
  const limit = facts.price_level ?? 4;
  const atMost = (level: number): number[] =>
    places.filter((place) => (toolAt(tools, place).facts.price_level ?? 9) <= level);
  const cheaper = atMost(limit - 1);
  if (cheaper.length > 0) return { pool: cheaper, isPriceRelaxed: false };
  const same = atMost(limit);
  return { pool: same.length > 0 ? same : places, isPriceRelaxed: true };
}

/** Nearly as good as the best, or further behind in the category the need is surely about. */
function isAbout(behind: number, isSameCategory: boolean, evidence: Evidence): boolean {
  return behind < within || (isSameCategory && (behind < 2 * within || evidence.certainty > 0.5));
}

/**
 * Whether the best tool answers the need at all. One word found in running text is no answer,
 * however rare the word.
 */
function strengthOf(
  evidence: Evidence,
  best: RankedTool | undefined,
  state: NeedState,
): Ranking['answer'] {
  if (best === undefined) return 'none';
  if (evidence.need !== null) {
    if (!isNeed(evidence, state)) return 'none';
    return isNeed(evidence, state, sureNeed) ? 'good' : 'weak';
  }
  if (state.like.length > 0) return 'good';
  const { words, meaning, matched, firm } = best;
  const isHeard = matched >= 2 || firm >= 1;
  if (meaning === null) {
    // Everyday words stand in example needs too: two of them are no need.
    const isSaid = matched >= 3 || firm >= 1;
    if (evidence.known < 0.45 || words < 0.25 || !isSaid) return 'none';
    return words + 0.06 * Math.min(3, firm) < 0.36 ? 'weak' : 'good';
  }
  const strength = meaning + 0.5 * words + 0.06 * Math.min(3, firm) + 0.1 * evidence.known;
  if (meaning < leastMeaning || strength < 0.52 || (!isHeard && meaning < 0.5)) return 'none';
  return strength < 0.6 ? 'weak' : 'good';
}
