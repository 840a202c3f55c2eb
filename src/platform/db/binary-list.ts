import { dayMs } from '../../domain/time/utc-day.js';

/**
 * Lists in the binary form of PostgreSQL, for parameters that are cast to `type[]`: a batch is sent
 * as one list a column, and reading thousands of values from text costs the database more than
 * storing them.
 */
export type ListType = keyof typeof elements;

type Element = string | number | boolean;

interface ElementType {
  /** Of the type in every database of PostgreSQL. */
  readonly oid: number;
  /** Bytes of a value; absent: as many as its text has. */
  readonly width?: number;
  readonly widthOf?: (value: Element) => number;
  write(to: Buffer, at: number, value: Element): void;
}

const elements = {
  boolean: { oid: 16, width: 1, write: (to, at, value) => (to[at] = value === true ? 1 : 0) },
  /** From base64. */
  bytea: {
    oid: 17,
    widthOf: (value) => Buffer.byteLength(String(value), 'base64'),
    write: (to, at, value) => to.write(String(value), at, 'base64'),
  },
  bigint: { oid: 20, width: 8, write: (to, at, value) => writeLong(to, at, Number(value)) },
  smallint: { oid: 21, width: 2, write: (to, at, value) => to.writeInt16BE(Number(value), at) },
  text: { oid: 25, write: (to, at, value) => to.write(String(value), at) },
  /** Days since 1970. */
  date: {
    oid: 1082,
    width: 4,
    write: (to, at, value) => to.writeInt32BE(Number(value) - epochDays, at),
  },
  /** Milliseconds since 1970. */
  timestamptz: {
    oid: 1184,
    width: 8,
    write: (to, at, value) =>
      writeLong(to, at, (Math.floor(Number(value)) - epochDays * dayMs) * 1000),
  },
  uuid: { oid: 2950, width: 16, write: writeUuid },
} as const satisfies Record<string, ElementType>;

/** Where PostgreSQL begins to count: the first day of 2000. */
const epochDays = 10_957;
const headBytes = 20;
const lengthBytes = 4;
const none = -1;

export function binaryList(
  type: ListType,
  values: readonly (Element | null | undefined)[],
): Buffer {
  const element: ElementType = elements[type];
  const bytes = Buffer.allocUnsafe(headBytes + sizeOf(element, values));
  let hasNone = 0;
  let at = headBytes;
  // By number: an iterator over lists of several kinds leaves an object for every value.
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (value == null) {
      hasNone = 1;
      bytes.writeInt32BE(none, at);
      at += lengthBytes;
      continue;
    }
    const width = widthOf(element, value);
    bytes.writeInt32BE(width, at);
    element.write(bytes, at + lengthBytes, value);
    at += lengthBytes + width;
  }
  // One dimension, whether something is missing, of what, how many, counted from 1.
  [1, hasNone, element.oid, values.length, 1].forEach((field, index) =>
    bytes.writeInt32BE(field, index * 4),
  );
  return bytes;
}

function sizeOf(element: ElementType, values: readonly (Element | null | undefined)[]): number {
  let size = values.length * lengthBytes;
  if (element.width !== undefined) {
    for (let index = 0; index < values.length; index += 1)
      if (values[index] != null) size += element.width;
    return size;
  }
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (value != null) size += widthOf(element, value);
  }
  return size;
}

function widthOf({ width, widthOf: ownWidth }: ElementType, value: Element): number {
  return width ?? ownWidth?.(value) ?? Buffer.byteLength(String(value));
}

/** What the database would refuse as text is refused here: as bytes anything would pass. */
function writeUuid(to: Buffer, at: number, value: Element): void {
  if (typeof value !== 'string' || !writeDigits(to, at, value))
    throw new RangeError(`not a UUID: ${String(value)}`);
}

/** By character code: what a hexadecimal digit is worth, and less than nothing for all others. */
const digitValues = Int8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? -1 : value;
});
const dash = 45;
const uuidLength = 36;

/** Read and judged in one walk; whether it was a UUID. */
function writeDigits(to: Buffer, from: number, text: string): boolean {
  if (text.length !== uuidLength) return false;
  let at = from;
  let wrong = 0;
  for (let index = 0; index < uuidLength; index += 2) {
    if (index === 8 || index === 13 || index === 18 || index === 23) {
      if (text.charCodeAt(index) !== dash) return false;
      index += 1;
    }
    const high = digitValues[text.charCodeAt(index)] ?? -1;
    const low = digitValues[text.charCodeAt(index + 1)] ?? -1;
    wrong |= high | low;
    to[at] = (high << 4) | low;
    at += 1;
  }
  return wrong >= 0;
}

/** A safe integer in eight bytes, the highest first. */
function writeLong(to: Buffer, at: number, value: number): void {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number: ${value}`);
  const high = Math.floor(value / 0x1_0000_0000);
  to.writeInt32BE(high, at);
  to.writeUInt32BE(value - high * 0x1_0000_0000, at + 4);
}
