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

/** Eight bits a dimension: `values × scale` is the vector to within a thousandth. */
export type PackedVector = { values: Int8Array; scale: number };

export function pack(vector: Float32Array): PackedVector {
  let most = 0;
  for (let at = 0; at < vector.length; at++) most = Math.max(most, Math.abs(vector[at]!));
  const scale = most / 127 || 1;
  const values = new Int8Array(vector.length);
  for (let at = 0; at < vector.length; at++) values[at] = Math.round(vector[at]! / scale);
  return { values, scale };
}
