import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPseudonyms, isPseudonym } from './pseudonyms.js';

describe('pseudonyms', () => {
  const here = createPseudonyms('one secret');
  const elsewhere = createPseudonyms('another secret');

  it('are the same for one name of one publisher, and differ for every other', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (name) => {
        fc.pre(name !== 'anonymous');
        const own = here.user('p1', name);
        assert.ok(isPseudonym(own));
        assert.equal(own, here.user('p1', name));
        const others = [
          here.user('p2', name),
          here.session('p1', name),
          here.searcher('p1', name),
          here.viewer('p1', name),
          elsewhere.user('p1', name),
        ];
        assert.equal(new Set([own, ...others]).size, 6);
      }),
    );
    assert.equal(here.user('p1', 'anonymous'), 'anonymous');
  });

  it('give the name back to its publisher and to nobody else', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (text) => {
        const name = text.toWellFormed();
        fc.pre(name !== 'anonymous');
        const stored = here.user('p1', name);
        const sealed = here.seal('p1', name);
        assert.equal(here.open('p1', stored, sealed), name);
        assert.equal(here.open('p2', stored, sealed), null);
        assert.equal(elsewhere.open('p1', stored, sealed), null);
        assert.equal(here.open('p1', 'a plain name', sealed), null);
      }),
    );
  });
});
