// Titles as spelling numbers in order, 0 where a phrase ends. Phrases and compounds are checked here instead of keeping positions of every word.
import { growableU32, pushU32, resizedU32 } from './growable.js';

export class TitleStore {
  private starts = new Uint32Array(1024);
  private words = growableU32(1024);
  private count = 0;

  /** Titles are added in the order of document numbers, none left out. */
  add(trail: readonly number[]): void {
    if (this.count + 1 >= this.starts.length) this.starts = resizedU32(this.starts, Math.ceil(this.starts.length * 1.5));
    this.starts[this.count] = this.words.length;
    for (const word of trail) pushU32(this.words, word);
    this.count += 1;
    this.starts[this.count] = this.words.length;
  }

  trail(doc: number): Uint32Array {
    return this.words.data.subarray(this.starts[doc] ?? 0, this.starts[doc + 1] ?? 0);
  }

  /** Whether the title holds the terms in order, with at most `between` other words from one to the next. */
  hasPhrase(doc: number, phrase: readonly number[], between: number, termOf: (spelling: number) => number): boolean {
    const trail = this.trail(doc);
    for (let start = 0; start < trail.length; start++) {
      if (termOf(trail[start] ?? 0) !== phrase[0]) continue;
      let at = start;
      let matched = 1;
      while (matched < phrase.length) {
        let next = at + 1;
        while (next <= at + 1 + between && next < trail.length && termOf(trail[next] ?? 0) !== phrase[matched]) next += 1;
        if (next > at + 1 + between || next >= trail.length) break;
        at = next;
        matched += 1;
      }
      if (matched === phrase.length) return true;
    }
    return false;
  }

  /** Keeps the titles `place` gives a number (not -1). Order must be kept. */
  renumber(place: (doc: number) => number): void {
    const kept = new TitleStore();
    for (let doc = 0; doc < this.count; doc++) if (place(doc) >= 0) kept.add([...this.trail(doc)]);
    this.words = kept.words;
    this.starts = kept.starts;
    this.count = kept.count;
  }

  bytes(): number {
    return this.words.data.length * 4 + this.starts.length * 4;
  }
}
