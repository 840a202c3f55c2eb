import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { growableU16, growableU32, pushU16, pushU32 } from './growable.js';
import { buildSegment, findTerm, mergeSegments, type PostingSegment } from './posting-segment.js';

interface Posting { term: number; doc: number; packed: number }

const streams = fc.array(fc.record({ term: fc.nat(30), docStep: fc.nat(3), packed: fc.nat(65535) }), { maxLength: 80 }).map((steps) => {
  let doc = 0;
  return steps.map(({ term, docStep, packed }): Posting => ({ term, doc: (doc += docStep), packed }));
});

function segmentOf(postings: readonly Posting[]): PostingSegment {
  const [terms, docs, packed] = [growableU32(), growableU32(), growableU16()];
  for (const posting of postings) {
    pushU32(terms, posting.term);
    pushU32(docs, posting.doc);
    pushU16(packed, posting.packed);
  }
  return buildSegment(terms, docs, packed, 31);
}

function postingsOf(segment: PostingSegment, term: number): { doc: number; packed: number }[] {
  const at = findTerm(segment, term);
  if (at < 0) return [];
  const range = Array.from({ length: (segment.offsets[at + 1] ?? 0) - (segment.offsets[at] ?? 0) }, (_, step) => (segment.offsets[at] ?? 0) + step);
  return range.map((place) => ({ doc: segment.docs[place] ?? -1, packed: segment.packed[place] ?? -1 }));
}

test('a segment holds every posting of the stream under its term, in order', () => {
  fc.assert(fc.property(streams, (stream) => {
    const segment = segmentOf(stream);
    for (let term = 0; term <= 30; term++) {
      assert.deepEqual(postingsOf(segment, term), stream.filter((posting) => posting.term === term).map(({ doc, packed }) => ({ doc, packed })));
    }
  }));
});

test('merged segments equal one segment of what is left, renumbered', () => {
  fc.assert(fc.property(streams, fc.nat(80), fc.func(fc.boolean()), (stream, cut, isGone) => {
    const docs = [...new Set(stream.map((posting) => posting.doc))].filter((doc) => !isGone(doc)).sort((a, b) => a - b);
    const place = (doc: number): number => docs.indexOf(doc);
    const merged = mergeSegments([segmentOf(stream.slice(0, cut)), segmentOf(stream.slice(cut))], place);
    const whole = segmentOf(stream.filter((posting) => place(posting.doc) >= 0).map((posting) => ({ ...posting, doc: place(posting.doc) })));
    assert.deepEqual(merged, whole);
  }));
});
