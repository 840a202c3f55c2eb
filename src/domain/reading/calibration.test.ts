import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCalibration, relevanceOf, shifted } from './calibration.js';
import { stepOf, withinBounds } from './learn-offset.js';

const fit = {
  constant: -5,
  need: 1,
  sensitive: -0.5,
  sensitiveFloor: -3,
  nearness: 8,
  tradeLead: -10,
};
const thresholds = {
  needAtLeast: 0,
  carriedNeedAtLeast: -1,
  neverAtMost: 0,
  carriedNeverAtMost: 1,
  foreignAtMost: 0,
  namedNearness: 0.9,
  wordsNearness: 0,
  excludedNearness: 0.4,
};

test('relevance grows with need and fit, falls with sensitivity, and stays a chance', () => {
  const calibration = readCalibration(fit, thresholds);
  const at = (need: number, never: number, cosine: number): number =>
    relevanceOf(calibration, { need, never, earlier: 0, trade: null }, cosine);
  assert.ok(at(1, -2, 0.6) > at(0, -2, 0.6));
  assert.ok(at(1, -2, 0.6) > at(1, -2, 0.5));
  assert.ok(at(1, -2, 0.6) > at(1, 0, 0.6));
  assert.ok(at(1e9, -1e9, 1) < 1 && at(-1e9, 1e9, -1) > 0);
});

test('an offer loses by as much as a trade that is not on sale is nearer, and never gains', () => {
  const calibration = readCalibration(fit, thresholds);
  const at = (trade: number | null): number =>
    relevanceOf(calibration, { need: 1, never: -2, earlier: 0, trade }, 0.5);
  assert.ok(at(0.7) < at(0.6) && at(0.6) < at(0.5));
  assert.equal(at(0.2), at(0.5));
  assert.equal(at(null), at(0.5));
});

test('a calibration that lacks a number is refused by its name', () => {
  assert.throws(() => readCalibration(fit, { ...thresholds, needAtLeast: 'x' }), /needAtLeast/);
  assert.throws(() => readCalibration({ ...fit, nearness: NaN }, thresholds), /nearness/);
  assert.throws(() => readCalibration(null, null), /need/);
});

test('an offset moves a chance along its own scale and keeps certainty', () => {
  assert.equal(shifted(0.7, 0), 0.7);
  assert.ok(Math.abs(shifted(0.5, Math.log(3)) - 0.75) < 1e-12);
  assert.equal(shifted(1, -2), 1);
  assert.equal(shifted(0, 2), 0);
});

test('places where ads are as helpful and as often clicked as stated do not move', () => {
  const stated = 0.8;
  const votes =
    0.8 * stepOf({ kind: 'helpful' }, stated) + 0.2 * stepOf({ kind: 'hidden' }, stated);
  assert.ok(Math.abs(votes) < 1e-12);
  const clicks =
    stepOf({ kind: 'seen', expected: 0.02 }, stated) +
    0.02 * stepOf({ kind: 'clicked', expected: 0.02 }, stated);
  assert.ok(Math.abs(clicks) < 1e-12);
  assert.equal(withinBounds(99), 0.25);
  assert.equal(withinBounds(-99), -1.5);
});
