// Numbers and fixed texts as ASCII straight into a buffer, up to four bytes a store: answers of
// millions of numbers spend most of their time on short strings or single bytes otherwise. What is
// written may leave up to three more bytes behind it, which the next write covers.
// Bench: reports. Plain twin: `String(value)`.

/** Three digits, and the same without leading zeros, as the bytes of one little-endian word. */
const padded = new Int32Array(1000);
const plain = new Int32Array(1000);
const plainLength = new Uint8Array(1000);
/** How many of three decimals are left without trailing zeros. */
const significant = new Uint8Array(1000);
for (let value = 0; value < 1000; value += 1) {
  padded[value] = wordOf(Buffer.from(String(value).padStart(3, '0')), 0);
  plain[value] = wordOf(Buffer.from(String(value)), 0);
  plainLength[value] = String(value).length;
  significant[value] = String(value)
    .padStart(3, '0')
    .replace(/0{1,3}$/, '').length;
}

/** Room to keep behind the last write. */
export const slack = 3;

/** A text that is written many times. */
export interface Piece {
  words: Int32Array;
  length: number;
}

export function pieceOf(text: string): Piece {
  const bytes = Buffer.from(text);
  return {
    words: Int32Array.from({ length: Math.ceil(bytes.length / 4) }, (_, index) =>
      wordOf(bytes, index * 4),
    ),
    length: bytes.length,
  };
}

function wordOf(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  );
}

/** Returns the position after it, as all of these do. */
export function writePiece(to: DataView, at: number, { words, length }: Piece): number {
  for (let index = 0; index < words.length; index += 1)
    to.setInt32(at + 4 * index, words[index] ?? 0, true);
  return at + length;
}

/** Writes a safe integer as JSON prints it. */
export function writeInteger(to: DataView, at: number, value: number): number {
  if (value >= 1000 || value < 0) return writeLong(to, at, value);
  to.setInt32(at, plain[value] ?? 0, true);
  return at + (plainLength[value] ?? 0);
}

function writeLong(to: DataView, at: number, value: number): number {
  if (value < 0) {
    to.setUint8(at, 45);
    return writeInteger(to, at + 1, -value);
  }
  const thousands = Math.floor(value / 1000);
  const next = writeInteger(to, at, thousands);
  to.setInt32(next, padded[value - thousands * 1000] ?? 0, true);
  return next + 3;
}

/** Writes millionths as JSON prints `micros / 1e6`, without an exponent. */
export function writeDecimal(to: DataView, at: number, micros: number): number {
  if (micros < 0) {
    to.setUint8(at, 45);
    return writeDecimal(to, at + 1, -micros);
  }
  const whole = Math.floor(micros / 1e6);
  const next = writeInteger(to, at, whole);
  // Whole numbers of 32 bits: a remainder of doubles costs ten times as much.
  const rest = (micros - whole * 1e6) | 0;
  if (rest === 0) return next;
  const thousandths = (rest / 1000) | 0;
  const millionths = rest - thousandths * 1000;
  to.setUint8(next, 46);
  to.setInt32(next + 1, padded[thousandths] ?? 0, true);
  if (millionths === 0) return next + 1 + (significant[thousandths] ?? 0);
  to.setInt32(next + 4, padded[millionths] ?? 0, true);
  return next + 4 + (significant[millionths] ?? 0);
}
