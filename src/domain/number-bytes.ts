// Numbers as ASCII digits straight into a buffer. Answers of millions of numbers spend most of their time on short strings otherwise.

/** Writes a safe integer as JSON prints it; returns the position after it. */
export function writeInteger(to: Uint8Array, at: number, value: number): number {
  if (value < 0) {
    to[at] = 45;
    return writeInteger(to, at + 1, -value);
  }
  if (value < 10) return writeDigit(to, at, value);
  if (value < 1e9) return writeDigits(to, at, value, digitsOf(value));
  const high = Math.floor(value / 1e9);
  return writeDigits(to, writeInteger(to, at, high), value - high * 1e9, 9);
}

/** Writes millionths as JSON prints `micros / 1e6`, without an exponent; returns the position after it. */
export function writeDecimal(to: Uint8Array, at: number, micros: number): number {
  if (micros < 0) {
    to[at] = 45;
    return writeDecimal(to, at + 1, -micros);
  }
  const whole = Math.floor(micros / 1e6);
  const next = whole < 10 ? writeDigit(to, at, whole) : writeInteger(to, at, whole);
  // Whole numbers of 32 bits: a remainder of doubles costs ten times as much.
  let rest = (micros - whole * 1e6) | 0;
  if (rest === 0) return next;
  let width = 6;
  for (let tenth = (rest / 10) | 0; tenth * 10 === rest; tenth = (rest / 10) | 0) {
    rest = tenth;
    width -= 1;
  }
  to[next] = 46;
  return writeDigits(to, next + 1, rest, width);
}

/** Copies bytes; for the few dozen of a key this beats `set`. Returns the position after them. */
export function writeBytes(to: Uint8Array, at: number, bytes: Uint8Array): number {
  for (let index = 0; index < bytes.length; index += 1) to[at + index] = bytes[index] ?? 0;
  return at + bytes.length;
}

function writeDigit(to: Uint8Array, at: number, digit: number): number {
  to[at] = 48 + digit;
  return at + 1;
}

function digitsOf(value: number): number {
  if (value < 10_000) return value < 100 ? 2 : value < 1000 ? 3 : 4;
  if (value < 1_000_000) return value < 100_000 ? 5 : 6;
  return value < 10_000_000 ? 7 : value < 100_000_000 ? 8 : 9;
}

/** At most nine digits, so that the arithmetic stays in 32 bits. */
function writeDigits(to: Uint8Array, at: number, value: number, width: number): number {
  let rest = value | 0;
  for (let index = at + width - 1; index >= at; index -= 1) {
    const tenth = (rest / 10) | 0;
    to[index] = 48 + rest - tenth * 10;
    rest = tenth;
  }
  return at + width;
}
