import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EmbedderUnavailable } from './embedder.js';
import { WorkQueue } from './work-queue.js';

test('a conversation that has waited too long is refused, an ad group is not', async (context) => {
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const queue = new WorkQueue(3000);
  const late = queue.wait(queue.add('late', true), undefined);
  const group = queue.wait(queue.add('group', false), undefined);
  now = 2900;
  const patient = queue.add('patient', true);
  void queue.wait(patient, undefined);
  now = 3100;
  const refused = assert.rejects(late, EmbedderUnavailable);
  assert.equal(queue.next(), patient);
  assert.equal(queue.next()?.text, 'group');
  assert.equal(queue.next(), undefined);
  await refused;
  void group;
});
