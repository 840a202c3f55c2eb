import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWorkTurns } from './work-turns.js';

/** A loop that is turned by hand, and work that takes so long. */
function loop() {
  let now = 0;
  let due: (() => void)[] = [];
  const begun: number[] = [];
  const turns = createWorkTurns(
    () => now,
    (work) => void due.push(work),
  );
  return {
    begun,
    ask: (name: number, ms: number) =>
      turns.run(() => {
        begun.push(name);
        now += ms;
      }),
    round() {
      const ready = due;
      due = [];
      for (const work of ready) work();
    },
    isQuiet: () => due.length === 0,
  };
}

describe('work in turns', () => {
  it('what finds the loop free begins at once', () => {
    const { ask, begun, round, isQuiet } = loop();
    for (let at = 0; at < 4; at += 1) ask(at, 1);
    assert.deepEqual(begun, [0, 1, 2, 3]);
    round();
    assert.equal(isQuiet(), true, 'nothing keeps an idle loop busy');
  });

  it('short ones in line go together, a millisecond of them a round', () => {
    const { ask, begun, round } = loop();
    for (let at = 0; at < 10; at += 1) ask(at, at === 0 ? 9 : 0.25);
    round();
    assert.deepEqual(begun, [0, 1, 2, 3, 4]);
    round();
    assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('the rest waits in line, one a round, and nobody passes', () => {
    const { ask, begun, round, isQuiet } = loop();
    for (let at = 0; at < 3000; at += 1) ask(at, at === 0 ? 9 : 1);
    assert.deepEqual(begun, [0]);
    round();
    assert.deepEqual(begun, [0, 1]);
    ask(3000, 1);
    assert.deepEqual(begun, [0, 1], 'those before it go first');
    for (let at = 0; at < 3000; at += 1) round();
    assert.deepEqual(
      begun,
      Array.from({ length: 3001 }, (_, at) => at),
    );
    round();
    assert.equal(isQuiet(), true);
    ask(3001, 1);
    assert.equal(begun.at(-1), 3001);
  });
});
