import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPhraseFinder, wholeMessages } from './phrase-list.js';

const list = `
; remark
# grief
mother|mum died
passed away
# harm
suicid*
`;

test('a phrase is found as words in a row, alternatives and beginnings of words included', () => {
  const find = createPhraseFinder(list);
  assert.deepEqual(find('My mum  DIED, yesterday'), { topic: 'grief', words: 'mum died' });
  assert.deepEqual(find('he passed-away'), { topic: 'grief', words: 'passed away' });
  assert.deepEqual(find('suicidal thoughts'), { topic: 'harm', words: 'suicidal' });
  for (const text of ['', 'my mum never died', 'passed the exam, go away', 'sui generis', 'remark'])
    assert.equal(find(text), null, text);
});

test('a beginning too short to be told apart is refused', () => {
  assert.throws(() => createPhraseFinder('# x\nki*'));
});

test('a text of a million words costs no more than its beginning', () => {
  const find = createPhraseFinder(list);
  assert.equal(find('mother '.repeat(1_000_000)), null);
});

test('whole messages are folded as texts are', () => {
  assert.deepEqual([...wholeMessages("; remark\nWhat's up\n\nHi")], ['what up', 'hi']);
});
