import type { Wishes } from './read-wishes.js';

/** That a message wishes something of any tool: a logarithm of the odds by the wish's name. */
export type WishOdds = ReadonlyMap<string, number>;

/** From these odds on a wish was heard. */
const heard = 1;

/**
 * What a message wishes, by phrases and by what the model that was taught the tools makes of it: it
 * reads other languages and what is said in passing. What phrases take back stays taken back.
 */
export function addHeard(byPhrases: Wishes, odds: WishOdds | null): Wishes {
  if (odds === null) return byPhrases;
  const of = (name: string): number => odds.get(name) ?? -Infinity;
  const isHeard = (name: string): boolean => of(name) > heard;
  const wanted = { ...byPhrases.wanted };
  if (isHeard('free')) wanted.freeTier ??= true;
  if (isHeard('open')) wanted.openSource ??= true;
  // Nobody can have both: the plainer one.
  if (isHeard('self') && of('self') > of('managed') && wanted.managed !== true)
    wanted.selfHosted ??= true;
  if (isHeard('managed') && of('managed') > of('self') && wanted.selfHosted !== true)
    wanted.managed ??= true;
  const region = likeliest((['eu', 'us', 'apac'] as const).filter(isHeard), of);
  return {
    ...byPhrases,
    wanted,
    region: byPhrases.region ?? region,
    maker: byPhrases.maker ?? makerHeard(isHeard),
    cheap: byPhrases.cheap || isHeard('cheap'),
  };
}

function makerHeard(isHeard: (name: string) => boolean): Wishes['maker'] {
  if (isHeard('eu-maker')) return { region: 'eu', isRefused: false };
  return isHeard('not-us') ? { region: 'us', isRefused: true } : null;
}

function likeliest<T extends string>(names: readonly T[], of: (name: T) => number): T | null {
  return names.reduce<T | null>(
    (best, name) => (best === null || of(name) > of(best) ? name : best),
    null,
  );
}
