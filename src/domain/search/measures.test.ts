import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attachedMeasure, equalMeasures, measureOf } from './measures.js';

test('spellings of a measure are one', () => {
  for (const unit of ['inch', 'inches', 'in']) assert.equal(measureOf('27', unit), '27inch');
  assert.equal(attachedMeasure('27in'), '27inch');
  assert.equal(attachedMeasure('16GB'.toLowerCase()), measureOf('16', 'gigabytes'));
  assert.equal(measureOf('2.50', 'ounces'), '2.5oz');
});

test('a word that is no unit makes no measure', () => {
  assert.equal(measureOf('27', 'monitor'), '');
  assert.equal(attachedMeasure('xm4'), '');
});

test('a terabyte answers a thousand gigabytes and the other way round', () => {
  assert.ok(equalMeasures('1tb').includes('1000gb'));
  assert.ok(equalMeasures('1000gb').includes('1tb'));
});
