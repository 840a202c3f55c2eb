import type { Constraints } from './constraints.js';
import { phraseLists } from './phrase-lists.js';

export type Wish = 'freeTier' | 'openSource' | 'selfHosted' | 'managed';

export interface MakerWish {
  region: 'us' | 'eu' | 'apac';
  isRefused: boolean;
}

/** What a text asks of any tool, apart from what the tool is for. */
export interface Wishes {
  /** True: wanted; false: said not to matter or not wanted. */
  wanted: Partial<Record<Wish, boolean>>;
  region: Constraints['region'];
  /** Where the maker should be, or should not. */
  maker: MakerWish | null;
  /** Money matters, without a limit being set. */
  cheap: boolean;
  /** Asked for something cheaper than what was on the table. */
  cheaper: boolean;
  /** The text without these phrases. */
  rest: string;
}

const phrases: readonly { wish: Wish; pattern: RegExp }[] = [
  { wish: 'selfHosted', pattern: new RegExp(phraseLists.selfHosted, 'gi') },
  { wish: 'selfHosted', pattern: new RegExp(phraseLists.ownMachines, 'gi') },
  { wish: 'selfHosted', pattern: new RegExp(phraseLists.withoutVendors, 'gi') },
  { wish: 'managed', pattern: new RegExp(phraseLists.managed, 'gi') },
  { wish: 'openSource', pattern: new RegExp(phraseLists.openSource, 'gi') },
  { wish: 'freeTier', pattern: new RegExp(phraseLists.freeTier, 'gi') },
];
const regionPhrases: readonly { region: 'us' | 'eu' | 'apac'; place: string }[] = [
  { region: 'eu', place: `(?:${phraseLists.placesEu})` },
  { region: 'apac', place: `(?:${phraseLists.placesApac})` },
  { region: 'us', place: `(?:${phraseLists.placesUs})` },
];
const hosting = `(?:${phraseLists.hosting})`;
const cheapWords = new RegExp(phraseLists.cheap, 'gi');
const cheaperWords = new RegExp(phraseLists.cheaper, 'gi');
const refusal = new RegExp(`(?:${phraseLists.wishRefusals}) ?$`, 'i');

/** "Not from an American company", "no US vendors". */
const refusedHome = new RegExp(
  String.raw`\b(?:${phraseLists.negated}|${phraseLists.refusedMakers})(?: (?:from|by|of|with))?(?: (?:${phraseLists.negatedBefore}))? ?$`,
  'i',
);

/** Most texts name no place: one look instead of twelve. */
const anyPlace = new RegExp(
  `\\b${regionPhrases
    .filter(({ region }) => region !== 'us')
    .map(({ place }) => place)
    .join('\\b|\\b')}\\b`,
  'i',
);
const anyUs = new RegExp(String.raw`\b(?:${phraseLists.placesUs})\b`);

const regionPatterns = regionPhrases.map(({ region, place }) => {
  // "us" is a pronoun unless it is written as the country.
  const flags = region === 'us' ? 'g' : 'gi';
  return {
    region,
    place: new RegExp(`\\b${place}\\b`, flags),
    near: new RegExp(
      `\\b${place}\\b[\\s-]+(?:\\w+[\\s-]+){0,1}?${hosting}\\b|\\b${hosting}\\b[\\s-]+(?:\\w+[\\s-]+){0,3}?(?:in|within|inside|from|to)?\\s?(?:the )?\\b${place}\\b`,
      flags,
    ),
    alone: new RegExp(
      `^\\W*(?:(?:${phraseLists.beforePlaces}) )*(?:the |a )?\\b${place}\\b(?: (?:${phraseLists.afterPlaces}))*\\W*$`,
      flags,
    ),
    clause: new RegExp(
      `(?:^|[,;]|\\bbut\\b|\\band\\b|\\bmust be\\b)\\s*(?:in |from |within )?(?:the )?${place}\\s*(?=$|[,.;!])`,
      flags,
    ),
    maker: new RegExp(`\\b${place}[\\s-](?:${phraseLists.makersOfPlaces})\\b`, flags),
  };
});

/**
 * Reads what a tool must be like, whatever it is for. A phrase after "not" or "don't need" takes
 * the wish back.
 */
export function readWishes(text: string): Wishes {
  const wanted: Wishes['wanted'] = {};
  const withoutCheaper = text.replace(cheaperWords, ' ');
  const withoutCheap = withoutCheaper.replace(cheapWords, ' ');
  let rest = withoutCheap;
  for (const { wish, pattern } of phrases) {
    rest = rest.replace(pattern, (...match) => {
      const at = Number(match.find((detail) => typeof detail === 'number'));
      const isRefused = refusal.test(rest.slice(Math.max(0, at - 40), at));
      wanted[wish] = !isRefused;
      if (wish === 'selfHosted' && isRefused) wanted.managed = true;
      return ' ';
    });
  }
  const { maker, rest: withoutMaker } = readMaker(rest);
  const { region, rest: left } = readRegion(withoutMaker);
  return {
    wanted,
    // Whoever wants a maker from somewhere wants the data there too.
    region: region ?? (maker?.isRefused === false ? maker.region : null),
    maker,
    cheap: withoutCheap !== withoutCheaper,
    cheaper: withoutCheaper !== text,
    rest: left.replace(/\s+/g, ' ').trim(),
  };
}

/** Where a text says from where a maker is: "US companies". */
export function makerPlace(text: string): { start: number; end: number } | null {
  if (!anyPlace.test(text) && !anyUs.test(text)) return null;
  for (const { maker } of regionPatterns) {
    maker.lastIndex = 0;
    const found = maker.exec(text);
    if (found !== null) return { start: found.index, end: found.index + found[0].length };
  }
  return null;
}

function readMaker(text: string): { maker: MakerWish | null; rest: string } {
  if (!anyPlace.test(text) && !anyUs.test(text)) return { maker: null, rest: text };
  for (const { region, maker: pattern } of regionPatterns) {
    pattern.lastIndex = 0;
    const found = pattern.exec(text);
    if (found === null) continue;
    const before = text.slice(0, found.index);
    const isRefused = refusedHome.test(before.slice(-40));
    const rest = isRefused ? before.replace(refusedHome, ' ') : before;
    return { maker: { region, isRefused }, rest: rest + text.slice(found.index + found[0].length) };
  }
  return { maker: null, rest: text };
}

function readRegion(text: string): { region: Constraints['region']; rest: string } {
  if (!anyPlace.test(text) && !anyUs.test(text)) return { region: null, rest: text };
  for (const { region, place, near, alone, clause } of regionPatterns) {
    for (const pattern of [near, alone, clause]) {
      // "Storage in France": the place is the condition, the rest may be the need.
      const rest = text.replace(pattern, (found) => found.replace(place, ' '));
      if (rest !== text) return { region, rest };
    }
  }
  return { region: null, rest: text };
}
