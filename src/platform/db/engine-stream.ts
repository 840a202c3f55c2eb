import { Duplex } from 'node:stream';
import type { EmbeddedEngine } from './embedded-engine.js';

const QUERY = 'Q'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);

/**
 * Looks like a socket to the driver and carries its bytes to the worker. Messages are held back
 * until the one that asks
 * for an answer: the engine answers every call as if it were a whole exchange.
 */
export class EngineStream extends Duplex {
  readonly #engine: EmbeddedEngine;
  #held: Buffer[] = [];
  #started = false;

  constructor(engine: EmbeddedEngine) {
    super();
    this.#engine = engine;
    engine.onBytes((bytes) =>
      this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    );
    engine.onCrash((error) => this.destroy(error));
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    // Bytes are pushed as they come.
  }

  override _write(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    this.#take([chunk], done);
  }

  override _writev(writes: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#take(
      writes.map(({ chunk }) => chunk),
      done,
    );
  }

  /** The driver's goodbye ends the stream; the engine itself is closed by its owner. */
  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  #take(chunks: Buffer[], done: (error?: Error | null) => void): void {
    // A copy of its own: the driver reuses the memory behind its buffers.
    const bytes = new Uint8Array(Buffer.concat([...this.#held, ...chunks]));
    if (!this.#asksForAnswer(Buffer.from(bytes.buffer))) {
      this.#held = [Buffer.from(bytes.buffer)];
    } else {
      this.#held = [];
      try {
        this.#engine.send(bytes);
      } catch (error) {
        return done(error instanceof Error ? error : new Error(String(error)));
      }
    }
    done();
  }

  /** Walks the message headers (one type byte, four length bytes) to the last one. */
  #asksForAnswer(bytes: Buffer): boolean {
    if (!this.#started) {
      this.#started = true;
      return true;
    }
    let last = 0;
    for (let at = 0; at + 5 <= bytes.length;) {
      last = bytes[at] ?? 0;
      at += 1 + bytes.readUInt32BE(at + 1);
      if (at > bytes.length) return false;
    }
    return last === QUERY || last === SYNC;
  }
}
