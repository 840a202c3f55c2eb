import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, rmSync } from 'node:fs';
import type { Log } from '../../log.js';
import type { KeptSegments } from './kept-segments.js';
import { type Segment, segmentPath, tidyUp } from './segment-files.js';

export interface OpenSegment {
  segment: Segment;
  handle: number;
  /** Frames in the file. */
  count: number;
}

/** How often it is asked whether the file is still there. */
const lookEveryMs = 1_000;

/** The one file of the journal that is written to. */
export class SegmentWriter {
  private readonly folder: string;
  private readonly numbers: Pick<KeptSegments, 'nextNumber' | 'startAfter' | 'giveBack'>;
  private readonly segmentBytes: number;
  private readonly log: Log;
  private current: OpenSegment | null = null;
  private rotatesNext = false;
  private lookedAt = -Infinity;

  constructor(
    folder: string,
    numbers: Pick<KeptSegments, 'nextNumber' | 'startAfter' | 'giveBack'>,
    segmentBytes: number,
    log: Log,
  ) {
    this.folder = folder;
    this.numbers = numbers;
    this.segmentBytes = segmentBytes;
    this.log = log;
  }

  get segment(): Segment | undefined {
    return this.current?.segment;
  }

  /** The file as it is while there is room in it, else a new one. */
  open(): OpenSegment {
    const { current } = this;
    const isDeleted = current !== null && this.isDeleted(current);
    if (current !== null && current.segment.size < this.segmentBytes && !this.rotatesNext)
      if (!isDeleted) return current;
    this.close();
    const number = this.numbers.nextNumber;
    const path = segmentPath(this.folder, number);
    // Not where a whole disk went: what is written in its place would be hidden when it returns.
    if (isDeleted) mkdirSync(this.folder, { recursive: true });
    const handle = openSync(path, 'w');
    this.lookedAt = performance.now();
    this.current = { segment: { number, path, size: 0, doneAt: null }, handle, count: 0 };
    this.numbers.startAfter(number);
    return this.current;
  }

  /** A file that somebody deleted takes everything and keeps nothing beyond this process. */
  private isDeleted({ handle, segment }: OpenSegment): boolean {
    if (performance.now() - this.lookedAt < lookEveryMs) return false;
    this.lookedAt = performance.now();
    if (fstatSync(handle).nlink > 0) return false;
    this.log.error({ file: segment.path }, 'the journal was deleted while it is written');
    return true;
  }

  /** What comes next goes to a new file. */
  rotateNext(): void {
    this.rotatesNext = true;
  }

  close(): void {
    this.rotatesNext = false;
    if (this.current === null) return;
    const { handle, segment } = this.current;
    this.current = null;
    tidyUp(this.log, segment, () => closeSync(handle));
  }

  /** After a write or sync that failed nobody knows what is in the file: a new one is begun. */
  abandon(): void {
    if (this.current === null) return;
    const { segment, handle } = this.current;
    tidyUp(this.log, segment, () => ftruncateSync(handle, segment.size));
    this.close();
    if (segment.size > 0) return;
    tidyUp(this.log, segment, () => {
      rmSync(segment.path, { force: true });
      // Nothing was ever acknowledged in it: a number that is left out means a file that is lost.
      this.numbers.giveBack(segment.number);
    });
  }
}
