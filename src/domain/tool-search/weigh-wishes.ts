import type { Wish, Wishes } from './read-wishes.js';

/** That a message wishes something of any tool: a logarithm of the odds by the wish's name. */
export type WishOdds = ReadonlyMap<string, number>;

/** From these odds on a wish was heard. */
const heard = 1;
/** Below these it surely was not, whatever phrase there is. */
export const unheard = -2;

/** The wishes that a tool meets or not, and how the model calls them. */
export const wishNames: readonly [Wish, string][] = [
  ['freeTier', 'free'],
  ['openSource', 'open'],
  ['selfHosted', 'self'],
  ['managed', 'managed'],
];

/**
 * What a message wishes, by phrases and by what the model that was taught the tools makes of it,
 * which reads other languages, what is said in passing, and whose machines "our own servers" are.
 * What a phrase takes back stays taken back.
 */
export function weighWishes(byPhrases: Wishes, odds: WishOdds | null): Wishes {
  if (odds === null) return byPhrases;
  const of = (name: string): number => odds.get(name) ?? unheard;
  const isHeard = (name: string): boolean => of(name) > heard;
  const isMeant = (name: string): boolean => of(name) >= unheard;
  const wanted: Wishes['wanted'] = {};
  for (const [wish, name] of wishNames) {
    const said = byPhrases.wanted[wish];
    if (said === false || (said === true && isMeant(name))) wanted[wish] = said;
    else if (said === undefined && isHeard(name)) wanted[wish] = true;
  }
  return {
    ...byPhrases,
    wanted: runByOne(wanted, byPhrases.wanted, of('self') >= of('managed')),
    region:
      byPhrases.region !== null && isMeant(byPhrases.region)
        ? byPhrases.region
        : likeliest((['eu', 'us', 'apac'] as const).filter(isHeard), of),
    maker: byPhrases.maker ?? makerHeard(isHeard),
    cheap: (byPhrases.cheap && isMeant('cheap')) || isHeard('cheap'),
  };
}

/** Nobody can run a tool and have it run: a phrase decides, or else what is heard more plainly. */
function runByOne(
  wanted: Wishes['wanted'],
  byPhrases: Wishes['wanted'],
  isSelf: boolean,
): Wishes['wanted'] {
  if (wanted.selfHosted !== true || wanted.managed !== true) return wanted;
  if (byPhrases.selfHosted === true && byPhrases.managed === true) return wanted;
  const { selfHosted, managed, ...rest } = wanted;
  const keepsSelf = byPhrases.selfHosted === true || (byPhrases.managed !== true && isSelf);
  return keepsSelf ? { ...rest, selfHosted } : { ...rest, managed };
}

function makerHeard(isHeard: (name: string) => boolean): Wishes['maker'] {
  if (isHeard('eu-maker')) return { region: 'eu', isRefused: false };
  return isHeard('not-us') ? { region: 'us', isRefused: true } : null;
}

function likeliest<T extends string>(among: readonly T[], of: (name: T) => number): T | null {
  return among.reduce<T | null>(
    (best, name) => (best === null || of(name) > of(best) ? name : best),
    null,
  );
}
