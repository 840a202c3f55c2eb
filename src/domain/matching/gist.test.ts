import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isStopWord } from '../text/stop-words.js';
import { tokenize } from '../text/tokenize.js';
import { gist } from './gist.js';

test('a short request stays as it was written', () => {
  assert.equal(gist("My flight got cancelled and I'm stuck!"), "My flight got cancelled and I'm stuck!");
});

test('a longer request loses its small words, the emptiest first, and no more of them than it must', () => {
  assert.equal(gist('We are 5 people and need an affordable hotel in Berlin near the zoo, room 42'), '5 people affordable hotel berlin zoo room 42');
  assert.equal(gist('how do I get a refund for the train ticket'), 'how get a refund for the train ticket');
});

test('a story is read whole', () => {
  const story = 'I have been thinking about changing jobs for a while now because my commute takes two hours and I never see my kids';
  assert.equal(gist(story), story);
});

test('no word that says something is ever lost, and none changes its place', () => {
  const word = fc.constantFrom<string>('the', 'a', 'to', 'need', 'want', 'near', 'hotel', 'berlin', 'insurance', '42', 'dog');
  fc.assert(fc.property(fc.array(word, { maxLength: 30 }), (words) => {
    const kept = tokenize(gist(words.join(' ')));
    assert.deepEqual(kept.filter((each) => !isStopWord(each)), words.filter((each) => !isStopWord(each)));
    assert.ok(kept.length >= Math.min(8, words.length));
    let at = 0;
    for (const each of kept) {
      at = words.indexOf(each, at) + 1;
      assert.ok(at > 0, `${each} is out of its place`);
    }
  }));
});
