// A few bytes of a consent string can name a hundred million vendors or sections, and a decoder
// would list them all. These look only at the lengths written in it.

class Bits {
  readonly #bytes: Buffer;
  #at: number;

  constructor(text: string, from: number) {
    this.#bytes = Buffer.from(text, 'base64url');
    this.#at = from;
  }

  get isOver(): boolean {
    return this.#at > this.#bytes.length * 8;
  }

  skip(count: number): void {
    this.#at += count;
  }

  take(count: number): number {
    let value = 0;
    for (let n = 0; n < count; n += 1) {
      const byte = this.#bytes[this.#at >> 3] ?? 0;
      value = value * 2 + ((byte >> (7 - (this.#at & 7))) & 1);
      this.#at += 1;
    }
    return value;
  }

  /** A number in Fibonacci coding: its bits end with the first two ones in a row. */
  takeFibonacci(): number {
    let [one, next] = [1, 2];
    let [value, before] = [0, 0];
    while (!this.isOver) {
      const bit = this.take(1);
      if (bit === 1 && before === 1) return value;
      value += bit * one;
      before = bit;
      [one, next] = [next, one + next];
    }
    return Number.POSITIVE_INFINITY;
  }
}

/** Where the vendors begin: behind the fields of fixed length. */
export const vendorsAt = { europe: 213, canada: 199 };
const mostVendors = 20_000;
const mostSections = 200;

/** Whether the vendors a core segment names are as many as there can be. */
export function hasSaneVendors(segment: string, from: number): boolean {
  const bits = new Bits(segment, from);
  let named = 0;
  const readRanges = (): void => {
    for (let left = bits.take(12); left > 0 && named <= mostVendors && !bits.isOver; left -= 1) {
      const isRange = bits.take(1) === 1;
      const start = bits.take(16);
      named += isRange ? Math.max(0, bits.take(16) - start) + 1 : 1;
    }
  };
  for (let vector = 0; vector < 2; vector += 1) {
    const last = bits.take(16);
    if (bits.take(1) === 1) readRanges();
    else {
      bits.skip(last);
      named += last;
    }
  }
  for (let left = bits.take(12); left > 0 && named <= mostVendors && !bits.isOver; left -= 1) {
    bits.skip(8);
    readRanges();
  }
  return named <= mostVendors;
}

/** Whether the sections the header of a GPP string names are as many as there can be. */
export function hasSaneSections(header: string): boolean {
  if (header.length > 100) return false;
  const bits = new Bits(header, 12);
  let last = 0;
  for (let left = bits.take(12); left > 0 && !bits.isOver; left -= 1) {
    const isRange = bits.take(1) === 1;
    last += bits.takeFibonacci();
    if (isRange) last += bits.takeFibonacci();
    if (last > mostSections) return false;
  }
  return true;
}
