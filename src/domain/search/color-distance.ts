// How far apart two colours look: the distance in OKLab, where equal steps look equal to people.
import { wordLists } from './word-lists.js';

interface Look {
  light: number;
  /** From green to red, and from blue to yellow. */
  a: number;
  b: number;
}

/** People match goods by their hue rather than by how light it is. */
const lightnessShare = 0.5;
/** Who asks for a hue takes another one rather than gray, as far as they are much the same. */
const neutralPenalty = 0.1;
const colored = 0.07;
const neutral = 0.04;
/** Of colours of which nobody said what they look like. */
export const unknownDistance = 0.2;

const looks: ReadonlyMap<string, Look> = new Map(
  wordLists.colors.split('\n').flatMap((line) => {
    const [name = '', , , value] = line.split(':').map((part) => part.trim());
    return value === undefined ? [] : [[name, lookOf(value)] as const];
  }),
);

/** Between two names of the table of colours, from the one asked for. */
export function colorDistance(asked: string, other: string): number {
  const [from, to] = [looks.get(asked), looks.get(other)];
  if (from === undefined || to === undefined) return asked === other ? 0 : unknownDistance;
  const apart = Math.hypot(lightnessShare * (from.light - to.light), from.a - to.a, from.b - to.b);
  const losesHue = Math.hypot(from.a, from.b) > colored && Math.hypot(to.a, to.b) < neutral;
  return apart + (losesHue ? neutralPenalty : 0);
}

/** Björn Ottosson's conversion, "A perceptual color space for image processing" (2020). */
function lookOf(value: string): Look {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) =>
    linear(Number.parseInt(value.slice(at, at + 2), 16) / 255),
  );
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return {
    light: 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    a: 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    b: 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  };
}

function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
