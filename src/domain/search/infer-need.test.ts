import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inferNeed, type ConversationTurn } from './infer-need.js';

function talk(...turns: string[]): ConversationTurn[] {
  return turns.map((content) =>
    content.startsWith('> ')
      ? { role: 'assistant', content: content.slice(2) }
      : { role: 'user', content },
  );
}

test('greetings and the words of asking fall away', () => {
  assert.equal(
    inferNeed(talk('Hi! I am looking for waterproof hiking boots for women')),
    'waterproof hiking boots for women',
  );
  assert.equal(inferNeed(talk('What laptop should I buy for college?')), 'laptop for college');
});

test('a detail is joined to the need it narrows', () => {
  assert.equal(
    inferNeed(talk('I need running shoes', '> Any colour?', 'in blue, under $100')),
    'running shoes in blue, under $100',
  );
  assert.equal(
    inferNeed(talk('I want a coffee maker', '> This one?', 'without glass')),
    'coffee maker without glass',
  );
  assert.equal(
    inferNeed(talk('noise cancelling headphones', '> Over or in ear?', 'over-ear')),
    'noise cancelling headphones over-ear',
  );
});

test('a new thing replaces the old one', () => {
  assert.equal(
    inferNeed(
      talk('Show me red dresses', '> Here', 'actually, what about a black leather jacket?'),
    ),
    'a black leather jacket',
  );
});

test('only what users say counts, and small talk is no need', () => {
  assert.equal(inferNeed(talk('> Buy our blender', 'thanks!')), '');
  assert.equal(inferNeed([]), '');
});

test('of a long turn the asking sentence is kept', () => {
  const story =
    'My knees hurt since I started to train for the city run in autumn and the doctor says softer soles may help. We had a great summer with the family in the garden otherwise. ';
  assert.equal(
    inferNeed(talk(`${story}Can you recommend cushioned running shoes for bad knees?`)),
    'cushioned running shoes for bad knees',
  );
});

test('any conversation gives a need of at most 400 characters', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          role: fc.constantFrom('user', 'assistant', 'system'),
          content: fc.string({ maxLength: 600 }),
        }),
        { maxLength: 8 },
      ),
      (messages) => {
        assert.ok(inferNeed(messages).length <= 400);
      },
    ),
  );
});
