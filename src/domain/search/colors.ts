// The colours a title names. A shade answers its family ("navy" for blue), never the other way
// round.
import { colorDistance, unknownDistance } from './color-distance.js';
import { productTokens } from './product-tokens.js';
import { wordsOf } from '../text/read-words.js';
import { wordLists } from './word-lists.js';

/**
 * Each line: the colour, its family when it is a shade of one, its other names, and what it looks
 * like on goods as red, green and blue. At most 64 colours: a title's are 64 bits.
 */
const table = wordLists.colors;

interface Shade {
  name: string;
  family: string;
}

function readTable(): { shades: readonly Shade[]; places: ReadonlyMap<string, number> } {
  const shades: Shade[] = [];
  const places = new Map<string, number>();
  for (const line of table.trim().split('\n')) {
    const [name = '', family = '', others = ''] = line.split(':').map((part) => part.trim());
    // Another language names colours that are there already.
    const known = shades.findIndex((shade) => shade.name === name);
    const place = known === -1 ? shades.push({ name, family }) - 1 : known;
    for (const each of [name, ...others.split(',')])
      if (each.trim() !== '') places.set(each.trim(), place);
  }
  return { shades, places };
}

/** `places`: words of a colour name joined by a space, to its place in `shades`. */
const { shades, places } = readTable();
const firstWords: ReadonlySet<string> = new Set(
  [...places.keys()].filter((name) => name.includes(' ')).map((name) => name.split(' ')[0] ?? ''),
);

/** Said before a colour without changing what it is called. */
const degrees = new Set(wordsOf(wordLists.colorDegrees));

/** Bits 0–31 and 32–63 of the colours named. */
export interface ColorBits {
  low: number;
  high: number;
}

function placesIn(words: readonly string[]): number[] {
  const found: number[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const pair =
      firstWords.has(word) && at + 1 < words.length
        ? places.get(`${word} ${words[at + 1] ?? ''}`)
        : undefined;
    const place = pair ?? places.get(word);
    if (place !== undefined) found.push(place);
    if (pair !== undefined) at += 1;
  }
  return found;
}

function bitsOf(found: readonly number[]): ColorBits {
  const bits = { low: 0, high: 0 };
  for (const place of found) {
    if (place < 32) bits.low |= 1 << place;
    else bits.high |= 1 << (place - 32);
  }
  return { low: bits.low >>> 0, high: bits.high >>> 0 };
}

/** Words of a query that say a colour: where they begin, how many, and which one. */
export interface SaidColor {
  at: number;
  length: number;
  /** The colour as the table has it; of a shade, also its family. */
  name: string;
  family: string;
}

export function colorsSaid(words: readonly string[]): SaidColor[] {
  const said: SaidColor[] = [];
  for (let at = 0; at < words.length; at++) {
    const pair = places.get(words.slice(at, at + 2).join(' '));
    const shade = shades[pair ?? places.get(words[at] ?? '') ?? -1];
    if (shade === undefined) continue;
    const length = pair === undefined || at + 1 === words.length ? 1 : 2;
    said.push({ at, length, ...shade });
    at += length - 1;
  }
  return said;
}

export function isColorDegree(word: string): boolean {
  return degrees.has(word);
}

/** Shades of one colour are nearer to each other than they look: they go by one name. */
const familyShare = 0.5;

/**
 * How far the nearest of the colours a title names is from a wanted one; what names none is as far
 * as an unknown one.
 */
export function distanceFrom({
  name: wanted,
  family,
}: Shade): (low: number, high: number) => number {
  const hue = family === '' ? wanted : family;
  const far = shades.map(
    (shade) =>
      colorDistance(wanted, shade.name) *
      (shade.name === hue || shade.family === hue ? familyShare : 1),
  );
  return (low, high) => {
    let least = low === 0 && high === 0 ? unknownDistance : Infinity;
    for (const [at, distance] of far.entries())
      if (distance < least && (((at < 32 ? low : high) >>> (at & 31)) & 1) === 1) least = distance;
    return least;
  };
}

export function colorsIn(titleWords: readonly string[]): ColorBits {
  return bitsOf(placesIn(titleWords));
}

/**
 * The colours that answer a wanted one, or null for a colour this table does not know ("leopard"),
 * to be looked for as words.
 */
export function colorsAnswering(wanted: string): ColorBits | null {
  const { words } = productTokens(wanted);
  const plain = words.filter((word) => !degrees.has(word));
  const found = placesIn(words);
  const [place] = found.length === 1 && placesIn(plain).length === 1 ? found : placesIn(plain);
  if (place === undefined || placesIn(plain).length > 1 || plain.length > 2) return null;
  const name = shades[place]?.name;
  return bitsOf(shades.flatMap((shade, at) => (at === place || shade.family === name ? [at] : [])));
}
