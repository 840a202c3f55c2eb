import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Calibration } from '../reading/calibration.js';
import { createPhraseFinder, wholeMessages } from '../reading/phrase-list.js';
import { match as matchBy, type Match } from './match.js';
import { createMatchIndex } from './match-index.js';
import type { MatchIndex } from './match-index.js';
import type { MatchDocument } from './match-document.js';
import { addReading, type MatchQuery, prepareQuery } from './match-query.js';

const empty: MatchDocument = {
  context: '',
  brand: '',
  adText: '',
  landingTerms: '',
  negativeContext: '',
};
const calibration: Calibration = {
  constant: -8,
  need: 1,
  sensitive: -0.5,
  sensitiveFloor: -4,
  nearness: 8,
  tradeLead: -10,
  needAtLeast: 0,
  carriedNeedAtLeast: -1,
  neverAtMost: 0,
  carriedNeverAtMost: 1,
  foreignAtMost: 0,
  namedNearness: 0.9,
  wordsNearness: 0,
  excludedNearness: 0.4,
};
const lists = {
  sensitive: createPhraseFinder('# grief\npassed away'),
  idle: wholeMessages('tell me a joke'),
};
const none = { topics: [], categories: [] };
const served = 0.5;
const match = (index: MatchIndex, query: MatchQuery, { limit }: { limit: number }): Match[] =>
  matchBy(index, query, { limit, calibration });
const turns = (newest: string) => ({ newest, previous: null, assistant: null });
const byWords = (text: string): MatchQuery => prepareQuery(turns(text), lists, none);
const slotsFor = (index: MatchIndex, query: MatchQuery): number[] =>
  match(index, query, { limit: 10 }).map(({ slot }) => slot);
const vector = (...values: number[]): Float32Array => Float32Array.from(values);
const byMeaning = (text: string, own: Float32Array, change: Partial<Read> = {}): MatchQuery =>
  addReading(
    byWords(text),
    {
      reading: { vector: own, need: 2, never: -4, foreign: -4, ...change },
      earlier: change.earlier ?? null,
      topic: null,
      excluded: [],
    },
    calibration,
  );
type Read = { need: number; never: number; foreign: number; earlier: Earlier };
type Earlier = { need: number; never: number };

test('the ad group that shares the telling words comes first', () => {
  const index = createMatchIndex();
  index.upsert(0, { ...empty, context: 'Hotels and guesthouses in every city' }, null);
  index.upsert(1, { ...empty, context: 'Trail running shoes' }, null);
  const [best] = match(index, byWords('trail running shoes for winter'), { limit: 5 });
  assert.equal(best?.slot, 1);
  assert.ok(best.relevance >= served);
  assert.equal(best.cosine, null);
});

test('an edit and a removal show in the next match', () => {
  const index = createMatchIndex();
  index.upsert(3, { ...empty, context: 'garden chairs' }, null);
  assert.deepEqual(slotsFor(index, byWords('garden chairs please')), [3]);
  index.upsert(3, { ...empty, context: 'espresso machines' }, null);
  assert.deepEqual(slotsFor(index, byWords('garden chairs please')), []);
  assert.deepEqual(slotsFor(index, byWords('espresso machines')), [3]);
  index.remove(3);
  assert.deepEqual(slotsFor(index, byWords('espresso machines')), []);
  assert.equal(index.size, 0);
});

test('the ad group nearest in meaning comes first without any shared word', () => {
  const index = createMatchIndex();
  index.upsert(0, { ...empty, context: 'first' }, { meaning: vector(1, 0, 0), negatives: [] });
  index.upsert(1, { ...empty, context: 'second' }, { meaning: vector(0, 1, 0), negatives: [] });
  const [best, other] = match(index, byMeaning('somewhere to lie down', vector(0.1, 0.99, 0)), {
    limit: 5,
  });
  assert.equal(best?.slot, 1);
  assert.ok(best.relevance >= served);
  assert.ok((other?.relevance ?? 0) < 0.1);
});

test('what an ad group meant holds until its new text is read, and no longer', () => {
  const index = createMatchIndex();
  const cosineOf = (): number | null | undefined =>
    match(index, byMeaning('somewhere to lie down', vector(0, 1, 0)), { limit: 5 })[0]?.cosine;
  index.upsert(0, { ...empty, context: 'first' }, { meaning: vector(0, 1, 0), negatives: [] });
  const before = cosineOf();
  index.upsert(0, { ...empty, context: 'second' }, null);
  assert.equal(cosineOf(), before);
  index.upsert(0, { ...empty, context: 'lie down' }, { meaning: null, negatives: [] });
  assert.equal(cosineOf(), null);
  index.upsert(0, { ...empty, context: 'lie down' }, { meaning: vector(0, 1, 0), negatives: [] });
  index.remove(0);
  index.upsert(0, { ...empty, context: 'lie down' }, null);
  assert.equal(cosineOf(), null);
});

test('of two offers equally near in meaning, the one that says the words fits better', () => {
  const index = createMatchIndex();
  const meaning = vector(1, 0, 0);
  index.upsert(0, { ...empty, context: 'Send money to friends' }, { meaning, negatives: [] });
  index.upsert(1, { ...empty, context: 'Payroll and direct deposit' }, { meaning, negatives: [] });
  const asked = byMeaning('set up direct deposit', vector(0.8, 0.6, 0));
  const [best, other] = matchBy(index, asked, {
    limit: 5,
    calibration: { ...calibration, wordsNearness: 0.3 },
  });
  assert.equal(best?.slot, 1);
  assert.ok(best.relevance > other!.relevance);
  const [withoutWords, same] = match(index, asked, { limit: 5 });
  assert.equal(withoutWords?.relevance, same?.relevance);
});

test('equal competitors are equally relevant, the lower slot first', () => {
  const index = createMatchIndex();
  for (const slot of [5, 2, 9])
    index.upsert(slot, { ...empty, context: 'shoes' }, { meaning: vector(1, 0, 0), negatives: [] });
  const matches = match(index, byMeaning('my feet hurt', vector(1, 0, 0)), { limit: 5 });
  assert.deepEqual(
    matches.map(({ slot }) => slot),
    [2, 5, 9],
  );
  assert.equal(new Set(matches.map(({ relevance }) => relevance)).size, 1);
});

test('an ad group about an excluded topic is left out, told by its words or by its meaning', () => {
  const index = createMatchIndex();
  index.upsert(
    0,
    { ...empty, context: 'Travel insurance for cancelled flights' },
    { meaning: vector(0, 1, 0), negatives: [] },
  );
  index.upsert(
    1,
    { ...empty, context: 'cancelled plans' },
    { meaning: vector(0.8, 0.6, 0), negatives: [] },
  );
  const excluding = (topic: string, own: Float32Array | null): MatchQuery => {
    const query = prepareQuery(turns('everything cancelled again'), lists, {
      ...none,
      topics: [topic],
    });
    const reading = { vector: vector(0.1, 0.2, 0.97), need: 2, never: -4, foreign: -4 };
    return own === null
      ? query
      : addReading(query, { reading, earlier: null, topic: null, excluded: [own] }, calibration);
  };
  assert.deepEqual(slotsFor(index, excluding('gambling', vector(0, 0, -1))).sort(), [0, 1]);
  assert.deepEqual(slotsFor(index, excluding('travels', vector(0, 0, -1))), [1]);
  assert.deepEqual(slotsFor(index, excluding('journeys', vector(-0.6, 0.8, 0))), [1]);
  assert.deepEqual(slotsFor(index, excluding('travel', null)), [1]);
});

test('an ad group of an excluded content category is left out', () => {
  const index = createMatchIndex();
  const food = { id: '210', older: 'IAB8', name: 'Food & Drink', about: 'cooking' };
  index.upsert(
    0,
    { ...empty, context: 'soup kitchen' },
    { meaning: vector(0, 0, 1), negatives: [], category: '210' },
  );
  index.upsert(
    1,
    { ...empty, context: 'kitchen chairs' },
    { meaning: vector(0, 0.1, 0.99), negatives: [], category: '274' },
  );
  const query = byMeaning('something for the kitchen', vector(0, 0, 1));
  assert.deepEqual(slotsFor(index, query), [0, 1]);
  assert.deepEqual(slotsFor(index, { ...query, excludedCategories: [food] }), [1]);
});

test('negative context vetoes by words and by meaning', () => {
  const index = createMatchIndex();
  index.upsert(
    0,
    { ...empty, context: 'cooking school', negativeContext: 'free recipes; meal delivery' },
    { meaning: vector(0, 0, 1), negatives: [vector(1, 0, 0), vector(0, 1, 0)] },
  );
  assert.deepEqual(slotsFor(index, byMeaning('cooking school in Lyon', vector(0, 0, 1))), [0]);
  assert.deepEqual(slotsFor(index, byMeaning('cooking recipe that is free', vector(0, 0, 1))), []);
  assert.deepEqual(
    slotsFor(index, byWords('cooking school with meals and deliveries of meal delivery')),
    [],
  );
  assert.deepEqual(slotsFor(index, byMeaning('cooking school something', vector(0, 1, 0))), []);
});

test('a negative phrase about the offered thing itself leaves those who want the offer', () => {
  const index = createMatchIndex();
  const offer = vector(0, 0.6, 0.8);
  const repair = vector(0, 0.98, 0.199);
  const wants = byMeaning('where can I buy a harp', vector(0, 0.5, 0.866));
  const needsRepair = byMeaning('the harp lost a string', vector(0, 0.95, 0.312));
  index.upsert(
    0,
    { ...empty, context: 'Harps for beginners', negativeContext: 'harp repair' },
    { meaning: offer, negatives: [repair] },
  );
  assert.deepEqual([slotsFor(index, wants), slotsFor(index, needsRepair)], [[0], []]);
  index.upsert(
    0,
    { ...empty, context: 'Harps for beginners', negativeContext: 'workshops' },
    { meaning: offer, negatives: [repair] },
  );
  assert.deepEqual(slotsFor(index, wants), []);
});

test('a named brand wins, a brand that is an ordinary word only where the rest fits', () => {
  const index = createMatchIndex(['my car broke down']);
  index.upsert(
    0,
    { ...empty, context: 'soup', brand: 'Zorblax Foods' },
    { meaning: vector(0, 0, 1), negatives: [] },
  );
  index.upsert(1, { ...empty, context: 'shoes' }, { meaning: vector(1, 0, 0), negatives: [] });
  index.upsert(
    2,
    { ...empty, context: 'soup', brand: 'Car' },
    { meaning: vector(0, 0, 1), negatives: [] },
  );
  const [best] = match(index, byMeaning('is zorblax foods any good', vector(1, 0, 0)), {
    limit: 5,
  });
  assert.equal(best?.slot, 0);
  assert.ok(best.named && best.relevance >= 0.9);
  assert.equal(
    match(index, byMeaning('my car makes a noise', vector(1, 0, 0)), { limit: 5 })[0]?.slot,
    1,
  );
});

test('a refused conversation matches nothing, whatever is named or near', () => {
  const index = createMatchIndex();
  index.upsert(
    0,
    { ...empty, context: 'joke books', brand: 'Zorblax' },
    { meaning: vector(1, 0, 0), negatives: [] },
  );
  assert.deepEqual(slotsFor(index, byWords('tell me a joke')), []);
  assert.deepEqual(slotsFor(index, byWords('zorblax, my aunt passed away')), []);
  const near = vector(1, 0, 0);
  assert.deepEqual(slotsFor(index, byMeaning('zorblax joke books', near)), [0]);
  assert.deepEqual(slotsFor(index, byMeaning('zorblax joke books', near, { need: -1 })), []);
  assert.deepEqual(slotsFor(index, byMeaning('zorblax joke books', near, { never: 1 })), []);
});

test('a need goes on with the next message, as long as that is not plainly something else', () => {
  const refused = (change: Partial<Read>): string | undefined =>
    byMeaning('two of us, on friday', vector(1, 0, 0), change).refusal?.reason;
  const never = -4;
  assert.equal(refused({ need: -0.5, earlier: { need: 3, never } }), undefined);
  assert.equal(refused({ need: -0.5, earlier: { need: -3, never } }), 'no_need');
  assert.equal(refused({ need: -2, earlier: { need: 3, never } }), 'no_need');
});

test('after a turn no ad may stand beside, a harmless one gets none either', () => {
  const refused = (never: number): string | undefined =>
    byMeaning('any other ideas?', vector(1, 0, 0), { earlier: { need: 3, never } }).refusal?.reason;
  assert.equal(refused(2), 'sensitive');
  assert.equal(refused(0.5), undefined);
});

test('what the model does not read is matched by plain words only', () => {
  const index = createMatchIndex();
  index.upsert(0, { ...empty, context: 'wanderschuhe' }, null);
  index.upsert(1, { ...empty, context: 'boots' }, { meaning: vector(1, 0, 0), negatives: [] });
  const query = byMeaning('gute wanderschuhe kaufen', vector(1, 0, 0), { foreign: 3, need: 5 });
  assert.equal(query.foreign, true);
  assert.deepEqual(slotsFor(index, query), [0]);
});

test('a thousand offers of other trades change no relevance', () => {
  const index = createMatchIndex();
  index.upsert(0, { ...empty, context: 'boots' }, { meaning: vector(0.6, 0.8, 0), negatives: [] });
  const query = byMeaning('something for my feet', vector(1, 0, 0));
  const before = match(index, query, { limit: 5 });
  for (let slot = 1; slot <= 1000; slot++)
    index.upsert(
      slot,
      { ...empty, context: `offer ${slot}` },
      { meaning: vector(-0.2, 0.6, Math.sin(slot)), negatives: [] },
    );
  assert.deepEqual(match(index, query, { limit: 5 })[0], before[0]);
});

test('an ad group without a vector yet still matches by its words', () => {
  const index = createMatchIndex();
  index.upsert(0, { ...empty, context: 'hotels' }, { meaning: vector(0, 1, 0), negatives: [] });
  index.upsert(1, { ...empty, context: 'waterproof hiking boots' }, null);
  const found = match(index, byMeaning('waterproof hiking boots', vector(1, 0, 0)), {
    limit: 5,
  }).find(({ slot }) => slot === 1);
  assert.ok(found !== undefined && found.relevance >= served);
});

test('the same edits and query give the same answer, never more than asked for, best first', () => {
  const words = fc
    .array(fc.constantFrom('shoe', 'hotel', 'soup', 'tent', 'wine', 'lamp'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((each) => each.join(' '));
  fc.assert(
    fc.property(
      fc.array(words, { maxLength: 30 }),
      words,
      fc.integer({ min: 1, max: 8 }),
      (contexts, text, limit) => {
        const answers = [1, 2].map(() => {
          const index = createMatchIndex();
          contexts.forEach((context, slot) =>
            index.upsert(
              slot,
              { ...empty, context },
              slot % 2 === 0 ? null : { meaning: vector(1, slot / 30, 0), negatives: [] },
            ),
          );
          return match(index, byMeaning(text, vector(1, 0, 0)), { limit });
        });
        assert.deepEqual(answers[0], answers[1]);
        assert.ok(answers[0]!.length <= limit);
        answers[0]!.forEach(({ relevance }, at) =>
          assert.ok(at === 0 || relevance <= answers[0]![at - 1]!.relevance),
        );
      },
    ),
  );
});
