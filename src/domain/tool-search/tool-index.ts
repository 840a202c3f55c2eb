import { PackedVectors } from '../matching/packed-vectors.js';
import { Bm25f, type QueryGroup } from '../search/bm25f.js';
import { firmCell, matchedCell, zone } from '../search/scored.js';
import { repairSpelling } from '../search/spelling.js';
import { TermDictionary } from '../search/term-dictionary.js';
import {
  categoryPlace,
  createCategoryModel,
  type ToolWords,
  weighShares,
} from './category-model.js';
import { createStackFit, type StackFit } from './stack-fit.js';
import { frameworks, languages, type Tool, toolCategories, type ToolCategory } from './tool.js';
import { isFiller, toolTerms, toolTermsOfAll } from './tool-terms.js';

/** What the tool index has to say about a text: for each tool, by its place in the list. */
export interface Evidence {
  /**
   * How well the tool answers by words, meaning and category together; comparable within one text
   * only.
   */
  scores: Float32Array;
  /** How much of the text the tool's own words cover, 0 to 1. */
  words: Float32Array;
  /** How many words of the text the tool has, and how many of them outside running text. */
  matched: Uint8Array;
  firm: Uint8Array;
  /** How near in meaning its nearest example need is; null without vectors. */
  meaning: Float32Array | null;
  /** The example need of the tool in a place that fits best. */
  nearestNeed(place: number): string;
  /** What the text is about, and how sure that is, 0 to 1. */
  category: ToolCategory;
  certainty: number;
  /**
   * Share of the text's weight that the tool index knows at all: low for what is no developer's
   * need.
   */
  known: number;
}

export interface ToolIndex {
  readonly tools: readonly Tool[];
  find(slug: string): Tool | undefined;
  readonly stackFit: StackFit;
  /**
   * By place, for comparisons by the hundred: 1 for tools of the first tier; a number for each
   * category.
   */
  readonly isWidelyUsed: Uint8Array;
  readonly categoryAt: Uint8Array;
  /** Every example need, tool after tool: what vectors are made of, in this order. */
  readonly needTexts: readonly string[];
  setVectors(vectors: readonly Float32Array[]): void;
  readonly hasVectors: boolean;
  evidenceFor(text: string, vector: Float32Array | null): Evidence;
}

const toolFields = [
  { weight: 2, lengthNorm: 0, usualLength: 1, zone: zone.name },
  { weight: 2.2, lengthNorm: 0.3, usualLength: 8, zone: zone.facts },
  { weight: 1, lengthNorm: 0.6, usualLength: 60, zone: zone.text },
  { weight: 1, lengthNorm: 0.5, usualLength: 16, zone: zone.text },
  { weight: 1.5, lengthNorm: 0, usualLength: 1, zone: zone.category },
] as const;
const toolSaturation = 1.2;
const fillerWeight = 0.15;
/** What a project is built with says nothing about the kind of tool it needs. */
const stackTerms: ReadonlySet<string> = new Set(
  [...languages, ...frameworks].flatMap((name) => toolTerms(name)),
);
const repairedWeight = 0.7;
const neighbours = 20;

// Chosen on example needs held back from the index, with the judged needs of the benchmark in view:
// those are a regression check, no independent proof.
const weights = {
  words: 1,
  meaning: 0.35,
  categoryByWords: 0.05,
  categoryByMeaning: 0.1,
  categoryByWordsAlone: 0.1,
};

export function createToolIndex(tools: readonly Tool[]): ToolIndex {
  const dictionary = new TermDictionary();
  const byTool = new Bm25f({ fields: toolFields, saturation: toolSaturation });
  const needTexts = tools.flatMap((tool) => tool.needs);
  const ownerOf = new Uint16Array(needTexts.length);
  const firstNeed = new Uint32Array(tools.length);
  const categoryOf = Uint8Array.from(tools, (tool) => categoryPlace.get(tool.category) ?? 0);
  const bySlug = new Map(tools.map((tool) => [tool.slug, tool]));
  const numbers = (terms: readonly string[]): number[] =>
    terms.map((term) => dictionary.intern(term));
  const wordsOf = readWords(tools);
  const needTerms: number[][] = [];
  for (const [place, words] of wordsOf.entries()) {
    firstNeed[place] = needTerms.length;
    const needs = words.needs.map(numbers);
    ownerOf.fill(place, needTerms.length, needTerms.length + needs.length);
    needTerms.push(...needs);
    byTool.add(
      place,
      [
        numbers(words.name),
        numbers(words.keywords),
        needs.flat(),
        numbers(words.description),
        numbers(words.category),
      ],
      dictionary.size,
    );
  }
  const everyTool = new Uint8Array(tools.length).fill(1);
  byTool.freeze();
  const categories = createCategoryModel(tools, wordsOf);
  const rows = Uint32Array.from(needTexts.keys());
  let vectors: PackedVectors | null = null;

  /**
   * Rare words weigh more; a word the tool index lacks weighs as much as its rarest and matches
   * nothing.
   */
  function groupsOf(terms: ReadonlySet<string>): {
    groups: QueryGroup[];
    total: number;
    known: number;
  } {
    const groups: QueryGroup[] = [];
    let [total, known] = [0, 0];
    for (const word of terms) {
      const number = dictionary.lookup(word);
      const found =
        number >= 0
          ? [{ term: number, weight: 1 }]
          : repairSpelling(word, dictionary.spellings(), (term) => byTool.frequency(term), 1).map(
              ({ term }) => ({ term, weight: repairedWeight }),
            );
      const frequency = found.reduce((sum, { term }) => sum + byTool.frequency(term), 0);
      const weight =
        Math.log(1 + (tools.length + 1) / (frequency + 0.5)) * (isFiller(word) ? fillerWeight : 1);
      total += weight;
      if (found.length === 0) continue;
      known += weight * (found[0]?.weight ?? 0);
      groups.push({ alternatives: found, weight });
    }
    // The engine looks at a limited number of groups: in a long text the telling words must be
    // among them.
    groups.sort((a, b) => b.weight - a.weight);
    return { groups, total: total === 0 ? 1 : total, known };
  }

  function evidenceFor(text: string, vector: Float32Array | null): Evidence {
    const terms = new Set(toolTerms(text));
    const { groups, total, known } = groupsOf(terms);
    const words = new Float32Array(tools.length);
    const matched = new Uint8Array(tools.length);
    const firm = new Uint8Array(tools.length);
    const telling = groups.reduce(
      (mask, { weight }, at) => (weight > 1 ? mask | (1 << at) : mask),
      0,
    );
    const found = byTool.score(groups, everyTool, tools.length);
    for (let at = 0; at < found.count; at++) {
      const place = found.docs[at] ?? 0;
      words[place] = (found.floats[place << 2] ?? 0) / total;
      matched[place] = bitCount((found.cells[(place << 2) + matchedCell] ?? 0) & telling);
      firm[place] = bitCount((found.cells[(place << 2) + firmCell] ?? 0) & telling);
    }
    const products = vectors === null || vector === null ? null : vectors.products(rows, vector);
    const meaning = products === null ? null : nearestMeanings(products);
    const shares = categories.byWords([...terms].filter((term) => !stackTerms.has(term)));
    const opinion =
      products === null
        ? weighShares([{ shares, weight: weights.categoryByWordsAlone }])
        : weighShares([
            { shares, weight: weights.categoryByWords },
            { shares: neighbourShares(products), weight: weights.categoryByMeaning },
          ]);
    const scores = new Float32Array(tools.length);
    for (let place = 0; place < scores.length; place++) {
      const near = meaning === null ? 0 : weights.meaning * Math.max(0, meaning[place] ?? 0);
      scores[place] =
        weights.words * (words[place] ?? 0) + near + (opinion[categoryOf[place] ?? 0] ?? 0);
    }
    const nearestNeed = (place: number): string =>
      needTexts[
        (firstNeed[place] ?? 0) +
          (products === null ? nearestByWords(place, groups) : nearestByMeaning(place, products))
      ] ?? '';
    return {
      scores,
      words,
      matched,
      firm,
      meaning,
      nearestNeed,
      ...surest(opinion),
      known: known / total,
    };
  }

  function nearestMeanings(products: Float32Array): Float32Array {
    const meaning = new Float32Array(tools.length).fill(-1);
    for (let need = 0; need < products.length; need++) {
      const place = ownerOf[need] ?? 0;
      if ((products[need] ?? 0) > (meaning[place] ?? 0)) meaning[place] = products[need] ?? 0;
    }
    return meaning;
  }

  /** Which of a tool's own needs says most of the text in fewest words. */
  function nearestByWords(place: number, groups: readonly QueryGroup[]): number {
    const weightOf = new Map(
      groups.flatMap(({ alternatives, weight }) =>
        alternatives.map((alternative): [number, number] => [
          'term' in alternative ? alternative.term : -1,
          weight * alternative.weight,
        ]),
      ),
    );
    return bestOf(place, (need) => {
      const terms = needTerms[need] ?? [];
      let sum = 0;
      for (const term of new Set(terms)) sum += weightOf.get(term) ?? 0;
      return sum / Math.sqrt(4 + terms.length);
    });
  }

  function nearestByMeaning(place: number, products: Float32Array): number {
    return bestOf(place, (need) => products[need] ?? 0);
  }

  function bestOf(place: number, worth: (need: number) => number): number {
    const first = firstNeed[place] ?? 0;
    let [best, most] = [0, -Infinity];
    for (let at = 0; at < (tools[place]?.needs.length ?? 0); at++) {
      const value = worth(first + at);
      if (value > most) [best, most] = [at, value];
    }
    return best;
  }

  /** The categories of the example needs nearest in meaning; nearer ones have more to say. */
  function neighbourShares(products: Float32Array): Float64Array {
    const nearest: number[] = [];
    for (let need = 0; need < products.length; need++) {
      if (
        nearest.length === neighbours &&
        (products[need] ?? 0) <= (products[nearest[neighbours - 1] ?? 0] ?? 0)
      )
        continue;
      let at = nearest.length;
      while (at > 0 && (products[nearest[at - 1] ?? 0] ?? 0) < (products[need] ?? 0)) at -= 1;
      nearest.splice(at, 0, need);
      if (nearest.length > neighbours) nearest.pop();
    }
    const shares = new Float64Array(toolCategories.length);
    const nearestOf = products[nearest[0] ?? 0] ?? 0;
    let sum = 0;
    for (const need of nearest) {
      const say = Math.exp(((products[need] ?? 0) - nearestOf) * 10);
      const place = categoryOf[ownerOf[need] ?? 0] ?? 0;
      shares[place] = (shares[place] ?? 0) + say;
      sum += say;
    }
    return shares.map((share) => share / sum);
  }

  return {
    tools,
    find: (slug) => bySlug.get(slug),
    stackFit: createStackFit(tools),
    isWidelyUsed: Uint8Array.from(tools, ({ tier }) => (tier === 1 ? 1 : 0)),
    categoryAt: categoryOf,
    needTexts,
    setVectors(list) {
      const packed = new PackedVectors(list[0]?.length ?? 1);
      for (const [row, each] of list.entries()) packed.set(row, each);
      vectors = packed;
    },
    get hasVectors() {
      return vectors !== null;
    },
    evidenceFor,
  };
}

function readWords(tools: readonly Tool[]): ToolWords[] {
  const terms = toolTermsOfAll(
    tools.flatMap((tool) => [
      tool.name,
      tool.keywords.join(' '),
      tool.description,
      tool.category,
      ...tool.needs,
    ]),
  );
  let at = 0;
  const next = (): string[] => terms[at++] ?? [];
  return tools.map((tool) => ({
    name: next(),
    keywords: next(),
    description: next(),
    category: next(),
    needs: tool.needs.map(next),
  }));
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** The category with the best opinion; certain when the next one is far behind. */
function surest(opinion: Float64Array): { category: ToolCategory; certainty: number } {
  const order = [...opinion.keys()].sort((a, b) => (opinion[b] ?? 0) - (opinion[a] ?? 0));
  const lead = (opinion[order[0] ?? 0] ?? 0) - (opinion[order[1] ?? 0] ?? 0);
  return { category: toolCategories[order[0] ?? 0] ?? 'AI', certainty: 1 - Math.exp(-lead * 8) };
}
