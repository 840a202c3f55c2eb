import { editDistance } from './edit-distance.js';

/** Shorter names are near too many words that mean something of their own. */
const shortest = 4;
const longest = 40;

/**
 * The name another one is a slip of: other case or signs, other order, one of many, a typing error.
 * Null for what is like none of them, which clients send on purpose.
 */
export function nameMeant(name: string, known: readonly string[]): string | null {
  const plain = lettersOf(name);
  if (plain.length < shortest || plain.length > longest) return null;
  const inOrder = reversed(name);
  const same = known.find(
    (each) =>
      plain === lettersOf(each) ||
      inOrder === each ||
      plain === each.split('_').reverse().join('') ||
      `${plain.replace(/y$/, 'ie')}s` === lettersOf(each),
  );
  return same ?? known.find((each) => isTypedFor(plain, lettersOf(each))) ?? null;
}

function isTypedFor(plain: string, wanted: string): boolean {
  if (wanted.length <= shortest) return false;
  return editDistance(plain, wanted, 2) <= (wanted.length > 7 ? 2 : 1);
}

/** A name without case and signs: "Price-Max" and "priceMax" are one. */
export function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** "maxPrice" and "max_price" are price_max. */
function reversed(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .reverse()
    .join('_');
}
