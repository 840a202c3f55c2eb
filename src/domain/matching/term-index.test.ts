import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TermIndex } from './term-index.js';

const noPrior = (): number => 0;
const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const query = ['a', 'b', 'c'].map((term) => ({ term, weight: 1 }));

test('after any edits the index answers like one built afresh', () => {
  const edit = fc.record({
    slot: fc.nat({ max: 6 }),
    words: fc.option(fc.record({ context: fc.array(word), adText: fc.array(word) })),
  });
  fc.assert(
    fc.property(fc.array(edit), (edits) => {
      const edited = new TermIndex(noPrior);
      const last = new Map<number, { context: string[]; adText: string[] }>();
      for (const { slot, words } of edits) {
        if (words === null) {
          edited.delete(slot);
          last.delete(slot);
        } else {
          edited.set(slot, words);
          last.set(slot, words);
        }
      }
      const fresh = new TermIndex(noPrior);
      for (const [slot, words] of last) fresh.set(slot, words);
      assert.equal(edited.size, last.size);
      for (const slot of last.keys())
        assert.equal(
          edited.overlap(slot, edited.weigh(query)),
          fresh.overlap(slot, fresh.weigh(query)),
        );
      const holding = (index: TermIndex): number[] => {
        const slots: number[] = [];
        index.holding(index.weigh(query), (slot) => slots.push(slot));
        return slots.sort((a, b) => a - b);
      };
      assert.deepEqual(holding(edited), holding(fresh));
      const expected = [...last]
        .filter(([, { context, adText }]) =>
          [...context, ...adText].some((term) => 'abc'.includes(term)),
        )
        .map(([slot]) => slot)
        .sort((a, b) => a - b);
      assert.deepEqual(holding(edited), expected);
    }),
  );
});

test('the overlap lies between nothing and everything, and the context counts more than the landing page', () => {
  const index = new TermIndex(noPrior);
  index.set(0, { context: ['a', 'b', 'c'] });
  index.set(1, { context: ['a'] });
  index.set(2, { landing: ['a'] });
  index.set(3, { context: ['z'] });
  const weighed = index.weigh(query);
  const overlaps = [0, 1, 2, 3].map((slot) => index.overlap(slot, weighed));
  assert.equal(overlaps[0], 1);
  assert.ok(
    overlaps[0]! > overlaps[1]! && overlaps[1]! > overlaps[2]! && overlaps[2]! > overlaps[3]!,
  );
  assert.equal(overlaps[3], 0);
});

test('a word of everyday requests tells less than a rare one', () => {
  const index = new TermIndex((term) => (term === 'common' ? 0.2 : 0));
  index.set(0, { context: ['common'] });
  index.set(1, { context: ['rare'] });
  const weighed = index.weigh([
    { term: 'common', weight: 1 },
    { term: 'rare', weight: 1 },
  ]);
  assert.ok(index.overlap(1, weighed) > index.overlap(0, weighed));
});

test('a word in every ad group does not make a search look at all of them', () => {
  const index = new TermIndex(noPrior);
  for (let slot = 0; slot < 20_000; slot++)
    index.set(slot, { context: slot === 7 ? ['everywhere', 'here'] : ['everywhere'] });
  let looked = 0;
  index.holding(
    index.weigh([
      { term: 'everywhere', weight: 1 },
      { term: 'here', weight: 1 },
    ]),
    () => looked++,
  );
  assert.equal(looked, 1);
});
