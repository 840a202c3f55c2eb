// Randomness that comes in as a seed, so that the same request and seed always give the same
// decision.

const TWO_32 = 4_294_967_296;

/** A stream of numbers in [0, 1): a Weyl sequence through a 32-bit finaliser. Not for secrets. */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    return finalise(state) / TWO_32;
  };
}

/** 32 bits from two numbers, independent of the order in which candidates are looked at. */
export function mix(seed: number, index: number): number {
  return finalise((finalise(seed | 0) ^ Math.imul(index + 1, 0x85ebca6b)) | 0);
}

/** A standard normal deviate for (seed, index). */
export function normalAt(seed: number, index: number): number {
  const first = (mix(seed, index) + 0.5) / TWO_32;
  const second = mix(seed ^ 0x5bd1e995, index) / TWO_32;
  return Math.sqrt(-2 * Math.log(first)) * Math.cos(2 * Math.PI * second);
}

function finalise(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
