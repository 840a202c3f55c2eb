// A few numbers for each document, in large pages: adding a document never moves what others have.
// What replaced documents leave behind is collected by copying the rest to new pages, a little at a
// time.
import { grownCapacity, resizedU32, resizedU8 } from './growable.js';

const pageBits = 18;
const pageSize = 1 << pageBits;
const firstPage = 1 << 10;
const longest = 255;
const none = new Uint32Array(0);

export class RaggedStore {
  private pages: Uint32Array[] = [];
  /** Places left on the newest page. */
  private room = 0;
  private starts = new Uint32Array(0);
  private lengths = new Uint8Array(0);
  /** By document, the age of the pages it lies on. */
  private ages = new Uint8Array(0);
  private age = 0;
  private count = 0;
  private held = 0;
  private wasted = 0;
  /**
   * The pages of the age before, while documents still lie there; all below `moved` are off them.
   */
  private old: Uint32Array[] | null = null;
  private moved = 0;
  private moving = 0;

  /** Sets or replaces the numbers of a document; more than 255 are cut. */
  set(doc: number, values: readonly number[]): void {
    if (doc >= this.starts.length) this.resize(grownCapacity(this.starts.length, doc + 1));
    if (this.ages[doc] === this.age) this.wasted += this.lengths[doc] as number; // sized to doc
    this.place(doc, values, Math.min(longest, values.length));
    if (doc >= this.count) this.count = doc + 1;
  }

  get(doc: number): Uint32Array {
    const start = this.starts[doc] ?? 0;
    const from = this.ages[doc] === this.age ? this.pages : this.old;
    const page = from?.[start >>> pageBits];
    return page === undefined
      ? none
      : page.subarray(start & (pageSize - 1), (start & (pageSize - 1)) + (this.lengths[doc] ?? 0));
  }

  private place(doc: number, values: ArrayLike<number>, length: number): void {
    if (this.room < length) {
      this.room = this.pages.length === 0 ? firstPage : pageSize;
      this.pages.push(new Uint32Array(this.room));
    }
    const page = this.pages.at(-1) ?? none;
    const at = page.length - this.room;
    for (let i = 0; i < length; i++) page[at + i] = values[i] as number; // below length
    this.starts[doc] = (Math.max(0, this.pages.length - 1) << pageBits) | at;
    this.lengths[doc] = length;
    this.ages[doc] = this.age;
    this.room -= length;
    this.held += length;
  }

  /**
   * Collects what is wasted once it is half of what is held; looks at no more than `budget`
   * documents.
   */
  tidy(budget: number): void {
    if (this.old === null) {
      if (this.wasted < firstPage || this.wasted * 2 < this.held) return;
      this.old = this.pages;
      this.pages = [];
      this.room = 0;
      this.age = (this.age + 1) & 255;
      this.moved = 0;
      this.moving = this.count;
      this.held = 0;
      this.wasted = 0;
    }
    const end = Math.min(this.moving, this.moved + budget);
    for (; this.moved < end; this.moved++) {
      const doc = this.moved;
      if (this.ages[doc] !== this.age) this.place(doc, this.get(doc), this.lengths[doc] ?? 0);
    }
    if (this.moved === this.moving) this.old = null;
  }

  private resize(size: number): void {
    this.starts = resizedU32(this.starts, size);
    this.lengths = resizedU8(this.lengths, size);
    this.ages = resizedU8(this.ages, size);
  }

  bytes(): number {
    return (
      [...this.pages, ...(this.old ?? [])].reduce((sum, page) => sum + page.length * 4, 0) +
      this.starts.length * 6
    );
  }
}
