import type { Constraints } from './constraints.js';
import { frameworkLanguages, readStack } from './read-stack.js';
import { frameworks, languages, type Tool } from './tool.js';

/** Made for another stack, by its own name or keywords. */
const elsewhere = -0.15;
/** Serves one language only, and nobody said which is used. */
const oneLanguage = -0.35;
/**
 * Tools this far behind answer a need as well as the best: which suits the stack better may decide.
 * What serves one language only may be further behind where that language is asked for.
 */
const equal = 0.07;
const ownLanguage = 0.1;
const words: readonly string[] = [...languages, ...frameworks];

/** What most web projects can use. */
const isCommon: ReadonlySet<string> = new Set(['any', 'javascript']);

/** Languages and frameworks as bits, for comparisons by the hundred. */
function bits(list: readonly string[]): number[] {
  // 34 words do not fit 32 bits: languages in the first number, frameworks in the second.
  const masks = [0, 0];
  for (const word of list) {
    const at = words.indexOf(word);
    if (at < 0) continue;
    if (at < languages.length) masks[0] = (masks[0] ?? 0) | (1 << at);
    else masks[1] = (masks[1] ?? 0) | (1 << (at - languages.length));
  }
  return masks;
}

/**
 * For a stack, how well the tool in each place suits it, and how far behind the best it is. Tools
 * made for one stack suit it better than those that merely serve it too.
 */
export type StackFit = (
  wanted: Pick<Constraints, 'languages' | 'frameworks'>,
) => (place: number, behind: number) => number;

export function createStackFit(tools: readonly Tool[]): StackFit {
  const speaks = new Uint32Array(tools.length);
  const guides = new Uint32Array(tools.length);
  const stepLanguages = new Uint32Array(tools.length);
  const stepFrameworks = new Uint32Array(tools.length);
  const isNarrow = new Uint8Array(tools.length);
  const madeFor = new Uint32Array(tools.length);
  const madeForFrameworks = new Uint32Array(tools.length);
  const isSingle = new Uint8Array(tools.length);
  for (const [place, { name, keywords, facts, install }] of tools.entries()) {
    const own = readStack([name, ...keywords].join(', '));
    [madeFor[place] = 0] = bits([
      ...own.languages,
      ...own.frameworks.flatMap((framework) => frameworkLanguages[framework]),
    ]);
    [, madeForFrameworks[place] = 0] = bits(own.frameworks);
    isSingle[place] =
      facts.languages.length === 1 && !facts.languages.some((one) => isCommon.has(one)) ? 1 : 0;
    [speaks[place] = 0] = bits(facts.languages);
    [, guides[place] = 0] = bits(facts.frameworks);
    [stepLanguages[place] = 0, stepFrameworks[place] = 0] = bits(
      install.flatMap((variant) => variant.for),
    );
    isNarrow[place] = facts.languages.length <= 2 ? 1 : 0;
  }
  return (wanted) => {
    if (wanted.languages.length + wanted.frameworks.length === 0)
      return (place) => (isSingle[place] === 1 ? oneLanguage : 0);
    const [, asked = 0] = bits(wanted.frameworks);
    const [spoken = 0] = bits([
      ...wanted.languages,
      ...wanted.frameworks.flatMap((framework) => frameworkLanguages[framework]),
    ]);
    /** Another language, or in the same one another framework. */
    const isElsewhere = (place: number): boolean => {
      const [made, within] = [madeFor[place] ?? 0, madeForFrameworks[place] ?? 0];
      if (made !== 0 && (made & spoken) === 0) return true;
      return asked !== 0 && isSingle[place] === 1 && within !== 0 && (within & asked) === 0;
    };
    const fitOf = (place: number): number => {
      let fit = isElsewhere(place) ? elsewhere : 0;
      if (((guides[place] ?? 0) & asked) !== 0) fit += 0.07;
      if (((stepFrameworks[place] ?? 0) & asked) !== 0) fit += 0.04;
      if (((speaks[place] ?? 0) & spoken) === 0) return fit;
      if (((stepLanguages[place] ?? 0) & spoken) !== 0) fit += 0.03;
      return fit + (isNarrow[place] === 1 ? 0.05 : 0.04);
    };
    return (place, behind) => {
      const fit = fitOf(place);
      const isOwn =
        isSingle[place] === 1 && ((speaks[place] ?? 0) & spoken) !== 0 && !isElsewhere(place);
      if (isOwn) return fit + ownLanguage;
      return fit < 0 || behind < equal ? fit : 0;
    };
  };
}
