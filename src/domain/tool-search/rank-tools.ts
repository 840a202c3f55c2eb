import { type ConstraintName, constraintsSet, failedBy, noConstraints } from './constraints.js';
import type { NeedState } from './need-state.js';
import { isRefusedBase } from './read-need.js';
import type { MakerWish } from './read-wishes.js';
import { type Base, homeRegion, type NamedTool, type Tool, type ToolCategory } from './tool.js';
import type { Evidence, ToolIndex } from './tool-index.js';
import { toolTerms } from './tool-terms.js';

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

export interface RankOptions {
  named: string | null;
  /** It is only mentioned, in the category of the need. */
  isGuess?: boolean;
  cheaperThan?: Tool | null;
  /**
   * The category of a need that was understood before, in a follow-up about it: it stays
   * understood, and stays there.
   */
  establishedIn?: ToolCategory | null;
  /** Tools with a small advantage among equals. */
  favoured?: ReadonlySet<string>;
  limit?: number;
}

const widelyUsed = 0.05;
const besidePenalty = 0.4;
/** Made to run on what is there already: further behind than another stack may be, it wins. */
const onWhatIsThere = 0.2;
/** It is the database that was named. */
const namedBase = 0.15;
const leaning = 0.3;
const makersHome = 0.3;
const likeBonus = 0.2;
/** What is wanted instead is said in so many words. */
const likeBonusWhereSaid = 0.08;
const sameCategoryAsLike = 0.25;
const favour = 0.04;
/**
 * "For Python" asks for another tool of the same kind, not for whatever Python is mentioned with.
 */
const sameCategoryAsBefore = 0.3;
/**
 * Below this no example need means anything like the text, whatever words they share: "book a table
 * for two" is no need for a database.
 */
const leastMeaning = 0.3;
/** Tools this far apart answer the same need, and what does not suit the stack falls behind. */
const among = 0.35;
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
  const { limit = 5, named, establishedIn = null } = options;
  const { tools } = index;
  const { scores, leader } = weigh(index, state, evidence, options);
  const rankedAt = (place: number): RankedTool => rankedTool(tools, scores, evidence, place);
  const namedAt = named === null ? -1 : tools.findIndex(({ slug }) => slug === named);
  const askedAt = options.isGuess === true && isFarOff(scores, namedAt) ? -1 : namedAt;
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
  // A need that is understood stays so, whatever the stack then prefers.
  const strength = stronger(
    strengthOf(evidence, best, state),
    strengthOf(evidence, leader < 0 ? undefined : rankedAt(leader), state),
  );
  const isKindNamed = state.refused.some(
    (slug) => index.named(slug)?.category === best?.tool.category,
  );
  const answer = strength === 'none' && (establishedIn !== null || isKindNamed) ? 'weak' : strength;
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
  const { pool, isPriceRelaxed } = poolOf(nearest, tools, state, options);
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

/** A name in passing is asked for only where it answers the need: "labels for a Spree shop". */
function isFarOff(scores: Float32Array, place: number): boolean {
  return place >= 0 && Math.max(...scores) - (scores[place] ?? 0) > within;
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

/** Shown or refused before, or impossible without what was refused. */
function barredSlugs(
  tools: readonly Tool[],
  { shown, refused, unwanted = [] }: NeedState,
): ReadonlySet<string> {
  const barred = new Set([...shown, ...refused]);
  if (unwanted.length > 0)
    for (const tool of tools) if (requiresRefused(tool, unwanted)) barred.add(tool.slug);
  return barred;
}

function byScore(scores: Float32Array): (a: number, b: number) => number {
  return (a, b) => (scores[b] ?? 0) - (scores[a] ?? 0);
}

function fitsOf(tools: readonly Tool[], { constraints }: NeedState): (place: number) => boolean {
  const isConstrained = constraintsSet(constraints).length > 0;
  return (place) => !isConstrained || failedBy(toolAt(tools, place), constraints).length === 0;
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
  { limit = 5, cheaperThan = null }: RankOptions,
): { pool: readonly number[]; isPriceRelaxed: boolean } {
  const fits = fitsOf(tools, state);
  const fitting: number[] = [];
  for (const place of nearest) {
    if (fits(place)) fitting.push(place);
    if (cheaperThan === null && fitting.length === limit) break;
  }
  return cheaperThan === null
    ? { pool: fitting, isPriceRelaxed: false }
    : cheaperOf(fitting, tools, cheaperThan);
}

function toolAt(tools: readonly Tool[], place: number): Tool {
  return tools[place] as Tool; // places come from the list itself
}

/** What the tool index says about the text, and what else speaks for or against each tool. */
function weigh(
  index: ToolIndex,
  state: NeedState,
  evidence: Evidence,
  { favoured, establishedIn = null }: RankOptions,
): { scores: Float32Array; leader: number } {
  const scores = new Float32Array(index.tools.length);
  for (let place = 0; place < scores.length; place++)
    scores[place] =
      (evidence.scores[place] ?? 0) + (index.isWidelyUsed[place] === 1 ? widelyUsed : 0);
  if (establishedIn !== null)
    for (const [place, tool] of index.tools.entries())
      if (tool.category === establishedIn)
        scores[place] = (scores[place] ?? 0) + sameCategoryAsBefore;
  const models = state.like.flatMap((slug) => index.named(slug) ?? []);
  const isPlain =
    state.constraints.region === null &&
    !state.cheap &&
    state.beside.length === 0 &&
    models.length === 0 &&
    (state.unwanted?.length ?? 0) === 0 &&
    (favoured?.size ?? 0) === 0;
  if (!isPlain)
    for (const [place, tool] of index.tools.entries())
      scores[place] = (scores[place] ?? 0) + adjust(tool, state, models, favoured);
  preferRefusedKind(index, state, scores);
  preferNamedBase(index, state, scores);
  preferHome(index, state, scores);
  preferLeanings(index, state, scores);
  return { scores, leader: preferStack(index, state, scores) };
}

/** A tool that would have been chosen, had it not been refused, says what kind is wanted. */
function preferRefusedKind(index: ToolIndex, { refused }: NeedState, scores: Float32Array): void {
  if (refused.length === 0) return;
  const best = index.tools[scores.indexOf(Math.max(...scores))];
  if (best === undefined || !refused.includes(best.slug)) return;
  for (const [place, { category }] of index.tools.entries())
    if (category === best.category) scores[place] = (scores[place] ?? 0) + sameCategoryAsLike;
}

/**
 * Where a database is wanted its name says which: "Postgres for a student project" is none that
 * merely suits students.
 */
function preferNamedBase(
  index: ToolIndex,
  { bases: named = [] }: NeedState,
  scores: Float32Array,
): void {
  if (named.length === 0) return;
  const best = index.tools[scores.indexOf(Math.max(...scores))];
  if (best?.category !== 'Database') return;
  const terms = named.flatMap((base) => toolTerms(base));
  for (const [place, { category, name, keywords }] of index.tools.entries()) {
    if (category !== 'Database') continue;
    const own = toolTerms([name, ...keywords].join(' '));
    if (terms.some((term) => own.includes(term))) scores[place] = (scores[place] ?? 0) + namedBase;
  }
}

/** What seems to be a condition holds back those of the category that fail it. */
function preferLeanings(
  index: ToolIndex,
  { leanings = [] }: NeedState,
  scores: Float32Array,
): void {
  if (leanings.length === 0) return;
  const wanted = { ...noConstraints };
  for (const wish of leanings) wanted[wish] = true;
  const best = Math.max(...scores);
  const category = index.categoryAt[scores.indexOf(best)];
  const own = [...index.tools.keys()].filter((place) => index.categoryAt[place] === category);
  for (const place of own)
    scores[place] =
      (scores[place] ?? 0) - leaning * failedBy(toolAt(index.tools, place), wanted).length;
  // It chooses within the category, it does not hand the need to another one.
  const lost = best - Math.max(...own.map((place) => scores[place] ?? 0));
  for (const place of own) scores[place] = (scores[place] ?? 0) + lost;
}

/** Whose it should be chooses within the category, among tools that are not quite off. */
function preferHome(index: ToolIndex, { maker = null }: NeedState, scores: Float32Array): void {
  if (maker === null) return;
  const best = Math.max(...scores);
  const category = index.categoryAt[scores.indexOf(best)];
  for (const [place, tool] of index.tools.entries())
    if (index.categoryAt[place] === category && best - (scores[place] ?? 0) < 1.5 * among)
      scores[place] = (scores[place] ?? 0) + homeFit(tool, maker);
}

/**
 * The stack chooses among tools that answer the need equally well, and holds back those made for
 * another one. What the need is, and so the category, the need alone has said. Returns the place
 * that led before.
 */
function preferStack(index: ToolIndex, state: NeedState, scores: Float32Array): number {
  const stackFit = index.stackFit(state.constraints);
  const barred = barredSlugs(index.tools, state);
  let bestAt = -1;
  for (let place = 0; place < scores.length; place++)
    if (
      (bestAt < 0 || (scores[place] ?? 0) > (scores[bestAt] ?? 0)) &&
      !barred.has(toolAt(index.tools, place).slug)
    )
      bestAt = place;
  const best = scores[bestAt] ?? 0;
  const category = index.categoryAt[bestAt];
  // Where a database is wanted, its name says which, not what is there.
  const there = index.tools[bestAt]?.category === 'Database' ? [] : (state.bases ?? []);
  let bestAfter = -Infinity;
  const weighed: number[] = [];
  for (let place = 0; place < scores.length; place++) {
    const behind = best - (scores[place] ?? 0);
    if (index.categoryAt[place] !== category || behind >= among) continue;
    scores[place] =
      (scores[place] ?? 0) +
      stackFit(place, behind) +
      (there.length > 0 && runsOn(toolAt(index.tools, place), there) ? onWhatIsThere : 0);
    if (!barred.has(toolAt(index.tools, place).slug))
      bestAfter = Math.max(bestAfter, scores[place] ?? 0);
    weighed.push(place);
  }
  // What falls behind within its category must not hand the need to another one.
  if (bestAfter < best)
    for (const place of weighed) scores[place] = (scores[place] ?? 0) + best - bestAfter;
  return bestAt;
}

function stronger(one: Ranking['answer'], other: Ranking['answer']): Ranking['answer'] {
  if (one === 'good' || other === 'good') return 'good';
  return one === 'weak' || other === 'weak' ? 'weak' : 'none';
}

function adjust(
  tool: Tool,
  { constraints, cheap, beside, unwanted = [], isSaid = false }: NeedState,
  models: readonly NamedTool[],
  favoured: ReadonlySet<string> | undefined,
): number {
  const { facts } = tool;
  let sum = 0;
  // A region is a place the vendor has; self-hosting only makes it possible.
  if (constraints.region !== null && facts.regions.includes(constraints.region)) sum += 0.06;
  if (cheap)
    sum +=
      facts.price_level === null
        ? -0.05
        : -0.05 * facts.price_level + (facts.free_tier === true ? 0.03 : 0);
  if (beside.includes(tool.slug)) sum -= besidePenalty;
  if (unwanted.some((word) => standsFor(tool, word))) sum -= besidePenalty;
  for (const model of models) {
    if (model.category === tool.category) sum += sameCategoryAsLike;
    if (isAlternative(model, tool)) sum += isSaid ? likeBonusWhereSaid : likeBonus;
  }
  return favoured?.has(tool.slug) === true ? sum + favour : sum;
}

/**
 * Its name has the word or one of its keywords is it, and it does not offer to do without: "no
 * crypto", "no code".
 */
function standsFor({ name, keywords, needs }: Tool, word: string): boolean {
  const says = (text: string, words: string): boolean =>
    ` ${text.toLowerCase().replaceAll('-', ' ')} `.includes(` ${words} `);
  return (
    (says(name, word) || keywords.some((keyword) => keyword.toLowerCase() === word)) &&
    ![...needs, ...keywords].some(
      (text) => says(text, `no ${word}`) || says(text, `without ${word}`),
    )
  );
}

/** What anybody can run is from nowhere; of the rest only a home that is known speaks for it. */
function homeFit({ facts }: Tool, { region, isRefused }: MakerWish): number {
  const home = homeRegion(facts);
  const isThere = isRefused
    ? facts.home !== undefined && home !== region
    : region === 'us'
      ? facts.home === undefined
      : home === region;
  return isThere ? makersHome : facts.open_source && facts.self_hostable ? 0 : -makersHome;
}

function requiresRefused({ facts }: Tool, unwanted: readonly string[]): boolean {
  return (facts.requires ?? []).some((choice) =>
    choice.every((base) => isRefusedBase(base, unwanted)),
  );
}

function runsOn({ facts }: Tool, there: readonly Base[]): boolean {
  return (facts.requires ?? []).some((choice) => choice.some((base) => there.includes(base)));
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

function isAlternative(one: NamedTool, other: NamedTool): boolean {
  return one.alternatives.includes(other.slug) || other.alternatives.includes(one.slug);
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
  if (state.like.length > 0) return 'good';
  const { words, meaning, matched, firm } = best;
  const isHeard = matched >= 2 || firm >= 1;
  if (meaning === null) {
    if (evidence.known < 0.45 || words < 0.15 || !isHeard) return 'none';
    return words + 0.06 * Math.min(3, firm) < 0.26 ? 'weak' : 'good';
  }
  const strength = meaning + 0.5 * words + 0.06 * Math.min(3, firm) + 0.1 * evidence.known;
  if (meaning < leastMeaning || strength < 0.52 || (!isHeard && meaning < 0.5)) return 'none';
  return strength < 0.6 ? 'weak' : 'good';
}
