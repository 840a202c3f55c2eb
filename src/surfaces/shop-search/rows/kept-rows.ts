import type { ProductRow } from '../queries.js';
import { rowOfText, textOfRow } from './row-text.js';

const lengthBytes = 4;

/** A piece of memory rows are written to one behind the other. */
interface Piece {
  readonly bytes: Buffer;
  /** What was written here, in order; some of it was written again elsewhere or forgotten. */
  ids: string[];
  filled: number;
}

/**
 * Rows in as few bytes as they need, outside of the heap that is collected: a ring of pieces, as
 * many as there may be. Once it is full the oldest piece is given up whole; what was shown lately
 * is no longer in it.
 */
export class KeptRows {
  private readonly pieceBytes: number;
  private readonly most: number;
  /** By id: the number of the piece times its size, and where in it. */
  private readonly places = new Map<string, number>();
  /** The oldest first. */
  private readonly pieces: Piece[] = [];
  /** The number of the oldest. */
  private first = 0;
  private live = 0;

  constructor(bytes: number, pieceBytes = 1 << 20) {
    this.pieceBytes = pieceBytes;
    this.most = Math.floor(bytes / pieceBytes);
  }

  get size(): number {
    return this.places.size;
  }

  /** What it takes of memory. */
  get bytes(): number {
    return this.pieces.length * this.pieceBytes;
  }

  put(row: ProductRow): void {
    const text = textOfRow(row);
    this.forget(row.id);
    this.write(row.id, Buffer.byteLength(text), (bytes, at) => bytes.write(text, at));
  }

  get(id: string): ProductRow | undefined {
    const place = this.places.get(id);
    if (place === undefined) return undefined;
    const { bytes, at, length } = this.find(place);
    const row = rowOfText(bytes.toString('utf8', at, at + length));
    if (this.isSoonGone(place)) this.moveOn(id, bytes, at, length);
    return row;
  }

  forget(id: string): void {
    const place = this.places.get(id);
    if (place === undefined) return;
    this.live -= lengthBytes + this.find(place).length;
    this.places.delete(id);
  }

  forgetAll(): void {
    this.places.clear();
    this.pieces.length = 0;
    this.live = 0;
  }

  private find(place: number): { bytes: Buffer; at: number; length: number } {
    const { bytes } = this.pieces[Math.floor(place / this.pieceBytes) - this.first] as Piece;
    const at = place % this.pieceBytes;
    return { bytes, at: at + lengthBytes, length: bytes.readUInt32LE(at) };
  }

  /** In the oldest quarter of a ring that is full. */
  private isSoonGone(place: number): boolean {
    if (this.pieces.length < this.most) return false;
    return Math.floor(place / this.pieceBytes) - this.first < this.most >> 2;
  }

  private moveOn(id: string, from: Buffer, at: number, length: number): void {
    const copy = Buffer.from(from.subarray(at, at + length));
    this.forget(id);
    this.write(id, length, (bytes, to) => copy.copy(bytes, to));
  }

  private write(id: string, length: number, fill: (bytes: Buffer, at: number) => void): void {
    const needed = lengthBytes + length;
    // What is longer might find no room even after tidying.
    if (needed > this.pieceBytes / 4 || this.most < 1) return;
    let piece = this.pieces.at(-1);
    while (piece === undefined || piece.filled + needed > this.pieceBytes) piece = this.nextPiece();
    const at = piece.filled;
    piece.bytes.writeUInt32LE(length, at);
    fill(piece.bytes, at + lengthBytes);
    piece.filled += needed;
    piece.ids.push(id);
    this.live += needed;
    this.places.set(id, (this.first + this.pieces.length - 1) * this.pieceBytes + at);
  }

  /** New memory while what there is is used; where half of it is not, the oldest piece is tidied. */
  private nextPiece(): Piece {
    const isSparse = this.live * 2 < (this.pieces.length - 1) * this.pieceBytes;
    if (!isSparse && this.pieces.length < this.most) {
      const piece = { bytes: Buffer.allocUnsafeSlow(this.pieceBytes), ids: [], filled: 0 };
      this.pieces.push(piece);
      return piece;
    }
    const oldest = this.pieces.shift() as Piece; // there is one, or it would not be full
    const number = this.first++;
    this.pieces.push(oldest);
    this.tidy(oldest, number, isSparse);
    return oldest;
  }

  /** As the newest one it begins with what still counts of it, or empty. */
  private tidy(piece: Piece, number: number, keeps: boolean): void {
    const { bytes, ids } = piece;
    const start = (this.first + this.pieces.length - 1) * this.pieceBytes;
    piece.ids = [];
    piece.filled = 0;
    let at = 0;
    for (const id of ids) {
      const needed = lengthBytes + bytes.readUInt32LE(at);
      if (this.places.get(id) === number * this.pieceBytes + at) {
        if (keeps) {
          bytes.copyWithin(piece.filled, at, at + needed);
          this.places.set(id, start + piece.filled);
          piece.ids.push(id);
          piece.filled += needed;
        } else {
          this.places.delete(id);
          this.live -= needed;
        }
      }
      at += needed;
    }
  }
}
