import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createExcludedTopics } from './excluded-topics.js';

function counted() {
  const state = { now: 0, read: [] as string[], isAway: false };
  const meanings = createExcludedTopics({
    clock: () => state.now,
    read(name) {
      if (state.isAway) return Promise.reject(new Error('away'));
      state.read.push(name);
      return Promise.resolve(new Float32Array([name.length]));
    },
  });
  return { state, meanings };
}

const invented = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `topic ${from + at}`);

test('a topic is read once, whoever names it and however it is written', async () => {
  const { state, meanings } = counted();
  await Promise.all([meanings(['Gambling', 'loans'], 'a'), meanings([' gambling '], 'b')]);
  assert.deepEqual(await meanings(['GAMBLING'], 'c'), [new Float32Array([8])]);
  assert.deepEqual(state.read, ['gambling', 'loans']);
});

test('new topics in every request make the model read a bounded number a second', async () => {
  const { state, meanings } = counted();
  for (let at = 0; at < 50; at += 1) await meanings(invented(at * 200, 200), 'attacker');
  assert.equal(state.read.length, 100);
  const [other] = await meanings(['weapons'], 'honest');
  assert.notEqual(other, null);
  state.now += 1000;
  for (let at = 0; at < 50; at += 1) await meanings(invented(50_000 + at * 200, 200), 'attacker');
  assert.equal(state.read.length, 111);
});

test('many callers together are bounded too, and what is known stays free', async () => {
  const { state, meanings } = counted();
  await meanings(['weapons'], 'honest');
  for (let at = 0; at < 50; at += 1) await meanings(invented(at * 100, 100), `attacker ${at}`);
  assert.equal(state.read.length, 400);
  assert.notDeepEqual(await meanings(['weapons'], 'attacker 1'), [null]);
});

test('what could not be read is read when it is named again', async () => {
  const { state, meanings } = counted();
  state.isAway = true;
  assert.deepEqual(await meanings(['loans'], 'a'), [null]);
  state.isAway = false;
  assert.deepEqual(await meanings(['loans'], 'a'), [new Float32Array([5])]);
});
