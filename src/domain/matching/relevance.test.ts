import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { relevanceOf } from './relevance.js';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const signals = fc.record({
  cosine: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
  ahead: fc.double({ min: -1, max: 1, noNaN: true }),
  lexical: share,
  behind: share,
  need: share,
  asksToKnow: fc.boolean(),
  branded: fc.boolean(),
});

test('relevance lies between 0 and 1 and more of a good sign never lowers it', () => {
  fc.assert(
    fc.property(signals, share, (each, more) => {
      const relevance = relevanceOf(each);
      assert.ok(relevance >= 0 && relevance <= 1);
      assert.ok(relevanceOf({ ...each, lexical: each.lexical + more }) >= relevance);
      assert.ok(relevanceOf({ ...each, behind: each.behind + more }) <= relevance);
      assert.ok(relevanceOf({ ...each, branded: true }) >= relevance);
      assert.ok(relevanceOf({ ...each, asksToKnow: true }) <= relevance);
      if (each.cosine === null) return;
      assert.ok(relevanceOf({ ...each, cosine: each.cosine + more }) >= relevance);
      assert.ok(relevanceOf({ ...each, ahead: each.ahead + more }) >= relevance);
      assert.ok(relevanceOf({ ...each, need: each.need + more }) >= relevance);
    }),
  );
});

test('a named brand is relevant', () => {
  assert.ok(
    relevanceOf({
      cosine: null,
      ahead: 0,
      lexical: 0,
      behind: 0,
      need: 1,
      asksToKnow: true,
      branded: true,
    }) >= 0.9,
  );
});
