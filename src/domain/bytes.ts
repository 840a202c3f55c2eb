/** Puts small things one behind the other. Room grows as needed and is used again by the next. */
let room = Buffer.allocUnsafe(1024);

export class ByteWriter {
  #end = 0;

  byte(value: number): void {
    this.#need(1);
    room[this.#end++] = value;
  }

  /** Up to 0xffffff, the highest first. */
  threeBytes(value: number): void {
    this.#need(3);
    this.#end = room.writeUIntBE(value, this.#end, 3);
  }

  /**
   * A whole number up to 2 ** 52, seven bits a byte, the lowest first; its sign is the lowest bit.
   * Anything else is written as 0: nobody should miss an answer for what is noted about it.
   */
  number(value: number): void {
    this.#need(8);
    let left = !Number.isSafeInteger(2 * value) ? 0 : value < 0 ? -2 * value - 1 : 2 * value;
    for (; left > 0x7f; left = Math.floor(left / 0x80)) room[this.#end++] = (left % 0x80) | 0x80;
    room[this.#end++] = left;
  }

  bytes(bytes: Uint8Array, from: number): void {
    this.#need(bytes.length - from);
    for (let at = from; at < bytes.length; at += 1) room[this.#end++] = bytes[at] ?? 0;
  }

  /** At most 255 bytes of it. */
  text(text: string): void {
    const bytes = Buffer.from(text).subarray(0, 0xff);
    this.byte(bytes.length);
    this.bytes(bytes, 0);
  }

  base64(): string {
    return room.toString('base64', 0, this.#end);
  }

  #need(bytes: number): void {
    if (this.#end + bytes <= room.length) return;
    const larger = Buffer.allocUnsafe(2 * (room.length + bytes));
    room.copy(larger, 0, 0, this.#end);
    room = larger;
  }
}

/** Reads what `ByteWriter` wrote; behind the end there are zeros. */
export class ByteReader {
  #at = 0;
  readonly #from: Uint8Array;

  constructor(from: Uint8Array) {
    this.#from = from;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#from.length;
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  byte(): number {
    return this.#from[this.#at++] ?? 0;
  }

  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const next = this.byte();
      value += (next & 0x7f) * factor;
      if (next <= 0x7f) break;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  bytes(count: number): Uint8Array {
    const bytes = this.#from.subarray(this.#at, this.#at + count);
    this.#at += count;
    return bytes;
  }

  text(): string {
    return Buffer.from(this.bytes(this.byte())).toString();
  }
}
