// The sizes a listing names, in one notation: "X-Large" is xl, "9 D(M) US" is 9, "32x30" is w32 and
// l30, "Queen Size" is queen, "27-inch" is 27inch.
import { attachedMeasure, isNumber, measureOf } from './measures.js';
import { gap, productTokens, type ProductTokens } from './product-tokens.js';
import { pairsOf, wordsOf } from '../text/read-words.js';
import { wordLists } from './word-lists.js';

const letters = new Map(pairsOf(wordLists.letterSizes).map(([name, [size = '']]) => [name, size]));
const bedSizes = new Set(wordsOf(wordLists.bedSizes));
const beddingWords = new Set(wordsOf(wordLists.beddingWords));
const regions = new Set(wordsOf(wordLists.sizeRegions));
const widths = new Set(wordsOf(wordLists.shoeWidths));
const measureKinds = /(inch|cm|mm|ft|oz|ml|l|gal|qt|lb|kg|gb|tb)$/;
const jeans = /^(\d{2})x(\d{2})$/;
const waist = /^w?(\d{2})w?$/;
const inseam = /^l?(\d{2})l?$/;
const shoeWithWidth = /^(\d{1,2}(?:\.5)?)(?:b|d|e|ee|w|m|n)$/;
const childAge = /^[2-6]t$/;
const cupSize = /^(?:2[89]|3\d|4\d|5\d)(?:a{1,2}|b|c|d{1,4}|dd|ddd|e|f|g|h)$/;

export interface SizeSource {
  title: ProductTokens;
  sizes?: readonly string[];
  wearable: boolean;
}

/**
 * True for a measure ("27inch"), which is compared only with measures in the same unit; everything
 * else is one system.
 */
export function isMeasureSize(size: string): boolean {
  return /^\d/.test(size) && measureKinds.test(size) && !/^\dxl$/.test(size);
}

export function unitOfSize(size: string): string {
  return size.replace(/^[\d./]+/, '');
}

/**
 * Every size the listing names; the title first, the feed's own list only when the title names
 * none.
 */
export function sizesOf({ title, sizes, wearable }: SizeSource): string[] {
  const named = sizesIn(title, wearable);
  if (named.some((size) => !isMeasureSize(size)) || sizes === undefined) return named;
  return [...new Set([...named, ...sizes.flatMap(wantedSizes)])];
}

/** What a wanted size may be called in a listing; the text itself when it is no known notation. */
export function wantedSizes(wanted: string): string[] {
  const { words } = productTokens(wanted.replace(/\bsizes?\b/gi, ' '));
  const glued = words.join('');
  const found = new Set(sizesIn(productTokens(`x, size ${words.join(' ')}`), true));
  const letter =
    letters.get(glued) ?? letters.get(words[0] === 'extra' ? `x${words.slice(1).join('')}` : '');
  if (letter !== undefined) return [letter];
  if (glued === 'californiaking' || glued === 'calking') return ['calking'];
  if (glued === 'twinxl') return ['twinxl'];
  if (words.length === 1 && bedSizes.has(glued)) return [glued];
  const trousers = [...found].find((size) => jeans.test(size));
  if (trousers !== undefined) return [trousers, `w${trousers.slice(0, 2)}`];
  if (/^\d{2}$|^w\d{2}$|^\d{2}w$/.test(glued)) return waistSizes(glued.replace('w', ''));
  if (isNumber(glued) && !glued.includes('/')) return [trimmed(glued)];
  if (cupSize.test(glued)) return [glued];
  const worn = [...found].filter((size) => !isMeasureSize(size));
  if (worn.length > 0) return worn;
  return found.size > 0 ? [...found] : [glued];
}

/** A waist fits trousers of any length. */
function waistSizes(around: string): string[] {
  const lengths = Array.from({ length: 15 }, (_, more) => `${around}x${26 + more}`);
  return [around, `w${around}`, ...lengths];
}

export function sizesIn(tokens: ProductTokens, wearable: boolean): string[] {
  const found = new Set<string>();
  const bedding = tokens.words.some((word) => beddingWords.has(word));
  for (let at = 0; at < tokens.words.length; at++) {
    if (!mayBeSize(tokens.words[at] ?? '')) continue;
    addLetter(tokens, at, wearable, found);
    addNumber(tokens, at, wearable, found);
    addTrousers(tokens, at, wearable, found);
    addBed(tokens, at, bedding, found);
    addMeasure(tokens, at, found);
  }
  // an inseam, not litres
  if (wearable) for (const size of found) if (/^\d+l$/.test(size)) found.delete(size);
  return [...found];
}

/** Most words of a title are none of the things looked for below. */
function mayBeSize(word: string): boolean {
  const code = word.charCodeAt(0);
  return (
    (code >= 48 && code <= 57) ||
    letters.has(word) ||
    bedSizes.has(word) ||
    word === 'waist' ||
    /^w\d/.test(word)
  );
}

function addLetter(
  { words, gaps }: ProductTokens,
  at: number,
  wearable: boolean,
  found: Set<string>,
): void {
  const word = words[at] ?? '';
  const before = words[at - 1] ?? '';
  if (
    /^(x{1,3}|extra|\dx)$/.test(word) &&
    (words[at + 1] === 'large' || words[at + 1] === 'small') &&
    (gaps[at + 1] ?? 3) <= gap.glue
  )
    return;
  if ((word === 'large' || word === 'small') && at > 0 && (gaps[at] ?? 3) <= gap.glue) {
    const extras = /^x{1,3}$/.test(before)
      ? before
      : before === 'extra'
        ? 'x'
        : (/^(\d)x$/.exec(before)?.[1] ?? '');
    if (extras !== '') {
      const size = /\d/.test(extras) ? `${extras}xl` : letters.get(`${extras}${word}`);
      if (size !== undefined) found.add(size === '1xl' ? 'xl' : size);
      return;
    }
  }
  const size = letters.get(word);
  if (
    size === undefined ||
    (/^\dx$/.test(word) && !wearable) ||
    (isNumber(before) &&
      wearable &&
      word.length > 1 &&
      !/\dx/.test(word) &&
      (gaps[at] ?? 3) <= gap.glue)
  )
    return;
  if (word.length > 1 || standsAlone(words, gaps, at)) found.add(size);
}

/**
 * A bare S, M or L is a size after "size", as the end of a phrase, or beside another size; after a
 * number it is a width or a unit.
 */
function standsAlone(words: readonly string[], gaps: readonly number[], at: number): boolean {
  const before = words[at - 1] ?? '';
  if (/\d/.test(before) || before === 'd' || before === 'b') return false;
  if (before === 'size' || before === 'sz') return true;
  const ends = at === words.length - 1 || (gaps[at + 1] ?? 3) >= gap.phrase;
  const besides =
    (letters.has(words[at + 1] ?? '') && gaps[at + 1] === gap.glue) ||
    (letters.has(before) && gaps[at] === gap.glue);
  return besides || (ends && at > 0 && gaps[at] !== gap.glue);
}

function trimmed(number: string): string {
  return number.replace(/\.0$/, '');
}

function addNumber(
  { words, gaps }: ProductTokens,
  at: number,
  wearable: boolean,
  found: Set<string>,
): void {
  const word = words[at] ?? '';
  const before = words[at - 1] ?? '';
  const next = words[at + 1] ?? '';
  if (childAge.test(word)) found.add(word);
  if (wearable && cupSize.test(word)) found.add(word);
  const months =
    /^(?:months?|mos?)$/.test(next) && isNumber(word)
      ? word
      : (/^(\d+)(?:months?|mos?)$/.exec(word)?.[1] ?? '');
  if (months !== '') {
    found.add(`${months}mo`);
    if (gaps[at] === gap.glue && isNumber(before)) found.add(`${before}mo`);
    return;
  }
  const mayHaveWidth = wearable || before === 'size';
  const number =
    isNumber(word) && !word.includes('/')
      ? word
      : mayHaveWidth
        ? (shoeWithWidth.exec(word)?.[1] ?? '')
        : '';
  if (number === '' || Number(number) > 60) return;
  const named =
    before === 'size' || before === 'sz' || (words[at - 2] === 'size' && regions.has(before));
  if (named && measureOf(word, next) !== '') return;
  const close = (gaps[at] ?? 3) <= gap.glue;
  if (close && regions.has(before))
    found.add(before === 'us' ? trimmed(number) : `${before.slice(0, 2)}${trimmed(number)}`);
  else if (regionAfter(words, at) !== '')
    found.add(
      regionAfter(words, at) === 'us'
        ? trimmed(number)
        : `${regionAfter(words, at).slice(0, 2)}${trimmed(number)}`,
    );
  else if (named || (wearable && endsPhraseAlone(words, gaps, at))) found.add(trimmed(number));
  else if (
    wearable &&
    gaps[at] === gap.glue &&
    isNumber(before) &&
    endsPhraseAlone(words, gaps, at - 1)
  )
    found.add(trimmed(number));
}

/** "9 US", "9 M US", "9 D(M) US", "12.0 Regular US". */
function regionAfter(words: readonly string[], at: number): string {
  for (let next = at + 1; next <= at + 3; next++) {
    const word = words[next] ?? '';
    if (regions.has(word)) return word;
    if (!widths.has(word)) return '';
  }
  return '';
}

/** The last phrase of a shoe's or garment's title is often nothing but its size: "…, Black, 8". */
function endsPhraseAlone(words: readonly string[], gaps: readonly number[], at: number): boolean {
  if (at === 0 || (gaps[at] ?? 0) < gap.phrase) return false;
  const rest = words.slice(at + 1);
  return (
    rest.length <= 3 &&
    rest.every(
      (word, index) =>
        widths.has(word) ||
        word === 'women' ||
        word === 'men' ||
        (index === 0 && gaps[at + 1] === gap.glue && isNumber(word)),
    )
  );
}

function addTrousers(
  { words }: ProductTokens,
  at: number,
  wearable: boolean,
  found: Set<string>,
): void {
  if (!wearable) return;
  const word = words[at] ?? '';
  const joined =
    jeans.exec(word) ??
    (words[at + 1] === 'x'
      ? jeans.exec(`${word.replace(/w$/, '')}x${(words[at + 2] ?? '').replace(/l$/, '')}`)
      : null);
  if (joined !== null) {
    found.add(`${joined[1] ?? ''}x${joined[2] ?? ''}`);
  } else if (/^(w\d{2}|\d{2}w)$/.test(word)) {
    const length = /l/.test(words[at + 1] ?? '')
      ? (inseam.exec(words[at + 1] ?? '')?.[1] ?? '')
      : '';
    const around = waist.exec(word)?.[1] ?? '';
    found.add(length === '' ? `w${around}` : `${around}x${length}`);
  } else if (word === 'waist' && /^\d{2}$/.test(words[at + 1] ?? ''))
    found.add(`w${words[at + 1] ?? ''}`);
}

function addBed({ words }: ProductTokens, at: number, bedding: boolean, found: Set<string>): void {
  const word = words[at] ?? '';
  if (
    !bedSizes.has(word) ||
    !(bedding || (words[at + 1] === 'size' && (word === 'queen' || word === 'king')))
  )
    return;
  if (
    (word === 'single' || word === 'double') &&
    !(words[at + 1] === 'size' || words[at + 1] === 'bed')
  )
    return;
  if (word === 'king' && (words[at - 1] === 'california' || words[at - 1] === 'cal'))
    found.add('calking');
  else if (word === 'twin' && words[at + 1] === 'xl') found.add('twinxl');
  else found.add(word);
}

function addMeasure({ words, gaps }: ProductTokens, at: number, found: Set<string>): void {
  const measure =
    (gaps[at + 1] ?? 3) <= gap.glue && at + 1 < words.length
      ? measureOf(words[at] ?? '', words[at + 1] ?? '')
      : '';
  const size = measure === '' ? attachedMeasure(words[at] ?? '') : measure;
  if (size !== '' && measureKinds.test(size)) found.add(size);
}

/**
 * Whether a listing naming `named` may be shown to someone who wants one of `wanted`: it names none
 * of that kind, or one that fits.
 */
export function suitsSizes(named: readonly string[], wanted: ReadonlySet<string>): boolean {
  const units = new Set([...wanted].filter(isMeasureSize).map(unitOfSize));
  const worn = [...wanted].some((size) => !isMeasureSize(size));
  const comparable = named.filter((size) =>
    isMeasureSize(size) ? units.has(unitOfSize(size)) : worn,
  );
  return comparable.length === 0 || comparable.some((size) => wanted.has(size));
}
