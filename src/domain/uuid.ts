import { formatDate } from './time/zone.js';

const digits = '0123456789abcdef';
const dash = 45;
const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const nilUuid = '00000000-0000-0000-0000-000000000000';

/** Where one id after the other is put together: nothing of it is left when the next one is. */
const made = new Uint8Array(16);
const written = Buffer.alloc(36);

/** UUIDv7: 48 bits of epoch milliseconds, then 74 of the 128 random bits given. */
export function formatUuidV7(epochMs: number, random: Uint8Array): string {
  const bytes = made;
  for (let at = 6; at < 16; at += 1) bytes[at] = random[at] ?? 0;
  const high = Math.floor(epochMs / 0x1_0000_0000);
  const low = epochMs % 0x1_0000_0000;
  bytes[0] = high >>> 8;
  bytes[1] = high;
  bytes[2] = low >>> 24;
  bytes[3] = low >>> 16;
  bytes[4] = low >>> 8;
  bytes[5] = low;
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return uuidFromBytes(bytes, 0);
}

export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && shape.test(text);
}

/** When a UUIDv7 was minted. */
export function uuidTime(uuid: string): number {
  // By the digit: it is asked several times for every event, and cutting texts out would cost most
  // of it.
  let time = 0;
  for (let at = 0; at < 13; at += 1) {
    if (at !== 8) time = time * 16 + digitOf(uuid.charCodeAt(at));
  }
  return time;
}

/** Of a hexadecimal digit of either case. */
function digitOf(code: number): number {
  return code < 58 ? code - 48 : (code | 32) - 87;
}

/** The UTC day a UUIDv7 belongs to, as 'YYYY-MM-DD'. */
export function uuidDay(uuid: string): string {
  return formatDate(uuidTime(uuid));
}

export function uuidToBytes(uuid: string, target: Uint8Array, offset: number): void {
  let at = offset;
  for (let index = 0; index < 36; index += 2) {
    if (uuid.charCodeAt(index) === dash) index += 1;
    target[at] = (digitOf(uuid.charCodeAt(index)) << 4) | digitOf(uuid.charCodeAt(index + 1));
    at += 1;
  }
}

export function uuidFromBytes(bytes: Uint8Array, offset: number): string {
  // Put together in place: as a sum of short texts each id would leave a kilobyte of pieces behind.
  const text = written;
  let at = 0;
  for (let index = 0; index < 16; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text[at++] = dash;
    const byte = bytes[offset + index] ?? 0;
    text[at++] = digits.charCodeAt(byte >> 4);
    text[at++] = digits.charCodeAt(byte & 15);
  }
  return text.toString('latin1', 0, 36);
}
