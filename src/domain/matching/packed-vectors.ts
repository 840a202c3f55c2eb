import { pack } from './vectors.js';
import type { PackedVector } from './vectors.js';

const perChunk = 1024;

/** One packed vector per slot, in chunks: growing never copies what is there, so an edit never pauses a decision. */
export class PackedVectors {
  readonly width: number;
  readonly #chunks: Int8Array[] = [];
  #scales = new Float32Array(perChunk);

  constructor(width: number) {
    this.width = width;
  }

  set(slot: number, vector: Float32Array): void {
    if (vector.length !== this.width) throw new Error(`a vector of ${vector.length} dimensions among ones of ${this.width}`);
    const { values, scale } = pack(vector);
    const chunk = Math.floor(slot / perChunk);
    while (this.#chunks.length <= chunk) this.#chunks.push(new Int8Array(perChunk * this.width));
    this.#chunks[chunk]!.set(values, (slot % perChunk) * this.width);
    if (slot >= this.#scales.length) {
      const larger = new Float32Array(Math.max(slot + 1, this.#scales.length * 2));
      larger.set(this.#scales);
      this.#scales = larger;
    }
    this.#scales[slot] = scale;
  }

  dot(slot: number, query: PackedVector): number {
    const chunk = this.#chunks[Math.floor(slot / perChunk)]!;
    const offset = (slot % perChunk) * this.width;
    const { values } = query;
    let one = 0;
    let other = 0;
    const even = this.width - (this.width % 4);
    for (let at = 0; at < even; at += 4) {
      one += Math.imul(chunk[offset + at]!, values[at]!) + Math.imul(chunk[offset + at + 1]!, values[at + 1]!);
      other += Math.imul(chunk[offset + at + 2]!, values[at + 2]!) + Math.imul(chunk[offset + at + 3]!, values[at + 3]!);
    }
    for (let at = even; at < this.width; at++) one += Math.imul(chunk[offset + at]!, values[at]!);
    return (one + other) * this.#scales[slot]! * query.scale;
  }

  addTo(target: Float32Array, slot: number): void {
    const chunk = this.#chunks[Math.floor(slot / perChunk)]!;
    const offset = (slot % perChunk) * this.width;
    const scale = this.#scales[slot]!;
    for (let at = 0; at < this.width; at++) target[at] = target[at]! + chunk[offset + at]! * scale;
  }
}
