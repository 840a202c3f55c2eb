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
import { ExampleNeeds } from './example-needs.js';
import { readStack } from './read-stack.js';
import { createStackFit, type StackFit } from './stack-fit.js';
import {
  frameworks,
  languages,
  type NamedTool,
  type Tool,
  toolCategories,
  type ToolCategory,
} from './tool.js';
import { categorySharesOf, type ToolReading } from './tool-reading.js';
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
  /** That any tool answers it, as the model that was taught the tools reads it; null without it. */
  need: number | null;
}

export interface ToolIndex {
  readonly tools: readonly Tool[];
  readonly find: (slug: string) => Tool | undefined;
  /** Also what is only known by name. */
  readonly named: (slug: string) => NamedTool | undefined;
  readonly stackFit: StackFit;
  /**
   * By place, for comparisons by the hundred: 1 for tools of the first tier; a number for each
   * category.
   */
  readonly isWidelyUsed: Uint8Array;
  readonly categoryAt: Uint8Array;
  /** Every example need, tool after tool: what vectors are made of, in this order. */
  readonly needTexts: readonly string[];
  /** What is meant, by vectors of the example needs. */
  setVectors(vectors: readonly Float32Array[]): void;
  readonly hasVectors: boolean;
  evidenceFor(text: string, vector: Float32Array | null, read?: ToolReading | null): Evidence;
}

const toolFields = [
  { weight: 2, lengthNorm: 0, usualLength: 1, zone: zone.name },
  { weight: 2.2, lengthNorm: 0.3, usualLength: 8, zone: zone.facts },
  { weight: 1, lengthNorm: 0.6, usualLength: 130, zone: zone.text },
  { weight: 1, lengthNorm: 0.5, usualLength: 16, zone: zone.text },
  { weight: 1.5, lengthNorm: 0, usualLength: 1, zone: zone.category },
] as const;
const toolSaturation = 1.2;
const fillerWeight = 0.15;
/** What a project is built with chooses among tools (`stack-fit.ts`), it says no need. */
const stackWeight = 0.3;
const repairedWeight = 0.7;

// Chosen on example needs held back from the index, with the judged needs of the benchmark in view:
// those are a regression check, no independent proof.
const weights = {
  words: 1,
  meaning: 0.7,
  categoryByMeaning: 0.15,
  /** Of what a tool is behind the likeliest, as a logarithm. */
  read: 0.17,
  categoryByWordsAlone: 0.1,
};

export function createToolIndex(
  tools: readonly Tool[],
  unlisted: readonly NamedTool[] = [],
): ToolIndex {
  return new SearchableTools(tools, unlisted);
}

/** What a text asks for, as the engine takes it. */
interface Asked {
  readonly groups: QueryGroup[];
  /** The weight of all its words, and of those the tool index knows. */
  readonly total: number;
  readonly known: number;
}

class SearchableTools implements ToolIndex {
  readonly tools: readonly Tool[];
  readonly stackFit: StackFit;
  readonly isWidelyUsed: Uint8Array;
  readonly categoryAt: Uint8Array;
  readonly needTexts: readonly string[];
  readonly find: (slug: string) => Tool | undefined;
  readonly named: (slug: string) => NamedTool | undefined;
  private readonly dictionary = new TermDictionary();
  private readonly byTool = new Bm25f({ fields: toolFields, saturation: toolSaturation });
  private readonly everyTool: Uint8Array;
  private readonly needs: ExampleNeeds;
  private readonly needRows: Uint32Array;
  private readonly categories: ReturnType<typeof createCategoryModel>;
  /** What a project is built with says nothing about the kind of tool it needs. */
  private readonly stackTerms: ReadonlySet<string>;
  private vectors: PackedVectors | null = null;

  constructor(tools: readonly Tool[], unlisted: readonly NamedTool[]) {
    this.tools = tools;
    this.stackFit = createStackFit(tools);
    this.isWidelyUsed = Uint8Array.from(tools, ({ tier }) => (tier === 1 ? 1 : 0));
    this.categoryAt = Uint8Array.from(tools, (tool) => categoryPlace.get(tool.category) ?? 0);
    this.needTexts = tools.flatMap((tool) => tool.needs);
    const bySlug = new Map(tools.map((tool) => [tool.slug, tool]));
    this.find = (slug) => bySlug.get(slug);
    const others = new Map(unlisted.map((tool) => [tool.slug, tool]));
    this.named = (slug) => bySlug.get(slug) ?? others.get(slug);
    this.everyTool = new Uint8Array(tools.length).fill(1);
    const wordsOf = readWords(tools);
    this.needs = new ExampleNeeds(wordsOf.map((words, place) => this.indexTool(place, words)));
    this.byTool.freeze();
    this.needRows = Uint32Array.from(this.needTexts.keys());
    this.categories = createCategoryModel(tools, wordsOf);
    this.stackTerms = readStackTerms(wordsOf);
  }

  /** Returns the terms of each of its example needs. */
  private indexTool(place: number, words: ToolWords): number[][] {
    const numbers = (terms: readonly string[]): number[] =>
      terms.map((term) => this.dictionary.intern(term));
    const needs = words.needs.map(numbers);
    this.byTool.add(
      place,
      [
        numbers(words.name),
        numbers(words.keywords),
        needs.flat(),
        numbers(words.description),
        numbers(words.category),
      ],
      this.dictionary.size,
    );
    return needs;
  }

  setVectors(list: readonly Float32Array[]): void {
    const packed = new PackedVectors(list[0]?.length ?? 1);
    for (const [row, each] of list.entries()) packed.set(row, each);
    this.vectors = packed;
  }

  get hasVectors(): boolean {
    return this.vectors !== null;
  }

  evidenceFor(
    text: string,
    vector: Float32Array | null,
    read: ToolReading | null = null,
  ): Evidence {
    const terms = new Set(toolTerms(text));
    const asked = this.groupsOf(terms);
    const byWords = this.scoreWords(asked);
    const products =
      this.vectors === null || vector === null
        ? null
        : this.vectors.products(this.needRows, vector);
    const meaning = products === null ? null : this.needs.nearestMeanings(products);
    const opinion = this.weighCategories(terms, products, read);
    return {
      scores: this.addUp(byWords.words, meaning, opinion, read),
      ...byWords,
      meaning,
      nearestNeed: (place) => this.nearestNeed(place, asked.groups, products),
      ...surest(opinion),
      known: asked.known / asked.total,
      need: read?.need ?? null,
    };
  }

  /**
   * Rare words weigh more; a word the tool index lacks weighs as much as its rarest and matches
   * nothing.
   */
  private groupsOf(terms: ReadonlySet<string>): Asked {
    const groups: QueryGroup[] = [];
    let [total, known] = [0, 0];
    for (const word of terms) {
      const found = this.termsFor(word);
      const frequency = found.reduce((sum, { term }) => sum + this.byTool.frequency(term), 0);
      const weight =
        Math.log(1 + (this.tools.length + 1) / (frequency + 0.5)) *
        (isFiller(word) ? fillerWeight : this.stackTerms.has(word) ? stackWeight : 1);
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

  /** The word itself, or where the tool index lacks it what it may be a slip of. */
  private termsFor(word: string): { term: number; weight: number }[] {
    const number = this.dictionary.lookup(word);
    if (number >= 0) return [{ term: number, weight: 1 }];
    const frequency = (term: number): number => this.byTool.frequency(term);
    return repairSpelling(word, this.dictionary.spellings(), frequency, 1).map(({ term }) => ({
      term,
      weight: repairedWeight,
    }));
  }

  private scoreWords({ groups, total }: Asked): Pick<Evidence, 'words' | 'matched' | 'firm'> {
    const words = new Float32Array(this.tools.length);
    const matched = new Uint8Array(this.tools.length);
    const firm = new Uint8Array(this.tools.length);
    const telling = groups.reduce(
      (mask, { weight }, at) => (weight > 1 ? mask | (1 << at) : mask),
      0,
    );
    const found = this.byTool.score(groups, this.everyTool, this.tools.length);
    for (let at = 0; at < found.count; at++) {
      const place = found.docs[at] ?? 0;
      words[place] = (found.floats[place << 2] ?? 0) / total;
      matched[place] = bitCount((found.cells[(place << 2) + matchedCell] ?? 0) & telling);
      firm[place] = bitCount((found.cells[(place << 2) + firmCell] ?? 0) & telling);
    }
    return { words, matched, firm };
  }

  /** How much speaks for each category: by meaning and reading; by words where neither is. */
  private weighCategories(
    terms: ReadonlySet<string>,
    products: Float32Array | null,
    read: ToolReading | null,
  ): Float64Array {
    const near = products === null ? [] : [this.needs.categoryShares(products, this.categoryAt)];
    const told = read === null ? [] : [categorySharesOf(read, this.categoryAt)];
    const heard = [...near, ...told];
    if (heard.length > 0) return weighShares(meanOf(heard), weights.categoryByMeaning);
    const shares = this.categories.byWords([...terms].filter((term) => !this.stackTerms.has(term)));
    return weighShares(shares, weights.categoryByWordsAlone);
  }

  private addUp(
    words: Float32Array,
    meaning: Float32Array | null,
    opinion: Float64Array,
    read: ToolReading | null,
  ): Float32Array {
    const scores = new Float32Array(this.tools.length);
    for (let place = 0; place < scores.length; place++) {
      const near = meaning === null ? 0 : weights.meaning * Math.max(0, meaning[place] ?? 0);
      const told = read === null ? 0 : weights.read * (read.likeness[place] ?? 0);
      scores[place] =
        weights.words * (words[place] ?? 0) +
        near +
        told +
        (opinion[this.categoryAt[place] ?? 0] ?? 0);
    }
    return scores;
  }

  private nearestNeed(
    place: number,
    groups: readonly QueryGroup[],
    products: Float32Array | null,
  ): string {
    const need =
      products === null
        ? this.needs.nearestByWords(place, groups)
        : this.needs.nearestByMeaning(place, products);
    return this.needTexts[need] ?? '';
  }
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

/** Terms of the index that only name a stack, "TypeScript" and "Node" too. */
function readStackTerms(wordsOf: readonly ToolWords[]): Set<string> {
  const terms = new Set(wordsOf.flatMap(({ keywords, needs }) => [...keywords, ...needs.flat()]));
  const named = [...terms].filter((term) => {
    const { languages: spoken, frameworks: used } = readStack(term);
    return spoken.length + used.length > 0;
  });
  return new Set([...named, ...[...languages, ...frameworks].flatMap((name) => toolTerms(name))]);
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

function meanOf(opinions: readonly Float64Array[]): Float64Array {
  const mean = new Float64Array(toolCategories.length);
  for (const shares of opinions)
    for (const [place, share] of shares.entries())
      mean[place] = (mean[place] ?? 0) + share / opinions.length;
  return mean;
}

/** The category with the best opinion; certain when the next one is far behind. */
function surest(opinion: Float64Array): { category: ToolCategory; certainty: number } {
  const order = [...opinion.keys()].sort((a, b) => (opinion[b] ?? 0) - (opinion[a] ?? 0));
  const lead = (opinion[order[0] ?? 0] ?? 0) - (opinion[order[1] ?? 0] ?? 0);
  return { category: toolCategories[order[0] ?? 0] ?? 'AI', certainty: 1 - Math.exp(-lead * 8) };
}
