// The colours a title names. A shade answers its family ("navy" for blue), never the other way
// round.
import { productTokens } from './product-tokens.js';

/**
 * Each line: the colour, its family when it is a shade of one, and its other names. At most 64
 * lines: a title's colours are 64 bits.
 */
const table = `
black : : noir, jet black, onyx, ebony
white : : blanc, snow white, bright white
gray : : grey, greys, grays
silver : : silvery, silvertone, silver tone
gold : : golden, goldtone, gold tone
rose gold : : rosegold
red : : reds, rojo
blue : : blues, azul
green : : greens, verde
yellow : : yellows, amarillo
orange : : oranges
purple : : purples
pink : : pinks
brown : : browns
beige : : beiges
tan : beige : camel
khaki : beige : khakis
taupe : beige :
sand : beige :
nude : beige :
ivory : white : off white, offwhite, eggshell
cream : white : creme
pearl : white : pearl white
charcoal : gray : anthracite, dark gray, dark grey
slate : gray : slate gray, slate grey
graphite : gray : gunmetal, gun metal
space gray : gray : space grey
navy : blue : navy blue
royal blue : blue :
sky blue : blue : baby blue, light blue
indigo : blue :
denim : blue :
cobalt : blue :
turquoise : blue : aqua, cyan
teal : green :
olive : green : olive green, army green
mint : green : mint green
sage : green : sage green
emerald : green : emerald green
lime : green : lime green
forest green : green : hunter green, dark green
burgundy : red : maroon, wine red, oxblood
crimson : red : scarlet
ruby : red :
rust : orange : burnt orange
coral : orange :
peach : orange : apricot
amber : orange :
mustard : yellow : mustard yellow
lemon : yellow :
champagne : gold :
brass : gold :
bronze : brown :
copper : brown :
chocolate : brown :
espresso : brown :
walnut : brown :
cognac : brown :
lavender : purple : lilac, mauve
violet : purple : plum
magenta : pink : fuchsia, hot pink
blush : pink : rose pink, light pink
multicolor : : multicolour, multicolored, multicoloured, multi color, multi colored, multi colour, rainbow, assorted colors
clear : : transparent, translucent
`;

interface Shade {
  name: string;
  family: string;
}

function readTable(): { shades: readonly Shade[]; places: ReadonlyMap<string, number> } {
  const shades: Shade[] = [];
  const places = new Map<string, number>();
  for (const line of table.trim().split('\n')) {
    const [name = '', family = '', others = ''] = line.split(':').map((part) => part.trim());
    for (const each of [name, ...others.split(',')])
      if (each.trim() !== '') places.set(each.trim(), shades.length);
    shades.push({ name, family });
  }
  return { shades, places };
}

/** `places`: words of a colour name joined by a space, to its place in `shades`. */
const { shades, places } = readTable();
const firstWords: ReadonlySet<string> = new Set(
  [...places.keys()].filter((name) => name.includes(' ')).map((name) => name.split(' ')[0] ?? ''),
);

/** Said before a colour without changing what it is called. */
const degrees = new Set([
  'dark',
  'light',
  'bright',
  'deep',
  'pale',
  'matte',
  'matt',
  'glossy',
  'metallic',
  'solid',
  'soft',
  'pure',
  'neon',
  'pastel',
  'classic',
  'color',
  'colour',
]);

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

/** The wanted colour's family, itself and all its shades; null for a colour this table lacks. */
export function colorsNear(wanted: string): ColorBits | null {
  const [place] = placesIn(productTokens(wanted).words);
  const shade = place === undefined ? undefined : shades[place];
  if (shade === undefined) return null;
  const family = shade.family === '' ? shade.name : shade.family;
  return bitsOf(
    shades.flatMap((each, at) => (each.name === family || each.family === family ? [at] : [])),
  );
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
