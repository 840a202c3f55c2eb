import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNeedReader, needFeatures } from './tool-need.js';

test('a language or framework is no word of a message', () => {
  assert.deepEqual(needFeatures('compare React and Vue'), needFeatures('compare Django and Rails'));
  assert.ok(needFeatures('deploy Next.js').includes('w deploy'));
});

test('of a long message both ends are read, and its middle is not', () => {
  const middle = Array.from({ length: 200 }, (_, at) => `filler${at}`).join(' ');
  const features = needFeatures(`charge cards ${middle} every month`);
  for (const word of ['w card', 'w month', '2 charg card'])
    assert.ok(features.includes(word), word);
  assert.ok(features.length < 80, String(features.length));
});

test('words and meaning add up, words of a long message each for less', () => {
  const reader = createNeedReader({
    model: 'any',
    bias: -1,
    words: { 'w host': 200, 'w explain': -400 },
    meaning: [2, 0],
  });
  const [near, far] = [new Float32Array([1, 0]), new Float32Array([-1, 0])];
  assert.equal(reader.oddsOf('', near), 1);
  assert.equal(reader.oddsOf('', far), -3);
  assert.ok(reader.oddsOf('host', near) > reader.oddsOf('', near));
  assert.ok(reader.oddsOf('explain', near) < 0);
  assert.ok(
    reader.oddsOf(`host ${'some other words that say nothing '.repeat(3)}`, near) <
      reader.oddsOf('host', near),
  );
});
