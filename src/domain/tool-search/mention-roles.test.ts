import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clausesOf, createRoleReader, listsOf, mentionRoles, spotsOf } from './mention-roles.js';

const place = (text: string, name: string): { start: number; end: number } => ({
  start: text.indexOf(name),
  end: text.indexOf(name) + name.length,
});

test('a name is read in its own part of the sentence, whichever tool it is', () => {
  const read = (text: string, ...names: string[]): string[] =>
    spotsOf(
      text,
      names.map((name) => place(text, name)),
    ).map(({ clause }) => clause);
  assert.deepEqual(read('Stripe stays, but we leave Auth0.', 'Stripe', 'Auth0'), [
    'zeta stays',
    'we leave zeta',
  ]);
  assert.deepEqual(read('neither Auth0 and Clerk will do', 'Auth0', 'Clerk'), [
    'neither zeta and acme will do',
    'neither acme and zeta will do',
  ]);
  const [one, other] = ['no Stripe please', 'no Mollie please'].map(
    (text) => spotsOf(text, [place(text, text.split(' ')[1] ?? '')])[0],
  );
  assert.deepEqual(one, other);
});

test('parts of a sentence cover it', () => {
  for (const text of ['', 'a', ', ,', 'one, two; three and four (five) – six', '...']) {
    const clauses = clausesOf(text);
    assert.equal(clauses.at(-1)?.end, text.length);
    for (const [at, { start, end }] of clauses.entries())
      assert.ok(start >= (clauses[at - 1]?.end ?? 0) && end >= start, text);
  }
});

test('words and meaning add up; a maker is refused only where that is clear', () => {
  const reader = createRoleReader({
    model: 'test',
    bias: [-1, -1, 0, 0.1, 0],
    words: { 'l1 no': [100, 0, 0, 0, 0] },
    meaning: [mentionRoles.map((role) => (role === 'have' ? 5 : 0))],
  });
  const spotIn = (text: string) =>
    spotsOf(text, [place(text, 'Acme')])[0] ?? assert.fail('no spot');
  const nothing = new Float32Array(1);
  assert.equal(reader.roleOf(spotIn('with Acme'), nothing, false), 'beside');
  assert.equal(reader.roleOf(spotIn('no Acme'), nothing, false), 'unwanted');
  assert.equal(reader.roleOf(spotIn('no Acme'), nothing, true), 'beside');
  assert.equal(reader.roleOf(spotIn('no Acme'), Float32Array.of(1), false), 'have');
});

test('names of a list are read together, a comma alone makes none and what follows it is apart', () => {
  const lists = (text: string, ...names: string[]): number[][] =>
    listsOf(
      text,
      names.map((name) => place(text, name)),
    );
  assert.deepEqual(lists('PayPal and Stripe are out', 'PayPal', 'Stripe'), [[0, 1]]);
  assert.deepEqual(lists('no A1, B2, or C3', 'A1', 'B2', 'C3'), [[0, 1, 2]]);
  assert.deepEqual(lists('Stripe stays, Segment goes', 'Stripe', 'Segment'), []);
  assert.deepEqual(lists('not A1 or B2, C3 matters', 'A1', 'B2', 'C3'), [[0, 1]]);
  assert.deepEqual(lists('we use Stripe, Segment is to go', 'Stripe', 'Segment'), []);
  const reader = createRoleReader({
    model: 'test',
    bias: [-1, -3, 0, 0.5, 0],
    words: { 'r1 and': [0, 0, 60, 0, 0], 'r2 out': [400, 0, 0, 0, 0] },
    meaning: [],
  });
  const text = 'PayPal and Stripe are out';
  const places = [place(text, 'PayPal'), place(text, 'Stripe')];
  const read = spotsOf(text, places).map((spot) => ({
    spot,
    meaning: new Float32Array(),
    isMaker: false,
  }));
  assert.deepEqual(reader.rolesOf(read, []), ['have', 'unwanted']);
  assert.deepEqual(reader.rolesOf(read, listsOf(text, places)), ['unwanted', 'unwanted']);
});
