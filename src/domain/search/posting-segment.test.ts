import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OpenPostings } from './open-postings.js';
import { PostingMerge } from './posting-merge.js';
import { countDead, findTerm, type PostingSegment } from './posting-segment.js';

interface Posting {
  term: number;
  doc: number;
  packed: number;
}

const streams = fc
  .array(fc.record({ term: fc.nat(30), docStep: fc.nat(3), packed: fc.nat(65535) }), {
    maxLength: 80,
  })
  .map((steps) => {
    let doc = 0;
    return steps.map(({ term, docStep, packed }): Posting => ({
      term,
      doc: (doc += docStep),
      packed,
    }));
  });

function segmentOf(postings: readonly Posting[]): PostingSegment {
  const open = new OpenPostings();
  let last = -1;
  for (const { term, doc, packed } of postings) {
    if (doc !== last) open.open(doc);
    last = doc;
    open.push(term, doc, packed);
  }
  return open.freeze();
}

function postingsOf(segment: PostingSegment, term: number): { doc: number; packed: number }[] {
  const at = findTerm(segment, term);
  if (at < 0) return [];
  const range = Array.from(
    { length: (segment.offsets[at + 1] ?? 0) - (segment.offsets[at] ?? 0) },
    (_, step) => (segment.offsets[at] ?? 0) + step,
  );
  return range.map((place) => ({
    doc: segment.docs[place] ?? -1,
    packed: segment.packed[place] ?? -1,
  }));
}

test('a segment holds every posting of the stream under its term, in order', () => {
  fc.assert(
    fc.property(streams, (stream) => {
      const segment = segmentOf(stream);
      for (let term = 0; term <= 30; term++) {
        assert.deepEqual(
          postingsOf(segment, term),
          stream
            .filter((posting) => posting.term === term)
            .map(({ doc, packed }) => ({ doc, packed })),
        );
      }
    }),
  );
});

test('merged a slice at a time, segments equal one segment of what is left', () => {
  fc.assert(
    fc.property(
      streams,
      streams,
      fc.func(fc.boolean()),
      fc.integer({ min: 1, max: 30 }),
      (one, second, isGone, budget) => {
        const other = second.map((posting) => ({ ...posting, doc: posting.doc + 300 }));
        const alive = Uint8Array.from({ length: 600 }, (_, doc) => (isGone(doc) ? 0 : 1));
        const parts = [segmentOf(one), segmentOf(other)];
        const merge = new PostingMerge(parts, alive);
        const wasAlive = alive.slice();
        // What dies while the merge goes on stays, whole.
        while (!merge.step(budget)) alive.fill(0);
        const { segment, freed } = merge.result();
        const whole = segmentOf(
          [...one, ...other].filter((posting) => wasAlive[posting.doc] === 1),
        );
        assert.deepEqual(segment, whole);
        assert.deepEqual(
          freed.length,
          parts.reduce((sum, part) => sum + countDead(part, wasAlive), 0),
        );
      },
    ),
  );
});
