import { type ConstraintName, type Constraints, failedBy } from './constraints.js';
import type { NeedState } from './need-state.js';
import { frameworkLanguages } from './read-stack.js';
import type { Tool, ToolCategory } from './tool.js';
import type { Evidence, ToolIndex } from './tool-index.js';

export interface Candidate {
  tool: Tool;
  score: number;
  /** The example need of the tool that comes nearest. */
  need: string;
  words: number;
  matched: number;
  firm: number;
  meaning: number | null;
}

export interface Ranking {
  /** Best first; every one satisfies every constraint. Empty: nothing fits. */
  candidates: readonly Candidate[];
  answer: 'good' | 'weak' | 'none';
  /** Why nothing is left although the need is understood: the best tool regardless of constraints, and what it fails. */
  nearMiss: { tool: Tool; failed: readonly ConstraintName[] } | null;
  category: ToolCategory;
  /** Cheaper was asked for and nothing in reach is. */
  isPriceRelaxed: boolean;
}

export interface RankOptions {
  named: string | null;
  cheaperThan?: Tool | null;
  /** A follow-up about a need that was understood before: it stays understood. */
  isEstablished?: boolean;
  /** Tools with a small advantage among equals. */
  favoured?: ReadonlySet<string>;
  limit?: number;
}

const widelyUsed = 0.05;
const besidePenalty = 0.4;
const likeBonus = 0.2;
const sameCategoryAsLike = 0.25;
const favour = 0.04;
/** Candidates this far behind the best are answers to something else. */
const within = 0.35;

/** Orders the catalogue for a need. Constraints, refusals and what was shown before are filters; the rest is weighed. */
export function rankTools(index: ToolIndex, state: NeedState, evidence: Evidence, options: RankOptions): Ranking {
  const { limit = 5, favoured, named, cheaperThan = null, isEstablished = false } = options;
  const scored = index.tools.map((tool, place): Candidate & { failed: ConstraintName[] } => ({
    tool,
    failed: failedBy(tool, state.constraints),
    score: (evidence.scores[place] ?? 0) + adjust(tool, state, index, favoured),
    need: tool.needs[evidence.bestNeed[place] ?? 0] ?? '',
    words: evidence.words[place] ?? 0,
    matched: evidence.matched[place] ?? 0,
    firm: evidence.firm[place] ?? 0,
    meaning: evidence.meaning?.[place] ?? null,
  }));
  const asked = named === null ? undefined : scored.find(({ tool }) => tool.slug === named);
  const rest = scored.filter(({ tool }) => tool.slug !== named && !state.shown.includes(tool.slug) && !state.refused.includes(tool.slug)).sort((a, b) => b.score - a.score);
  if (asked !== undefined) {
    const others = rest.filter(({ failed, tool }) => failed.length === 0 && tool.category === asked.tool.category).sort((a, b) => Number(isAlternative(asked.tool, b.tool)) - Number(isAlternative(asked.tool, a.tool)));
    return { candidates: [asked, ...others].slice(0, limit), answer: 'good', nearMiss: null, category: asked.tool.category, isPriceRelaxed: false };
  }
  const best = rest[0];
  const strength = strengthOf(evidence, best, state);
  const answer = strength === 'none' && isEstablished ? 'weak' : strength;
  const category = best?.tool.category ?? evidence.category;
  if (best === undefined || answer === 'none') return { candidates: [], answer: 'none', nearMiss: null, category, isPriceRelaxed: false };
  const fitting = rest.filter(({ failed, score, tool }) => failed.length === 0 && (score > best.score - within || tool.category === category) && isAbout(evidence, { score, best: best.score }));
  const { pool, isPriceRelaxed } = cheaperThan === null ? { pool: fitting, isPriceRelaxed: false } : cheaperOf(fitting, cheaperThan);
  const candidates = pool.slice(0, limit);
  if (candidates.length === 0) return { candidates, answer: 'none', nearMiss: { tool: best.tool, failed: best.failed }, category, isPriceRelaxed: false };
  return { candidates, answer: (candidates[0]?.score ?? 0) < best.score - within ? 'weak' : answer, nearMiss: null, category: candidates[0]?.tool.category ?? category, isPriceRelaxed };
}

function adjust(tool: Tool, state: NeedState, index: ToolIndex, favoured: ReadonlySet<string> | undefined): number {
  const { facts } = tool;
  const { constraints, cheap } = state;
  let sum = tool.tier === 1 ? widelyUsed : 0;
  sum += stackFit(tool, constraints);
  // A region is a place the vendor has; self-hosting only makes it possible.
  if (constraints.region !== null && facts.regions.includes(constraints.region)) sum += 0.06;
  if (cheap) sum += facts.price_level === null ? -0.05 : -0.05 * facts.price_level + (facts.free_tier === true ? 0.03 : 0);
  if (state.beside.includes(tool.slug)) sum -= besidePenalty;
  for (const slug of state.like) {
    const model = index.find(slug);
    if (model === undefined) continue;
    if (model.category === tool.category) sum += sameCategoryAsLike;
    if (isAlternative(model, tool)) sum += likeBonus;
  }
  if (favoured?.has(tool.slug) === true) sum += favour;
  return sum;
}

/** Tools made for one stack suit it better than those that merely serve it too. */
function stackFit({ facts, install }: Tool, { frameworks, languages }: Constraints): number {
  let fit = 0;
  for (const framework of frameworks) {
    if (facts.frameworks.includes(framework)) fit += 0.07;
    if (install.some((variant) => variant.for.includes(framework))) fit += 0.04;
  }
  const spoken = [...new Set([...languages, ...frameworks.flatMap((framework) => frameworkLanguages[framework])])].filter((language) => facts.languages.includes(language));
  if (spoken.length > 0) fit += 0.04;
  if (spoken.some((language) => install.some((variant) => variant.for.includes(language)))) fit += 0.03;
  if (spoken.length > 0 && facts.languages.length <= 2) fit += 0.06;
  return fit;
}

/** Cheaper ones; when there are none, those of no higher price, and that it is so. */
function cheaperOf<T extends Candidate>(fitting: readonly T[], { facts }: Tool): { pool: readonly T[]; isPriceRelaxed: boolean } {
  const limit = facts.price_level ?? 4;
  const atMost = (level: number): T[] => fitting.filter(({ tool }) => tool.facts.price_level !== null && tool.facts.price_level <= level);
  const cheaper = atMost(limit - 1);
  if (cheaper.length > 0) return { pool: cheaper, isPriceRelaxed: false };
  const same = atMost(limit);
  return { pool: same.length > 0 ? same : fitting, isPriceRelaxed: true };
}

function isAlternative(one: Tool, other: Tool): boolean {
  return one.alternatives.includes(other.slug) || other.alternatives.includes(one.slug);
}

/** Something in the tool's own category, or nearly as good as the best. */
function isAbout(evidence: Evidence, { score, best }: { score: number; best: number }): boolean {
  return score > best - 2 * within || evidence.certainty > 0.5;
}

/** Whether the best tool answers the need at all. One word found in running text is no answer, however rare the word. */
function strengthOf(evidence: Evidence, best: Candidate | undefined, state: NeedState): Ranking['answer'] {
  if (best === undefined) return 'none';
  if (state.like.length > 0) return 'good';
  const { words, meaning, matched, firm } = best;
  const isHeard = matched >= 2 || firm >= 1;
  if (meaning === null) {
    if (evidence.known < 0.45 || words < 0.15 || !isHeard) return 'none';
    return words + 0.06 * Math.min(3, firm) < 0.26 ? 'weak' : 'good';
  }
  const strength = meaning + 0.5 * words + 0.06 * Math.min(3, firm) + 0.1 * evidence.known;
  if (strength < 0.52 || (!isHeard && meaning < 0.5)) return 'none';
  return strength < 0.6 ? 'weak' : 'good';
}
