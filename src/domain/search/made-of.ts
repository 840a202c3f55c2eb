// "Wine glasses" name a thing by what it is made of; so does a kettle among its details, and is none.
import { isNaming } from './genuine-fit.js';
import type { PlannedGroup } from './query-plan.js';
import { firmCell, namedCell, type Scored } from './scored.js';
import { isSubstance } from './substances.js';

/** Whether the word for the thing is a substance, and another word says which thing of it. */
export function isMadeOf(groups: readonly PlannedGroup[], head: number, colors: number): boolean {
  const isOne = (group: PlannedGroup | undefined): boolean => isSubstance(group?.words[0] ?? '');
  return (
    isOne(groups[head]) &&
    groups.some((group, at) => isNaming(group) && ((colors >>> at) & 1) === 0 && !isOne(group))
  );
}

/** What has the word of this bit among its details only is made of it, and not called so. */
export function takeOnlyNamed({ docs, cells, count }: Scored, bit: number): void {
  for (let at = 0; at < count; at++) {
    const cell = (docs[at] as number) << 2; // within count
    const named = cells[cell + namedCell] as number; // sized to every document
    if ((named & bit) === 0) cells[cell + firmCell] = (cells[cell + firmCell] as number) & ~bit; // as above
  }
}
