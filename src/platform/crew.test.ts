import assert from 'node:assert/strict';
import { it } from 'node:test';
import { joinMeasurements } from './crew.js';

it('measurements of several processes are one text, each value with whose it is', () => {
  const head = ['# HELP asked How often', '# TYPE asked counter'];
  const text = (asked: number, lag: number): string =>
    [
      ...head,
      `asked{route="/a{b}",status="200"} ${asked}`,
      `asked{} 1`,
      '',
      '# HELP lag How late',
      '# TYPE lag gauge',
      `lag ${lag}`,
      '',
    ].join('\n');
  const joined = joinMeasurements(
    new Map([
      ['1', text(3, 0.5)],
      ['2', text(4, 0)],
    ]),
  );
  assert.deepEqual(joined.split('\n'), [
    ...head,
    'asked{worker="1",route="/a{b}",status="200"} 3',
    'asked{worker="1"} 1',
    'asked{worker="2",route="/a{b}",status="200"} 4',
    'asked{worker="2"} 1',
    '# HELP lag How late',
    '# TYPE lag gauge',
    'lag{worker="1"} 0.5',
    'lag{worker="2"} 0',
    '',
  ]);
});
