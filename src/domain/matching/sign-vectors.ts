/**
 * The signs of a vector, a bit each: enough to tell how near another vector is to within a few
 * hundredths, and a small part of what the vector says.
 */
export type Signs = {
  bits: Uint8Array;
  /** What a vector with these signs comes to where it meets itself. */
  reach: number;
};

export function signsOf(vector: Float32Array): Signs {
  const bits = new Uint8Array(Math.ceil(vector.length / 8));
  let reach = 0;
  for (let at = 0; at < vector.length; at++) {
    const value = vector[at] ?? 0;
    reach += Math.abs(value);
    if (value > 0) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  }
  return { bits, reach };
}

/**
 * About the cosine between `vector`, of length one, and whatever had the signs. Eight dimensions
 * are one look into a table: thousands of rows are compared in a millisecond.
 */
export function createNearness(vector: Float32Array): (signs: Signs) => number {
  const bytes = Math.ceil(vector.length / 8);
  const table = new Float32Array(bytes * 256);
  for (let byte = 0; byte < bytes; byte++)
    for (let pattern = 0; pattern < 256; pattern++) {
      let sum = 0;
      for (let bit = 0; bit < 8; bit++) {
        const value = vector[byte * 8 + bit] ?? 0;
        sum += (pattern >> bit) & 1 ? value : -value;
      }
      table[byte * 256 + pattern] = sum;
    }
  return ({ bits, reach }) => {
    if (bits.length !== bytes || reach <= 0) return -1;
    let sum = 0;
    for (let byte = 0; byte < bytes; byte++) sum += table[byte * 256 + (bits[byte] ?? 0)] ?? 0;
    return sum / reach;
  };
}
