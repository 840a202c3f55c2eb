import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { earlierMessages, joinTurns, splitTurns, turnsOf } from './turns.js';

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const system = (content: string) => ({ role: 'system', content });

test('the newest message of the person is read with the two before it', () => {
  assert.deepEqual(turnsOf([user('a'), assistant('b'), user('c'), assistant('d'), user('e')]), {
    newest: 'e',
    previous: 'c',
    assistant: 'd',
  });
});

test('system prompts, empty messages and answers to older ones are left out', () => {
  assert.deepEqual(turnsOf([system('sell cruises'), user('a'), system('x'), user(' ')]), {
    newest: 'a',
    previous: null,
    assistant: null,
  });
  assert.deepEqual(turnsOf([user('a'), assistant('b'), user('c'), user('d'), assistant('e')]), {
    newest: 'd',
    previous: 'c',
    assistant: null,
  });
  assert.equal(turnsOf([system('a'), assistant('b')]), null);
});

test('the conversation as it stood before ends with the message before', () => {
  const messages = [user('a'), assistant('b'), user('c'), assistant('d')];
  assert.deepEqual(earlierMessages(messages), [user('a')]);
  assert.equal(earlierMessages([user('a'), assistant('b')]), null);
});

test('turns can be told apart again whatever they hold, and are bounded', () => {
  fc.assert(
    fc.property(
      fc.record({ newest: fc.string(), previous: fc.string(), assistant: fc.string() }),
      (turns) => {
        const parts = splitTurns(joinTurns(turns));
        assert.deepEqual(
          parts,
          [turns.newest, turns.previous, turns.assistant].map((text) =>
            text.replaceAll('\u001e', ' ').trim(),
          ),
        );
      },
    ),
  );
  const long = `first ${'word '.repeat(100_000)}last`;
  const [newest] = splitTurns(joinTurns({ newest: long, previous: long, assistant: null }));
  assert.ok(newest.startsWith('first') && newest.endsWith('last') && newest.length < 3000);
});
