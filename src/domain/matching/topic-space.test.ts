import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTopicSpace } from './topic-space.js';
import type { Topic } from './topic-catalogue.js';
import { dot } from './vectors.js';

const vector = (...values: number[]): Float32Array => Float32Array.from(values);
const topics: Topic[] = [
  {
    kind: 'need',
    id: 'insurance',
    description: 'travel insurance',
    examples: ['my flight was cancelled'],
  },
  { kind: 'idle', id: 'greeting', description: 'greeting', examples: ['hi'] },
];
const [insurance, cancelled, greeting, hi] = [
  vector(1, 0, 0, 0),
  vector(0, 1, 0, 0),
  vector(0, 0, 1, 0),
  vector(0, 0, 0, 1),
];
const space = createTopicSpace([insurance, cancelled, greeting, hi], topics);

test('a text near to how people ask comes nearer to what is offered', () => {
  const { vector: placed, need, topic } = space.place(cancelled);
  assert.ok(dot(placed, insurance) > 0.3);
  assert.ok(Math.abs(dot(placed, placed) - 1) < 1e-5);
  assert.ok(need > 0.9);
  assert.equal(topic.id, 'insurance');
});

test('idle talk stays where it is and shows no need', () => {
  const { vector: placed, need } = space.place(hi);
  assert.ok(need < 0.1);
  assert.ok(dot(placed, hi) > 0.99);
});

test('an offer comes nearer to how people ask for it', () => {
  assert.ok(dot(space.placeOffer(insurance), cancelled) > 0.2);
});

test('vectors that belong to another catalogue are refused', () => {
  assert.throws(() => createTopicSpace([insurance], topics));
});
