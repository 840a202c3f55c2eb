import { existsSync, rmSync } from 'node:fs';
import type { Log } from '../../log.js';
import type { Damage } from './damage.js';
import type { JournalMark } from './journal-mark.js';
import type { Journal, Position } from './journal.js';
import { readSegment } from './read-segment.js';
import { listSegments, type Segment, tidyUp } from './segment-files.js';

export interface KeepOptions {
  /** How long what was applied is kept, should the database lose it, and how much of it. */
  keepMs: number;
  keepBytes: number;
  /** A file that cannot be found for so long was deleted. */
  missingMs: number;
  now: () => number;
  log: Log;
  mark: JournalMark;
}

/** The files of the journal that are still there, oldest first. */
export class KeptSegments {
  private readonly options: KeepOptions;
  private readonly segments: Segment[];
  /** Of the next file. */
  nextNumber: number;
  private released: Position;
  private shippedThrough = Infinity;
  /** Since when files could not be found, by their number. */
  private readonly missing = new Map<number, number>();

  constructor(folder: string, options: KeepOptions) {
    this.options = options;
    this.segments = listSegments(folder);
    const last = Math.max(this.segments.at(-1)?.number ?? 0, options.mark.lastNumber);
    this.nextNumber = last + 1;
    this.released = this.first;
  }

  /** Behind every other no later file shows that the last is gone: the mark does. */
  noteMissing(damage: Damage): void {
    const { mark } = this.options;
    const lost = mark.missing(this.segments.map(({ number }) => number));
    if (lost === null) return;
    tidyUp(this.options.log, { number: lost }, () => {
      damage.noteLost(lost, lost);
      mark.letsGo(lost);
    });
  }

  /** Where what is still there begins. */
  get first(): Position {
    return { segment: this.segments[0]?.number ?? this.nextNumber, offset: 0 };
  }

  /** Behind the last durable frame. */
  get end(): Position {
    const last = this.segments.at(-1);
    return last === undefined
      ? { segment: this.nextNumber, offset: 0 }
      : { segment: last.number, offset: last.size };
  }

  /** Numbers of files up to this one were used once and are not used again. */
  startAfter(segment: number): void {
    this.nextNumber = Math.max(this.nextNumber, segment + 1);
  }

  /** The last number given was not used. */
  giveBack(number: number): void {
    if (this.nextNumber === number + 1) this.nextNumber = number;
  }

  add(segment: Segment): void {
    this.segments.push(segment);
    this.options.mark.wrote(segment.number);
  }

  after(number: number): Segment[] {
    return this.segments.filter((segment) => segment.number > number);
  }

  get unappliedBytes(): number {
    return this.bytesFrom(this.released);
  }

  bytesFrom(position: Position): number {
    let sum = 0;
    for (const segment of this.segments)
      if (segment.number > position.segment) sum += segment.size;
      else if (segment.number === position.segment)
        sum += Math.max(0, segment.size - position.offset);
    return sum;
  }

  read(from: Position, damage: Damage): ReturnType<Journal['read']> {
    let at = from;
    let expected = this.mayBeGone(from) ? Infinity : from.segment;
    for (;;) {
      const segment = this.segments.find((one) => one.number >= at.segment);
      if (segment === undefined) return { payloads: [], next: at };
      if (segment.number > expected) damage.noteLost(expected, segment.number - 1);
      expected = segment.number + 1;
      const offset = segment.number === at.segment ? at.offset : 0;
      const { number } = segment;
      if (offset < segment.size) {
        if (this.isGone(segment)) {
          // Somebody deleted it while we run: told, and what follows is read.
          damage.noteLost(number, number);
          this.segments.splice(this.segments.indexOf(segment), 1);
          continue;
        }
        const found = readSegment(segment, offset, damage);
        at = { segment: number, offset: found.end };
        if (found.frames.length > 0)
          return {
            payloads: found.frames.map((frame) => ({
              payload: frame.payload,
              end: { segment: number, offset: frame.end },
            })),
            next: at,
          };
      } else {
        if (segment === this.segments.at(-1))
          return { payloads: [], next: { segment: number, offset } };
        at = { segment: number + 1, offset: 0 };
      }
    }
  }

  /** A disk may come back and its files with it: until then reading fails, and is tried again. */
  private isGone({ number, path }: Segment): boolean {
    if (existsSync(path)) {
      this.missing.delete(number);
      return false;
    }
    const at = this.options.now();
    const since = this.missing.get(number) ?? at;
    this.missing.set(number, since);
    if (at - since < this.options.missingMs) return false;
    this.missing.delete(number);
    return true;
  }

  /** The file of a place that is applied may have been let go, but not before older ones. */
  private mayBeGone({ segment, offset }: Position): boolean {
    return offset === 0 || this.first.segment >= segment;
  }

  /** Everything before this place is applied; the open file is written to and stays. */
  release(applied: Position, open: Segment | undefined): void {
    this.released = applied;
    const at = this.options.now();
    for (const segment of this.segments)
      segment.doneAt = segment !== open && this.isDone(segment) ? (segment.doneAt ?? at) : null;
    this.letGo(at);
  }

  keepUnshipped(through: number): void {
    this.shippedThrough = through;
  }

  /** What is only kept for a bad day goes when the disk is full. */
  makeRoom(): void {
    this.letGo(Infinity);
  }

  private isDone({ number, size }: Segment): boolean {
    const { segment, offset } = this.released;
    return number < segment || (number === segment && offset >= size);
  }

  /** The oldest first, so that what is kept is whole from some place on. */
  private letGo(at: number): void {
    const { segments, options } = this;
    let kept = 0;
    for (const segment of segments) if (segment.doneAt !== null) kept += segment.size;
    for (let first = segments[0]; first !== undefined; first = segments[0]) {
      const { doneAt, number, size, path } = first;
      if (doneAt === null || number > this.shippedThrough) return;
      if (at - doneAt < options.keepMs && kept <= options.keepBytes) return;
      segments.shift();
      options.mark.letsGo(number);
      tidyUp(options.log, first, () => rmSync(path, { force: true }));
      kept -= size;
    }
  }
}
