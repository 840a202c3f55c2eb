// The checksum of AES-GCM: products of polynomials modulo x^128 + x^7 + x^2 + x + 1, made of whole
// multiplications. No table and no branch depends on what is multiplied, so that the time it takes
// tells nothing of the key (Pornin's `ctmul32`: with three zeros between any two bits, carries of a
// product of integers never reach the next bit that counts).
// Bench: serving. Plain twin: multiplication bit by bit, `slowGhash` in the test.

/** Every fourth bit, from the first, second, third and fourth on. */
const every0 = 0x11111111;
const every1 = 0x22222222;
const every2 = 0x44444444;
const every3 = 0x88888888 | 0;
const blockWords = 4;
const { imul } = Math;

/**
 * A number of 128 bits is four words, the first of them what stands first in memory, each read with
 * its first byte as the highest.
 */
export class Ghash {
  /** What the key brings to each of the 18 partial products, already taken apart. */
  readonly #key: Int32Array;

  constructor([k0 = 0, k1 = 0, k2 = 0, k3 = 0]: ArrayLike<number> & Iterable<number>) {
    const factors = [k3, k2, k1, k0].flatMap((word) => [word, reversed(word)]);
    const [a = 0, ar = 0, b = 0, br = 0, c = 0, cr = 0, d = 0, dr = 0] = factors;
    // Each word, sums of two, and of all four.
    const sums = (low: number, next: number, third: number, top: number): number[] => [
      low,
      next,
      third,
      top,
      low ^ next,
      third ^ top,
      low ^ third,
      next ^ top,
      low ^ next ^ third ^ top,
    ];
    this.#key = Int32Array.from(
      [...sums(a, b, c, d), ...sums(ar, br, cr, dr)].flatMap((word) => [
        word & every0,
        word & every1,
        word & every2,
        word & every3,
      ]),
    );
  }

  /** Adds blocks to a sum, which is 0 in the beginning: each is added, and all of it multiplied. */
  add(sum: Int32Array, blocks: Int32Array): void {
    for (let at = 0; at < blocks.length; at += blockWords) {
      for (let word = 0; word < blockWords; word += 1)
        sum[word] = (sum[word] as number) ^ (blocks[at + word] as number); // four, and whole blocks
      this.#multiply(sum);
    }
  }

  /** Products of 32 bits after Karatsuba: low halves as they are, high ones of what is reversed. */
  #multiply(sum: Int32Array): void {
    const key = this.#key;
    // Four words; a spread of them would be walked by an iterator.
    const a = sum[3] as number;
    const b = sum[2] as number;
    const c = sum[1] as number;
    const d = sum[0] as number;
    const ar = reversed(a);
    const br = reversed(b);
    const cr = reversed(c);
    const dr = reversed(d);
    const aa = product(a, key, 0);
    const bb = product(b, key, 4);
    const cc = product(c, key, 8);
    const dd = product(d, key, 12);
    const ab = product(a ^ b, key, 16) ^ aa ^ bb;
    const cd = product(c ^ d, key, 20) ^ cc ^ dd;
    const ac = product(a ^ c, key, 24);
    const bd = product(b ^ d, key, 28);
    const all = product(a ^ b ^ c ^ d, key, 32) ^ ac ^ bd;
    const aar = product(ar, key, 36);
    const bbr = product(br, key, 40);
    const ccr = product(cr, key, 44);
    const ddr = product(dr, key, 48);
    const abr = product(ar ^ br, key, 52) ^ aar ^ bbr;
    const cdr = product(cr ^ dr, key, 56) ^ ccr ^ ddr;
    const acr = product(ar ^ cr, key, 60);
    const bdr = product(br ^ dr, key, 64);
    const allr = product(ar ^ br ^ cr ^ dr, key, 68) ^ acr ^ bdr;
    reduce(
      sum,
      aa,
      ab ^ high(aar),
      aa ^ bb ^ cc ^ ac ^ high(abr),
      ab ^ cd ^ all ^ high(aar ^ bbr ^ ccr ^ acr),
      bb ^ cc ^ dd ^ bd ^ high(abr ^ cdr ^ allr),
      cd ^ high(bbr ^ ccr ^ ddr ^ bdr),
      dd ^ high(cdr),
      high(ddr),
    );
  }
}

/** The low 32 bits of a product without carries; the other factor is taken apart already. */
function product(word: number, key: Int32Array, at: number): number {
  const x0 = word & every0;
  const x1 = word & every1;
  const x2 = word & every2;
  const x3 = word & every3;
  // Eighteen times four were made.
  const y0 = key[at] as number;
  const y1 = key[at + 1] as number;
  const y2 = key[at + 2] as number;
  const y3 = key[at + 3] as number;
  return (
    ((imul(x0, y0) ^ imul(x1, y3) ^ imul(x2, y2) ^ imul(x3, y1)) & every0) |
    ((imul(x0, y1) ^ imul(x1, y0) ^ imul(x2, y3) ^ imul(x3, y2)) & every1) |
    ((imul(x0, y2) ^ imul(x1, y1) ^ imul(x2, y0) ^ imul(x3, y3)) & every2) |
    ((imul(x0, y3) ^ imul(x1, y2) ^ imul(x2, y1) ^ imul(x3, y0)) & every3)
  );
}

/** The high half of a product, from the low half of the product of what was reversed. */
function high(word: number): number {
  return reversed(word) >>> 1;
}

function reversed(word: number): number {
  let bits = word;
  bits = ((bits & 0x55555555) << 1) | ((bits >>> 1) & 0x55555555);
  bits = ((bits & 0x33333333) << 2) | ((bits >>> 2) & 0x33333333);
  bits = ((bits & 0x0f0f0f0f) << 4) | ((bits >>> 4) & 0x0f0f0f0f);
  bits = ((bits & 0x00ff00ff) << 8) | ((bits >>> 8) & 0x00ff00ff);
  return (bits << 16) | (bits >>> 16);
}

/**
 * From a product of 255 bits, the lowest word first, to one of 128. GCM writes polynomials with the
 * lowest power first, so the product is one bit lower than its words say.
 */
function reduce(
  sum: Int32Array,
  p0: number,
  p1: number,
  p2: number,
  p3: number,
  p4: number,
  p5: number,
  p6: number,
  p7: number,
): void {
  const w0 = p0 << 1;
  const w1 = (p1 << 1) | (p0 >>> 31);
  const w2 = (p2 << 1) | (p1 >>> 31);
  const w3 = ((p3 << 1) | (p2 >>> 31)) ^ spill(w0);
  sum[3] = ((p4 << 1) | (p3 >>> 31)) ^ fold(w0) ^ spill(w1);
  sum[2] = ((p5 << 1) | (p4 >>> 31)) ^ fold(w1) ^ spill(w2);
  sum[1] = ((p6 << 1) | (p5 >>> 31)) ^ fold(w2) ^ spill(w3);
  sum[0] = ((p7 << 1) | (p6 >>> 31)) ^ fold(w3);
}

/** What a word that is too high comes to four words further on. */
function fold(word: number): number {
  return word ^ (word >>> 1) ^ (word >>> 2) ^ (word >>> 7);
}

/** And what of that reaches the word before. */
function spill(word: number): number {
  return (word << 31) ^ (word << 30) ^ (word << 25);
}
