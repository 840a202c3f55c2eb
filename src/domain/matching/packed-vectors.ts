import { createDotKernel } from '../../fast/dot-kernel.js';
import type { DotKernel } from '../../fast/dot-kernel.js';
import { pack } from './vectors.js';

const pageBytes = 65_536;
/** The first page holds one query, the slots asked for and their products; the rows follow. */
const queryAt = 0;
const slotsAt = 16_384;
const productsAt = 40_960;
const mostAtOnce = 6_000;
const grownAtOnce = 64;

/**
 * One vector per slot, a byte a dimension. Memory grows in place, so an edit never pauses a
 * decision.
 */
export class PackedVectors {
  readonly width: number;
  readonly #rowBytes: number;
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #dots: DotKernel;
  #bytes = new Int8Array(this.#memory.buffer);
  #numbers = new Int32Array(this.#memory.buffer);
  #scales = new Float32Array(1024);

  constructor(width: number) {
    if (width > slotsAt) throw new Error(`a vector of ${width} dimensions is too long`);
    this.width = width;
    this.#rowBytes = Math.ceil(width / 32) * 32;
    this.#dots = createDotKernel(this.#memory);
  }

  set(slot: number, vector: Float32Array): void {
    if (vector.length !== this.width)
      throw new Error(`a vector of ${vector.length} dimensions among ones of ${this.width}`);
    const { values, scale } = pack(vector);
    const offset = this.#offsetOf(slot);
    this.#reserve(offset + this.#rowBytes);
    this.#bytes.set(values, offset);
    if (slot >= this.#scales.length) {
      const larger = new Float32Array(Math.max(slot + 1, this.#scales.length * 2));
      larger.set(this.#scales);
      this.#scales = larger;
    }
    this.#scales[slot] = scale;
  }

  /** The product of the query with the vector in each slot asked for. */
  products(slots: ArrayLike<number>, query: Float32Array): Float32Array {
    const products = new Float32Array(slots.length);
    const { values, scale } = pack(query);
    const numbers = this.#numbers;
    const scales = this.#scales;
    this.#bytes.fill(0, queryAt, queryAt + this.#rowBytes);
    this.#bytes.set(values, queryAt);
    for (let from = 0; from < slots.length; from += mostAtOnce) {
      const count = Math.min(mostAtOnce, slots.length - from);
      for (let at = 0; at < count; at++) numbers[slotsAt / 4 + at] = slots[from + at]!;
      this.#dots(pageBytes, slotsAt, count, this.#rowBytes, queryAt, productsAt);
      for (let at = 0; at < count; at++)
        products[from + at] =
          numbers[productsAt / 4 + at]! * scales[numbers[slotsAt / 4 + at]!]! * scale;
    }
    return products;
  }

  addTo(target: Float32Array, slot: number): void {
    const offset = this.#offsetOf(slot);
    const scale = this.#scales[slot]!;
    for (let at = 0; at < this.width; at++)
      target[at] = target[at]! + this.#bytes[offset + at]! * scale;
  }

  #offsetOf(slot: number): number {
    return pageBytes + slot * this.#rowBytes;
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#bytes.length) return;
    this.#memory.grow(
      Math.max(
        Math.ceil((bytes - this.#bytes.length) / pageBytes),
        Math.min(grownAtOnce, Math.ceil(this.#bytes.length / pageBytes)),
      ),
    );
    this.#bytes = new Int8Array(this.#memory.buffer);
    this.#numbers = new Int32Array(this.#memory.buffer);
  }
}
