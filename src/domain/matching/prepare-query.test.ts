import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { prepareQuery, readMeaning } from './prepare-query.js';
import { createTopicSpace } from './topic-space.js';

const said = (...texts: string[]) => texts.map((content) => ({ role: 'user', content }));
/** Three directions: something for sale, idle talk, something sensitive. */
const space = createTopicSpace(
  [
    [1, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 1, 0],
    [0, 0, 1],
    [0, 0, 1],
  ].map((values) => Float32Array.from(values)),
  [
    { kind: 'need', id: 'shoes', description: 'shoes', examples: ['my feet hurt'] },
    { kind: 'idle', id: 'greeting', description: 'greeting', examples: ['hi'] },
    { kind: 'sensitive', id: 'grief', description: 'grief', examples: ['he died'] },
  ],
);

test('the newest message counts most and older ones less and less', () => {
  const { terms, texts } = prepareQuery(said('tents for winter', 'hotels in Rome', 'ski boots'));
  const weight = (term: string): number => terms.find((each) => each.term === term)?.weight ?? 0;
  assert.ok(
    weight('ski') > weight('hotel') && weight('hotel') > weight('tent') && weight('tent') > 0,
  );
  assert.deepEqual(
    texts.map(({ text }) => text),
    ['ski boots', 'hotels in Rome', 'tents for winter'],
  );
});

test('what an assistant says is not a need', () => {
  const { terms } = prepareQuery([
    { role: 'user', content: 'ski boots' },
    { role: 'assistant', content: 'Try car insurance' },
  ]);
  assert.deepEqual(
    terms.map(({ term }) => term),
    ['ski', 'boot'],
  );
});

test('a bare yes is read as the message before it', () => {
  const query = prepareQuery(said('a hotel in Rome', 'yes please'));
  assert.equal(query.refusal, null);
  assert.equal(query.texts[0]?.text, 'a hotel in Rome');
  assert.equal(prepareQuery(said('hello', 'yes please')).refusal?.reason, 'small_talk');
});

test('refusals say why', () => {
  assert.equal(prepareQuery([]).refusal?.reason, 'empty');
  assert.equal(prepareQuery(said('hi')).refusal?.reason, 'small_talk');
  assert.equal(prepareQuery(said('set a timer for 5 minutes')).refusal?.reason, 'command');
  assert.deepEqual(prepareQuery(said('my mother died')).refusal, {
    reason: 'sensitive_topic',
    topic: 'grief',
  });
  assert.deepEqual(prepareQuery(said('a bottle of whisky'), ['whisky']).refusal, {
    reason: 'excluded_topic',
    topic: 'whisky',
  });
});

test('model numbers count double', () => {
  const { terms } = prepareQuery(said('is the WH-1000XM5 any good'));
  assert.equal(terms.find(({ term }) => term === 'wh1000xm5')?.weight, 2);
});

test('meaning finds idle, sensitive and excluded talk that words did not', () => {
  const query = prepareQuery(said('something the words cannot tell'));
  const vector = (...values: number[]): Float32Array => Float32Array.from(values);
  assert.equal(readMeaning(query, [vector(1, 0, 0)], space).refusal, null);
  assert.equal(readMeaning(query, [vector(0, 1, 0)], space).refusal?.reason, 'small_talk');
  assert.deepEqual(readMeaning(query, [vector(0, 0, 1)], space).refusal, {
    reason: 'sensitive_topic',
    topic: 'grief',
  });
  assert.equal(
    readMeaning(query, [vector(1, 0, 0)], space, [{ topic: 'shoes', vector: vector(1, 0, 0) }])
      .refusal?.reason,
    'excluded_topic',
  );
  assert.equal(readMeaning(query, [], space).placement, null);
});

test('ten thousand messages and a message of a megabyte are read in bounded size', () => {
  const many = prepareQuery(
    said(...Array.from({ length: 10_000 }, (_, at) => `shoes number ${at}`)),
  );
  assert.equal(many.texts.length, 3);
  const long = prepareQuery(said(`I need ${'very '.repeat(200_000)} good boots`));
  assert.ok(long.texts[0]!.text.length < 700);
  assert.ok(long.terms.some(({ term }) => term === 'boot'));
  assert.ok(long.terms.length <= 48);
});

test('any conversation is read', () => {
  const message = fc.record({
    role: fc.constantFrom('user', 'assistant', 'system', ''),
    content: fc.string({ unit: 'binary', maxLength: 300 }),
  });
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 6 }),
      fc.array(fc.string({ maxLength: 20 }), { maxLength: 3 }),
      (messages, excluded) => {
        const query = prepareQuery(messages, excluded);
        assert.deepEqual(prepareQuery(messages, excluded), query);
        assert.ok(query.texts.length <= 3);
      },
    ),
  );
});
