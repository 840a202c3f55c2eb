// What the first listings of an answer have in common beside the words that were asked for tells
// what is meant: "makita wood planner" finds planing machines first, and whatever else is like them
// belongs before a paper planner that has as many of the words.

/** So many of the first say what is meant; more of them bring in what is not. */
const first = 5;

/**
 * For each title, given best first as term numbers, how near it comes to the first ones, 0 to 1.
 * Words of the query do not count: all have them. None of the first vouches for itself, and of
 * sizes and colours of one thing (`groups`, 0 for none) only one speaks.
 */
export function titleKinship(
  titles: readonly ArrayLike<number>[],
  groups: readonly number[],
  isAsked: (term: number) => boolean,
  rarityOf: (term: number) => number,
): number[] {
  const weights = new Map<number, number>();
  const weightOf = (term: number): number => {
    const known = weights.get(term);
    if (known !== undefined) return known;
    const weight = isAsked(term) ? 0 : rarityOf(term);
    weights.set(term, weight);
    return weight;
  };
  const speakers = speakersOf(groups);
  const says = new Map<number, number>();
  for (const at of speakers)
    for (const term of new Set(Array.from(titles[at] ?? [])))
      if (weightOf(term) > 0) says.set(term, (says.get(term) ?? 0) + 1);
  let length = 0;
  for (const [term, count] of says) length += (count * weightOf(term)) ** 2;
  if (length === 0) return titles.map(() => 0);
  return titles.map((title, place) => {
    const own = speakers.includes(place) ? 1 : 0;
    let [shared, norm] = [0, 0];
    for (let at = 0; at < title.length; at++) {
      const term = title[at] as number; // below length
      const weight = weightOf(term) ** 2;
      if (weight === 0 || stoodBefore(title, at)) continue;
      shared += Math.max(0, (says.get(term) ?? 0) - own) * weight;
      norm += weight;
    }
    const others = speakers.length / Math.max(1, speakers.length - own);
    return norm === 0 ? 0 : (others * shared) / Math.sqrt(length * norm);
  });
}

/** Titles are short: looking back costs less than a set of their words. */
function stoodBefore(title: ArrayLike<number>, at: number): boolean {
  for (let earlier = 0; earlier < at; earlier++) if (title[earlier] === title[at]) return true;
  return false;
}

function speakersOf(groups: readonly number[]): number[] {
  const seen = new Set<number>();
  const chosen: number[] = [];
  for (let at = 0; at < groups.length && chosen.length < first; at++) {
    const group = groups[at] ?? 0;
    if (group !== 0 && seen.has(group)) continue;
    seen.add(group);
    chosen.push(at);
  }
  return chosen;
}
