/**
 * Whether a title, given as spelling numbers, holds the terms in order, with at most `between`
 * other words from one to the next.
 */
export function hasPhrase(
  title: Uint32Array,
  phrase: readonly number[],
  between: number,
  termOf: (spelling: number) => number,
): boolean {
  for (let start = 0; start < title.length; start++) {
    if (termOf(title[start] ?? 0) !== phrase[0]) continue;
    let at = start;
    let matched = 1;
    while (matched < phrase.length) {
      let next = at + 1;
      while (
        next <= at + 1 + between &&
        next < title.length &&
        termOf(title[next] ?? 0) !== phrase[matched]
      )
        next += 1;
      if (next > at + 1 + between || next >= title.length) break;
      at = next;
      matched += 1;
    }
    if (matched === phrase.length) return true;
  }
  return false;
}
