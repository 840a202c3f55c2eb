import type { QueryGroup } from '../search/bm25f.js';
import { toolCategories } from './tool.js';

/** So many example needs say what a text is about. */
const neighbours = 20;

/**
 * The example needs of all tools, tool after tool, each by its number. `products` are how near a
 * text is in meaning to each of them.
 */
export class ExampleNeeds {
  /** The tool each belongs to, by its place. */
  private readonly ownerOf: Uint16Array;
  /** Those of a tool begin here and end where the next one's begin. */
  private readonly firstOf: Uint32Array;
  private readonly termsOf: readonly (readonly number[])[];

  constructor(termsByTool: readonly (readonly (readonly number[])[])[]) {
    this.termsOf = termsByTool.flat();
    this.ownerOf = new Uint16Array(this.termsOf.length);
    this.firstOf = new Uint32Array(termsByTool.length + 1);
    let first = 0;
    for (const [place, needs] of termsByTool.entries()) {
      this.firstOf[place] = first;
      this.ownerOf.fill(place, first, first + needs.length);
      first += needs.length;
    }
    this.firstOf[termsByTool.length] = first;
  }

  /** For each tool how near its nearest need is. */
  nearestMeanings(products: Float32Array): Float32Array {
    const meaning = new Float32Array(this.firstOf.length - 1).fill(-1);
    for (let need = 0; need < products.length; need++) {
      const place = this.ownerOf[need] ?? 0;
      if ((products[need] ?? 0) > (meaning[place] ?? 0)) meaning[place] = products[need] ?? 0;
    }
    return meaning;
  }

  /** Which of a tool's own needs says most of the text in fewest words. */
  nearestByWords(place: number, groups: readonly QueryGroup[]): number {
    const weightOf = new Map(
      groups.flatMap(({ alternatives, weight }) =>
        alternatives.map((alternative): [number, number] => [
          'term' in alternative ? alternative.term : -1,
          weight * alternative.weight,
        ]),
      ),
    );
    return this.bestOf(place, (need) => {
      const terms = this.termsOf[need] ?? [];
      let sum = 0;
      for (const term of new Set(terms)) sum += weightOf.get(term) ?? 0;
      return sum / Math.sqrt(4 + terms.length);
    });
  }

  nearestByMeaning(place: number, products: Float32Array): number {
    return this.bestOf(place, (need) => products[need] ?? 0);
  }

  private bestOf(place: number, worth: (need: number) => number): number {
    const first = this.firstOf[place] ?? 0;
    let [best, most] = [first, -Infinity];
    for (let need = first; need < (this.firstOf[place + 1] ?? 0); need++) {
      const value = worth(need);
      if (value > most) [best, most] = [need, value];
    }
    return best;
  }

  /** The categories of the needs nearest in meaning; nearer ones have more to say. */
  categoryShares(products: Float32Array, categoryOfTool: Uint8Array): Float64Array {
    const nearest = nearestOf(products);
    const shares = new Float64Array(toolCategories.length);
    const most = products[nearest[0] ?? 0] ?? 0;
    let sum = 0;
    for (const need of nearest) {
      const say = Math.exp(((products[need] ?? 0) - most) * 10);
      const category = categoryOfTool[this.ownerOf[need] ?? 0] ?? 0;
      shares[category] = (shares[category] ?? 0) + say;
      sum += say;
    }
    return shares.map((share) => share / sum);
  }
}

/** The nearest needs, the very nearest first. */
function nearestOf(products: Float32Array): number[] {
  const nearest: number[] = [];
  for (let need = 0; need < products.length; need++) {
    const product = products[need] ?? 0;
    const last = products[nearest[neighbours - 1] ?? 0] ?? 0;
    if (nearest.length === neighbours && product <= last) continue;
    let at = nearest.length;
    while (at > 0 && (products[nearest[at - 1] ?? 0] ?? 0) < product) at -= 1;
    nearest.splice(at, 0, need);
    if (nearest.length > neighbours) nearest.pop();
  }
  return nearest;
}
