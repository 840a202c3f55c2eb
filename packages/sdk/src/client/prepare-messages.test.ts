import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { prepareMessages } from './prepare-messages.js';

test('the latest messages are kept in order, system prompts stay home', () => {
  const long = Array.from({ length: 30 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `m${index}`,
  }));
  assert.deepEqual(
    prepareMessages([{ role: 'system', content: 'secret' }, ...long], { maxMessages: 3 }).map(
      (message) => message.content,
    ),
    ['m27', 'm28', 'm29'],
  );
  assert.deepEqual(
    prepareMessages([{ role: 'system', content: 'open' }], { includeSystem: true }),
    [{ role: 'system', content: 'open' }],
  );
});

test('parts of common frameworks become plain text, tools and pictures are left out', () => {
  assert.deepEqual(
    prepareMessages([
      {
        role: 'human',
        parts: [
          { type: 'text', text: 'one' },
          { type: 'image', url: 'x' },
          { type: 'text', text: 'two' },
        ],
      },
      { role: 'tool', content: 'result' },
      { role: 'model', content: [{ type: 'text', text: 'three' }] },
    ]),
    [
      { role: 'user', content: 'one\ntwo' },
      { role: 'assistant', content: 'three' },
    ],
  );
});

test('no text is longer than allowed or cut inside a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 0, maxLength: 300 }),
      fc.integer({ min: 20, max: 100 }),
      (content, maxCharacters) => {
        for (const message of prepareMessages([{ role: 'user', content }], { maxCharacters })) {
          assert.ok(message.content.length <= maxCharacters);
          assert.equal(
            message.content.isWellFormed(),
            content.isWellFormed() || message.content.isWellFormed(),
          );
        }
      },
    ),
  );
});
