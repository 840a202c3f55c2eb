export function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}

/** In place. */
export function addScaled(target: Float32Array, source: Float32Array, factor: number): void {
  for (let at = 0; at < target.length; at++) target[at] = target[at]! + source[at]! * factor;
}

/** In place; a vector without length stays as it is. */
export function normalise(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  if (length > 0) for (let at = 0; at < vector.length; at++) vector[at] = vector[at]! / length;
  return vector;
}

/** The vectors one behind the other. */
export function flatten(vectors: readonly Float32Array[]): Float32Array {
  const width = vectors[0]?.length ?? 0;
  const flat = new Float32Array(vectors.length * width);
  vectors.forEach((vector, at) => flat.set(vector, at * width));
  return flat;
}

/** Rows of a flat matrix, each times the vector. Four sums at once keep the processor busy: this is the hottest loop of a decision. */
export function multiply(rows: Float32Array, width: number, vector: Float32Array): Float32Array {
  const count = width === 0 ? 0 : rows.length / width;
  const products = new Float32Array(count);
  const even = width - (width % 4);
  for (let row = 0, offset = 0; row < count; row++, offset += width) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let at = 0; at < even; at += 4) {
      a += rows[offset + at]! * vector[at]!;
      b += rows[offset + at + 1]! * vector[at + 1]!;
      c += rows[offset + at + 2]! * vector[at + 2]!;
      d += rows[offset + at + 3]! * vector[at + 3]!;
    }
    for (let at = even; at < width; at++) a += rows[offset + at]! * vector[at]!;
    products[row] = a + b + c + d;
  }
  return products;
}

/** Eight bits a dimension: `values × scale` is the vector to within a thousandth. */
export type PackedVector = { values: Int8Array; scale: number };

export function pack(vector: Float32Array): PackedVector {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  const scale = most / 127 || 1;
  const values = new Int8Array(vector.length);
  for (let at = 0; at < vector.length; at++) values[at] = Math.round(vector[at]! / scale);
  return { values, scale };
}
