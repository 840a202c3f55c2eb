import { isUtf8 } from 'node:buffer';

/**
 * Feeds in any usual encoding as UTF-8: a mark at the start tells UTF-16, bytes that are no UTF-8
 * tell Windows-1252, of which Latin-1 is a part.
 */
export async function* asUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | null | undefined;
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    if (decoder === undefined && bytes.length < 2) {
      held = bytes;
      continue;
    }
    decoder ??= utf16Of(bytes);
    const end = decoder === null ? wholeCharacters(bytes) : bytes.length;
    held = bytes.subarray(end);
    const whole = bytes.subarray(0, end);
    if (decoder === null && !isUtf8(whole)) decoder = new TextDecoder('windows-1252');
    if (whole.length > 0)
      yield decoder === null ? whole : Buffer.from(decoder.decode(whole, { stream: true }));
  }
  if (held.length > 0)
    yield isUtf8(held) ? held : Buffer.from(new TextDecoder('windows-1252').decode(held));
}

function utf16Of(bytes: Buffer): TextDecoder | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le');
  return bytes[0] === 0xfe && bytes[1] === 0xff ? new TextDecoder('utf-16be') : null;
}

/** How many bytes there are up to a character that the next chunk completes. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0)
      return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
