import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTopics, createTopicMap, splitExcluded } from './topics.js';

const categories = [
  { id: '653', older: 'IAB20', name: 'Travel', about: 'flights and hotels' },
  { id: '210', older: 'IAB8', name: 'Food & Drink', about: 'cooking' },
];
const topic = { name: 'Hotels', category: '653', asks: ['a room', 'a bed', 'an inn'] };

test('sound files have no problems, others are named', () => {
  assert.deepEqual(checkTopics([topic], categories), []);
  assert.deepEqual(checkTopics([{ ...topic, category: '9' }], categories), [
    'Hotels names no content category',
  ]);
  assert.deepEqual(checkTopics([topic, topic], categories), ['Hotels is there twice']);
  assert.equal(checkTopics([{ ...topic, asks: ['a', 'a', 'b'] }], categories).length, 1);
  assert.equal(checkTopics([{ ...topic, asks: ['a'] }, null], categories).length, 4);
  assert.equal(checkTopics({}, categories).length, 1);
});

test('categories are excluded by either id or name, everything else is a topic', () => {
  const split = splitExcluded(['iab20', 'food & drink', 'knitting', '653'], categories);
  assert.deepEqual(split.categories.map(({ id }) => id).sort(), ['210', '653']);
  assert.deepEqual(split.topics, ['knitting']);
});

test('the nearest topic is found', () => {
  const food = { ...topic, name: 'Food', category: '210' };
  const map = createTopicMap([topic, food], [Float32Array.from([1, 0]), Float32Array.from([0, 1])]);
  const found = map.nearest(Float32Array.from([0.2, 0.9]));
  assert.equal(found?.topic.name, 'Food');
  assert.ok(Math.abs((found?.nearness ?? 0) - 0.9) < 0.01);
});
