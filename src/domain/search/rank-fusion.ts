// Puts two rankings together by rank alone, so that scores of different engines never have to be compared.

export const lexicalWeight = 2;
const damping = 60;

/** Ids best first. Each list gives an id its weight over (60 + rank); ties keep the order of the first list. */
export function fuseRankings(lexical: readonly string[], vector: readonly string[]): { id: string; score: number }[] {
  const scores = new Map<string, number>();
  for (const [rank, id] of lexical.entries()) scores.set(id, (scores.get(id) ?? 0) + lexicalWeight / (damping + rank + 1));
  for (const [rank, id] of vector.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (damping + rank + 1));
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score);
}
