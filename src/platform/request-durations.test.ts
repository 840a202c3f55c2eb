import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRequestDurations } from './request-durations.js';

test('answers are counted in every bucket they are quick enough for, apart by method, route and status', () => {
  const durations = createRequestDurations('answer_seconds', 'Time to answer', [0.01, 0.1]);
  for (const seconds of [0.01, 0.05, 3]) durations.observe('GET', '/a', 200, seconds);
  durations.observe('GET', '/a', 404, 0.001);
  durations.observe('POST', '/a', 200, 0.001);
  assert.deepEqual(durations.text().split('\n').slice(0, 8), [
    '# HELP answer_seconds Time to answer',
    '# TYPE answer_seconds histogram',
    'answer_seconds_bucket{le="0.01",method="GET",route="/a",status="200"} 1',
    'answer_seconds_bucket{le="0.1",method="GET",route="/a",status="200"} 2',
    'answer_seconds_bucket{le="+Inf",method="GET",route="/a",status="200"} 3',
    'answer_seconds_sum{method="GET",route="/a",status="200"} 3.06',
    'answer_seconds_count{method="GET",route="/a",status="200"} 3',
    'answer_seconds_bucket{le="0.01",method="GET",route="/a",status="404"} 1',
  ]);
  assert.match(
    durations.text(),
    /answer_seconds_count\{method="POST",route="\/a",status="200"\} 1\n/,
  );
});

test('a label cannot end early', () => {
  const durations = createRequestDurations('x', 'y', []);
  durations.observe('GET', 'a"\\\n', 200, 1);
  assert.match(durations.text(), /route="a\\"\\\\\\n",status="200"/);
});
