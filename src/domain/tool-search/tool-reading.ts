import type { WishOdds } from './weigh-wishes.js';
import { toolCategories } from './tool.js';

/** What the model that was taught the tools makes of a message (`reader/train/tools.py`). */
export interface ToolReading {
  /**
   * How likely each tool answers it beside the likeliest, by its place in the tool index: 0 for
   * that one, below for the rest, as a logarithm.
   */
  likeness: Float32Array;
  /** That any tool answers it: above 0 more likely than not, as the logarithm of the odds. */
  need: number;
  /** That it wishes this of any tool, as the need is told. */
  wishes: WishOdds;
  /** The same as it was read, before anything casts doubt on it. */
  outright: WishOdds;
}

/** What its rows tell of, in this order, the need between the two. */
export interface Taught {
  tools: readonly string[];
  wishes: readonly string[];
}

/** Further behind than this is not told apart. */
const furthest = -10;

/**
 * Puts what the model gives, the tools it was taught, the need and the wishes, in the order of the
 * tool index. A tool it was not taught stands where its alternatives do.
 */
export function createReadingOrder(
  tools: readonly { slug: string; alternatives: readonly string[] }[],
  taught: Taught,
): (row: Float32Array) => ToolReading {
  const placeOf = new Map(taught.tools.map((slug, at) => [slug, at]));
  const needAt = taught.tools.length;
  const sources = tools.map(({ slug, alternatives }) => {
    const own = placeOf.get(slug);
    if (own !== undefined) return [own];
    return alternatives.flatMap((other) => placeOf.get(other) ?? []);
  });
  return (row) => {
    const likeness = new Float32Array(tools.length).fill(-Infinity);
    for (const [place, from] of sources.entries())
      if (from.length > 0)
        likeness[place] = from.reduce((sum, at) => sum + (row[at] ?? 0), 0) / from.length;
    const best = Math.max(...likeness);
    for (let place = 0; place < likeness.length; place++)
      likeness[place] = Math.max(furthest, (likeness[place] ?? furthest) - best);
    const wishes = new Map(taught.wishes.map((name, at) => [name, row[needAt + 1 + at] ?? 0]));
    return { likeness, need: row[needAt] ?? 0, wishes, outright: wishes };
  };
}

/** How likely the need is of each category: what all its tools have together. */
export function categorySharesOf({ likeness }: ToolReading, categoryAt: Uint8Array): Float64Array {
  const shares = new Float64Array(toolCategories.length);
  let sum = 0;
  for (let place = 0; place < likeness.length; place++) {
    const chance = Math.exp(likeness[place] ?? furthest);
    const category = categoryAt[place] ?? 0;
    shares[category] = (shares[category] ?? 0) + chance;
    sum += chance;
  }
  return shares.map((share) => share / sum);
}
