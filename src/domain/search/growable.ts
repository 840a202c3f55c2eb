// Typed arrays that grow by doubling: millions of numbers without an object or a boxed value each.

export interface GrowableU32 {
  data: Uint32Array<ArrayBuffer>;
  length: number;
}
export interface GrowableU16 {
  data: Uint16Array<ArrayBuffer>;
  length: number;
}

export function growableU32(capacity = 16): GrowableU32 {
  return { data: new Uint32Array(capacity), length: 0 };
}

export function growableU16(capacity = 16): GrowableU16 {
  return { data: new Uint16Array(capacity), length: 0 };
}

export function pushU32(into: GrowableU32, value: number): void {
  if (into.length === into.data.length) into.data = resizedU32(into.data, into.length * 2);
  into.data[into.length++] = value;
}

export function pushU16(into: GrowableU16, value: number): void {
  if (into.length === into.data.length) {
    const wider = new Uint16Array(into.length * 2);
    wider.set(into.data);
    into.data = wider;
  }
  into.data[into.length++] = value;
}

export function resizedU32(from: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(size);
  wider.set(from.length > size ? from.subarray(0, size) : from);
  return wider;
}

export function resizedU8(from: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(size);
  wider.set(from.length > size ? from.subarray(0, size) : from);
  return wider;
}

export function resizedF32(from: Float32Array, size: number): Float32Array<ArrayBuffer> {
  const wider = new Float32Array(size);
  wider.set(from.length > size ? from.subarray(0, size) : from);
  return wider;
}

export function resizedF64(from: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(size);
  wider.set(from.length > size ? from.subarray(0, size) : from);
  return wider;
}

/**
 * Capacity for at least `needed` places: growth by half keeps waste below a third on large
 * catalogs.
 */
export function grownCapacity(current: number, needed: number): number {
  return Math.max(needed, Math.ceil(current * 1.5), 1024);
}
