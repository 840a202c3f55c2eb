import { constraintsSet, failedBy } from './constraints.js';
import type { NeedState } from './need-state.js';
import { isRefusedBase } from './read-need.js';
import type { MakerWish } from './read-wishes.js';
import { type Base, homeRegion, type NamedTool, type Tool, type ToolCategory } from './tool.js';
import type { Evidence, ToolIndex } from './tool-index.js';
import { toolTerms } from './tool-terms.js';

export interface WeighOptions {
  /**
   * The category of a need that was understood before, in a follow-up about it: it stays
   * understood, and stays there.
   */
  establishedIn?: ToolCategory | null;
  /** Tools with a small advantage among equals. */
  favoured?: ReadonlySet<string>;
}

const widelyUsed = 0.05;
/** Where money matters: for each level of price. */
const cheapness = 0.06;
const besidePenalty = 0.4;
/** Made to run on what is there already: further behind than another stack may be, it wins. */
const onWhatIsThere = 0.2;
/** A database is there. */
const storeThere = 0.3;
/** It is the database that was named. */
const namedBase = 0.15;
const makersHome = 0.3;
/** A place that is refused weighs more than whatever speaks for what comes from there. */
const refusedHome = 1;
const likeBonus = 0.2;
/** What is wanted instead is said in so many words. */
const likeBonusWhereSaid = 0.08;
const sameCategoryAsLike = 0.4;
const favour = 0.04;
/**
 * "For Python" asks for another tool of the same kind, not for whatever Python is mentioned with.
 */
const sameCategoryAsBefore = 0.3;
/** Tools this far apart answer the same need, and what does not suit the stack falls behind. */
const among = 0.35;

/** What the tool index says about the text, and what else speaks for or against each tool. */
export function weighTools(
  index: ToolIndex,
  state: NeedState,
  evidence: Evidence,
  { favoured, establishedIn = null }: WeighOptions,
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
    (state.stackRefused?.length ?? 0) === 0 &&
    (favoured?.size ?? 0) === 0;
  if (!isPlain)
    for (const [place, tool] of index.tools.entries())
      scores[place] = (scores[place] ?? 0) + adjust(tool, state, models, favoured);
  preferRefusedKind(index, state, scores);
  holdBackThere(index, state, scores);
  leaveStores(index, state, scores);
  preferNamedBase(index, state, scores);
  preferHome(index, state, scores);
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

/** "Accounts kept in our own Postgres" wants no database. */
function holdBackThere(
  index: ToolIndex,
  { basesThere = [] }: NeedState,
  scores: Float32Array,
): void {
  if (basesThere.length === 0) return;
  for (const [place, tool] of index.tools.entries())
    if (tool.category === 'Database' && !runsOn(tool, basesThere))
      scores[place] = (scores[place] ?? 0) - storeThere;
}

/** What has the name of a store that is to be left is not wanted either. */
function leaveStores(index: ToolIndex, { basesLeft = [] }: NeedState, scores: Float32Array): void {
  if (basesLeft.length === 0) return;
  const terms = new Set(basesLeft.flatMap((base) => toolTerms(base)));
  for (const [place, { name }] of index.tools.entries())
    if (toolTerms(name).some((term) => terms.has(term)))
      scores[place] = (scores[place] ?? 0) - besidePenalty;
}

/**
 * Where a database is wanted its name says which: "Postgres for a student project" is none that
 * merely suits students.
 */
function preferNamedBase(
  index: ToolIndex,
  { bases: said = [], basesThere = [], basesLeft = [] }: NeedState,
  scores: Float32Array,
): void {
  const named = said.filter((base) => !basesThere.includes(base) && !basesLeft.includes(base));
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

/**
 * Whose it should be chooses within the category: for a tool where it is not quite off, against it
 * anywhere.
 */
function preferHome(index: ToolIndex, { maker = null }: NeedState, scores: Float32Array): void {
  if (maker === null) return;
  const best = Math.max(...scores);
  const category = index.categoryAt[scores.indexOf(best)];
  for (const [place, tool] of index.tools.entries()) {
    if (index.categoryAt[place] !== category) continue;
    const fit = homeFit(tool, maker);
    if (fit < 0 || best - (scores[place] ?? 0) < 1.5 * among)
      scores[place] = (scores[place] ?? 0) + fit;
  }
}

/** The best that may be recommended and meets every condition, the stack aside, if any does. */
function leaderOf(
  tools: readonly Tool[],
  { constraints }: NeedState,
  barred: ReadonlySet<string>,
  scores: Float32Array,
): number {
  const wanted = { ...constraints, languages: [], frameworks: [] };
  const isConstrained = constraintsSet(wanted).length > 0;
  let [best, fitting] = [-1, -1];
  for (const [place, tool] of tools.entries()) {
    const score = scores[place] ?? 0;
    if (barred.has(tool.slug)) continue;
    if (best < 0 || score > (scores[best] ?? 0)) best = place;
    if (
      isConstrained &&
      (fitting < 0 || score > (scores[fitting] ?? 0)) &&
      failedBy(tool, wanted).length === 0
    )
      fitting = place;
  }
  return fitting >= 0 && (scores[best] ?? 0) - (scores[fitting] ?? 0) < among ? fitting : best;
}

/**
 * The stack chooses among tools that answer the need equally well, and holds back those made for
 * another one. What the need is, and so the category, the need alone has said. Returns the place
 * that led before.
 */
function preferStack(index: ToolIndex, state: NeedState, scores: Float32Array): number {
  const stackFit = index.stackFit(state.constraints);
  const barred = barredSlugs(index.tools, state);
  const bestAt = leaderOf(index.tools, state, barred, scores);
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

function adjust(
  tool: Tool,
  { constraints, cheap, beside, unwanted = [], stackRefused = [], isSaid = false }: NeedState,
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
        : -cheapness * facts.price_level + (facts.free_tier === true ? 0.03 : 0);
  if (beside.includes(tool.slug)) sum -= besidePenalty;
  if (unwanted.some((word) => standsFor(tool, word))) sum -= besidePenalty;
  if (stackRefused.some((name) => isMadeIn(tool, name))) sum -= besidePenalty;
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

/** Of the few languages it serves this is the first. */
function isMadeIn({ facts: { languages } }: Tool, name: string): boolean {
  return languages.length <= 3 && languages[0] === name;
}

/** What anybody can run is from nowhere; of the rest only a home that is known speaks for it. */
function homeFit({ facts }: Tool, { region, isRefused }: MakerWish): number {
  const home = homeRegion(facts);
  const isThere = isRefused
    ? facts.home !== undefined && home !== region
    : region === 'us'
      ? facts.home === undefined
      : home === region;
  if (isThere) return makersHome;
  if (facts.open_source && facts.self_hostable) return 0;
  return isRefused ? -refusedHome : -makersHome;
}

function requiresRefused({ facts }: Tool, unwanted: readonly string[]): boolean {
  return (facts.requires ?? []).some((choice) =>
    choice.every((base) => isRefusedBase(base, unwanted)),
  );
}

function runsOn({ facts }: Tool, there: readonly Base[]): boolean {
  return (facts.requires ?? []).some((choice) => choice.some((base) => there.includes(base)));
}

export function isAlternative(one: NamedTool, other: NamedTool): boolean {
  return one.alternatives.includes(other.slug) || other.alternatives.includes(one.slug);
}

/** Shown or refused before, or impossible without what was refused. */
export function barredSlugs(
  tools: readonly Tool[],
  { shown, refused, unwanted = [] }: NeedState,
): ReadonlySet<string> {
  const barred = new Set([...shown, ...refused]);
  if (unwanted.length > 0)
    for (const tool of tools) if (requiresRefused(tool, unwanted)) barred.add(tool.slug);
  return barred;
}

export function toolAt(tools: readonly Tool[], place: number): Tool {
  return tools[place] as Tool; // places come from the list itself
}
