// One search over a product index: read the query, apply the hard filters, score, judge fit, look
// at titles, count facets.
import { colorGroups, findColor } from './color-wish.js';
import { firmCell, matchedCell, namedCell, type Scored } from './scored.js';
import { dropUnwanted } from './drop-unwanted.js';
import { countFacets, type Facets } from './facets.js';
import { fitRule, headGroup, type FitRule, wholeRule } from './genuine-fit.js';
import { askedMask, judgeMatches, type Kept, page } from './judge-matches.js';
import { productAdmission } from './product-admission.js';
import { categorizeTokens, nameProductKind, productCategories } from './product-categories.js';
import type { ProductFilters } from './product-filters.js';
import { parseProductQuery } from './product-query.js';
import type { ProductState } from './product-state.js';
import { productTokens } from './product-tokens.js';
import {
  phraseDocs,
  planQuery,
  rarityOf,
  type Lexicon,
  type PlannedGroup,
  type QueryPlan,
} from './query-plan.js';
import { gendersAsked, readWishes } from './query-wishes.js';
import type { TermDictionary } from './term-dictionary.js';
import { titleKinship } from './title-kinship.js';
import { titleReader } from './title-signals.js';
import { isMadeOf, takeOnlyNamed } from './made-of.js';
import { topDocuments } from './top-documents.js';

export interface ProductSearch {
  query: string;
  filters?: ProductFilters;
  /** Free text that moves listings up a little and never adds or removes any. */
  style?: string;
  limit: number;
  /**
   * True: only listings that really answer the query, possibly none. False: the raw keyword
   * ranking.
   */
  fit: boolean;
}

export interface ProductHit {
  id: string;
  score: number;
  /**
   * 3: every word in the title; 2: every word outside running text; 1: every word somewhere; 0:
   * some words.
   */
  tier: number;
  /**
   * As given with the product, 0 when none was: what decides inside a tier when the publisher's pay
   * may.
   */
  payout: number;
}

/** What is found; the facets of it may be counted later. */
export interface ProductsFound {
  hits: ProductHit[];
  /** Listings that match and pass the filters. */
  total: number;
  /** The query as understood when words were respelt. */
  corrected: string | null;
  /** What the query refused. */
  excluded: string[];
  /** A colour the query names and nothing that was found has. */
  missingColor: string | null;
  /** The filters, with what the words of the query asked for. */
  applied: ProductFilters;
}

export interface ProductSearchResult extends ProductsFound {
  facets: Facets;
}

/** How much each signal moves a score; measured on judged queries, with wide plateaus. */
export interface SearchTuning {
  /** Power of the share of the query a listing holds. */
  readonly coverage: number;
  readonly everyWord: number;
  readonly together: number;
  readonly verbatim: number;
  /** Factor for something made for the wanted thing. */
  readonly belongs: number;
  readonly shelf: number;
  readonly head: number;
  /** Factor for a refused part mentioned in running text. */
  readonly mentioned: number;
  /** For saying to be without what was refused. */
  readonly refusal: number;
  readonly style: number;
  /** For having much in common with the first listings. */
  readonly kinship: number;
  /** How many listings have their titles read. */
  readonly depth: number;
  /**
   * Share of the best fitting score that keeps a listing, on the shelf of the thing and elsewhere.
   */
  readonly level: number;
  readonly levelElsewhere: number;
  /** The same for one that has every word, though only in its running text. */
  readonly levelText: number;
  /** The same for one that has much of the query, where what fits does not fill a page. */
  readonly levelSpare: number;
}

export const searchTuning: SearchTuning = {
  coverage: 1,
  everyWord: 0.6,
  together: 0.2,
  verbatim: 0.05,
  belongs: 0.7,
  shelf: 0.2,
  head: 0.15,
  mentioned: 0.75,
  refusal: 0.6,
  style: 0.25,
  kinship: 0.4,
  depth: 120,
  level: 0.2,
  levelElsewhere: 0.6,
  levelText: 0.5,
  levelSpare: 0.05,
};

const styleGroups = 6;
/**
 * How much further to look for things when sizes and colours of few fill the list, and where to
 * stop.
 */
const deeper = 6;
const deepest = 4000;

export function searchProducts(
  state: ProductState,
  request: ProductSearch,
  tuning: SearchTuning = searchTuning,
): ProductSearchResult {
  const { found, countFacets } = findProducts(state, request, tuning);
  return { ...found, facets: countFacets() };
}

/** The same in two steps: facets are counted before anything else is searched for, or not at all. */
export function findProducts(
  state: ProductState,
  request: ProductSearch,
  tuning: SearchTuning = searchTuning,
): { found: ProductsFound; countFacets(): Facets } {
  const wishes = readWishes(request.query, request.filters ?? {});
  const { filters } = wishes;
  const lexicon: Lexicon = { ...state, docCount: Math.max(1, state.ids.size) };
  const { dictionary, columns } = state;
  const parsed = parseProductQuery(wishes.rest, (word) => dictionary.lookup(word) > 0);
  const plan = planQuery(parsed, lexicon);
  const passes = admissionOf(state, filters, lexicon);
  const wearers =
    request.fit && filters.gender === undefined ? gendersAsked(wishes.rest, parsed) : 0;
  const admits =
    wearers === 0
      ? passes
      : (doc: number): boolean =>
          !columns.isForOthers(doc, wearers) && (passes === null || passes(doc));
  const { eligible, mentioned } = dropUnwanted(state, plan);
  const colors = colorGroups(plan.groups);
  const head = headOf(state, plan, colors);
  const rule = request.fit ? ruleOf(state, plan, { head, colors, isCode: parsed.code }) : null;
  const style = planStyle(
    [request.style ?? '', wishes.size ?? ''].join(' , '),
    plan,
    lexicon,
    tuning.style,
  );
  const shelf = shelfOfQuery(plan) - 1;
  const judged = (groups: readonly PlannedGroup[]): { scored: Scored; kept: Kept } => {
    const scored = state.engine.score([...groups, ...style], eligible, columns.count, admits);
    if (isMadeOf(plan.groups, head, colors)) takeOnlyNamed(scored, 1 << head);
    return {
      scored,
      kept: judgeMatches({ state, plan, scored, rule, shelf, mentioned, tuning }),
    };
  };
  const { scored, kept } = judgedTwice(plan.groups, rule && telling(state, plan, rule), judged);
  const color = findColor({ groups: plan.groups, head, colors, shelf }, scored, kept, columns);
  color?.weigh(kept);
  const hits = bestHits(state, { ...plan, head, shelf }, scored, kept, request.limit, tuning);
  return {
    found: {
      hits,
      total: kept.docs.length,
      corrected: plan.corrected,
      excluded: plan.excluded,
      missingColor: color?.missing ?? null,
      applied: filters,
    },
    countFacets: () => countFacets(kept.docs, columns, filters.currency ?? 'USD'),
  };
}

function ruleOf(
  { ids }: ProductState,
  plan: QueryPlan,
  { head, colors, isCode }: { head: number; colors: number; isCode: boolean },
): FitRule {
  const rule = fitRule(plan.groups, head, ids.size, colors);
  return isCode ? wholeRule(rule, askedMask(plan)) : rule;
}

function admissionOf(
  { columns, dictionary }: ProductState,
  filters: ProductFilters,
  lexicon: Lexicon,
): ReturnType<typeof productAdmission> {
  return productAdmission(columns, filters, (phrase, mark) => {
    const terms = productTokens(phrase).words.map((word) => dictionary.lookup(word));
    if (terms.length > 0 && terms.every((term) => term > 0))
      phraseDocs(terms, 0, lexicon).forEach(mark);
  });
}

/** Where little fits, what the commonest words bring in is looked at too. */
function judgedTwice(
  groups: readonly PlannedGroup[],
  told: readonly PlannedGroup[] | null,
  judged: (groups: readonly PlannedGroup[]) => { scored: Scored; kept: Kept },
): { scored: Scored; kept: Kept } {
  const first = judged(told ?? groups);
  const found = first.kept.docs.length;
  const isCut = told?.some((group, at) => group.supporting !== (groups[at]?.supporting === true));
  return isCut === true && found > 0 && found < page ? judged(groups) : first;
}

function planStyle(
  style: string,
  plan: QueryPlan,
  lexicon: Lexicon,
  weight: number,
): PlannedGroup[] {
  const parsed = parseProductQuery(style.slice(0, 300), () => false);
  const asked = new Set(plan.groups.flatMap((group) => group.terms));
  return planQuery(parsed, lexicon)
    .groups.filter((group) => !group.unknown && !group.terms.some((term) => asked.has(term)))
    .slice(0, Math.min(styleGroups, 31 - plan.groups.length))
    .map((group) => ({ ...group, weight: group.weight * weight, supporting: true }));
}

function headOf({ columns }: ProductState, plan: QueryPlan, colors: number): number {
  return headGroup(plan.groups, (word) => columns.brandNames.lookup(word) > 0, colors);
}

/**
 * The groups, the commonest of them only supporting the others: as many as a listing may hold, and
 * nothing else, without ever being a fit.
 * No result changes; what goes through most postings brings in no document.
 */
function telling({ engine }: ProductState, { groups }: QueryPlan, rule: FitRule): PlannedGroup[] {
  let weak = groups.reduce(
    (mask, group, at) => (group.supporting === true ? mask | (1 << at) : mask),
    0,
  );
  const byCost = groups
    .map((group, at) => ({ at, cost: engine.cost(group) }))
    .sort((a, b) => b.cost - a.cost);
  for (const { at } of byCost) {
    const more = weak | (1 << at);
    if (!rule.fits(more, more) && !rule.fitsLoosely(more, more)) weak = more;
  }
  return groups.map((group, at) => ({ ...group, supporting: (weak & (1 << at)) !== 0 }));
}

interface RankedPlan extends QueryPlan {
  /** Place of the group that names the thing. */
  head: number;
  /** As in `Judging`. */
  shelf: number;
}

/**
 * The best of each thing. Where many sizes and colours of one come first, more are looked at until
 * there are enough things.
 */
function bestHits(
  state: ProductState,
  plan: RankedPlan,
  scored: Scored,
  kept: Kept,
  limit: number,
  tuning: SearchTuning,
): ProductHit[] {
  const { docs, scores } = kept;
  for (let depth = Math.max(tuning.depth, limit); ; depth *= deeper) {
    const places = topDocuments(docs, scores, docs.length, depth);
    const groups = new Set<number>();
    const hits = rankTitles(state, plan, scored, kept, places, tuning).filter(
      ({ group }) => group === 0 || (!groups.has(group) && groups.add(group)),
    );
    if (hits.length >= limit || depth >= docs.length || depth > deepest)
      return hits.slice(0, limit).map(({ hit }) => hit);
  }
}

function rankTitles(
  state: ProductState,
  plan: RankedPlan,
  scored: Scored,
  kept: Kept,
  places: readonly number[],
  tuning: SearchTuning,
): RankedHit[] {
  const { dictionary, titles, titleWords, productIds } = state;
  const reader = titleReader(plan.groups, dictionary, titleWords);
  const { shelf } = plan;
  const head = 1 << plan.head;
  const asked = askedMask(plan);
  const hits = places.map((place) => {
    const doc = kept.docs[place] ?? 0;
    const title = titles.get(doc);
    const signals = reader(title);
    const factor =
      (1 + tuning.together * signals.together) *
      (1 + tuning.verbatim * signals.verbatim) *
      (signals.belongsTo ? tuning.belongs : 1) *
      (shelf >= 0 && state.columns.shelfOf(doc) === shelf ? 1 + tuning.shelf : 1) *
      (((scored.cells[doc * 4 + firmCell] ?? 0) & head) !== 0 ? 1 + tuning.head : 1);
    const hit: ProductHit = {
      id: productIds[doc] ?? '',
      score: (kept.scores[place] ?? 0) * factor,
      tier: tierOf(scored, doc, asked),
      payout: state.columns.payoutOf(doc),
    };
    return { title, hit, group: state.columns.groupOf(doc) };
  });
  return raiseKin(state, plan, hits.sort(byScore), tuning);
}

interface RankedHit {
  /** Spellings of its words. */
  title: Uint32Array;
  hit: ProductHit;
  group: number;
}

const byScore = (a: RankedHit, b: RankedHit): number => b.hit.score - a.hit.score;

/**
 * What is like the first listings moves up. One word alone may mean several things, and each of
 * them has a right to be there.
 */
function raiseKin(
  { dictionary, engine, ids }: ProductState,
  { groups }: QueryPlan,
  hits: RankedHit[],
  { kinship }: SearchTuning,
): RankedHit[] {
  if (kinship === 0 || groups.filter(({ supporting }) => supporting !== true).length < 2)
    return hits;
  const asked = new Set(groups.flatMap(({ terms }) => terms));
  const kin = titleKinship(
    hits.map(({ title }) => termsOf(title, dictionary)),
    hits.map(({ group }) => group),
    (term) => term === 0 || asked.has(term),
    (term) => rarityOf(engine.frequency(term), ids.size),
  );
  for (const [at, { hit }] of hits.entries()) hit.score *= Math.exp(kinship * (kin[at] ?? 0));
  return hits.sort(byScore);
}

function termsOf(title: Uint32Array, dictionary: TermDictionary): number[] {
  const terms: number[] = [];
  for (let at = 0; at < title.length; at++)
    terms.push(dictionary.termOfSpelling(title[at] as number)); // below length
  return terms;
}

/**
 * One more than the number of the shelf the wanted thing stands on, 0 when the words do not tell.
 */
function shelfOfQuery(plan: QueryPlan): number {
  const main = plan.groups.filter((group) => !group.aside);
  const words = (main.length > 0 ? main : plan.groups).map((group) => group.words[0] ?? '');
  if (!nameProductKind(words)) return 0;
  return productCategories.indexOf(categorizeTokens(null, { words, gaps: words.map(() => 0) })) + 1;
}

function tierOf({ cells }: Scored, doc: number, asked: number): number {
  const all = (cell: number): boolean => ((cells[(doc << 2) + cell] ?? 0) & asked) === asked;
  if (all(namedCell)) return 3;
  if (all(firmCell)) return 2;
  return all(matchedCell) ? 1 : 0;
}
