import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWorkTurns, lineOf, type LineName } from './work-turns.js';

/** A loop that is turned by hand, and work that takes so long. */
function loop() {
  let now = 0;
  let due: (() => void)[] = [];
  const begun: number[] = [];
  const turns = createWorkTurns({
    now: () => now,
    nextRound: (work) => void due.push(work),
  });
  return {
    begun,
    ask: (name: number, ms: number, line?: LineName) =>
      turns.run(() => {
        begun.push(name);
        now += ms;
      }, line),
    connected: turns.connected,
    turnedAway: turns.turnedAway,
    round() {
      const ready = due;
      due = [];
      for (const work of ready) work();
    },
    pass: (ms: number) => void (now += ms),
    isQuiet: () => due.length === 0,
    planned: () => due.length,
  };
}

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('work in turns', () => {
  it('what finds the loop free begins at once', () => {
    const { ask, begun, round, isQuiet } = loop();
    for (let at = 0; at < 4; at += 1) ask(at, 1);
    assert.deepEqual(begun, [0, 1, 2, 3]);
    round();
    assert.equal(isQuiet(), true, 'nothing keeps an idle loop busy');
  });

  it('short ones in line go together, eight milliseconds of them a round', () => {
    const { ask, begun, round } = loop();
    for (let at = 0; at < 30; at += 1) ask(at, at === 0 ? 9 : 1);
    round();
    assert.deepEqual(begun, [0, 1], 'nobody knew yet how many there would be');
    round();
    assert.equal(begun.length, 10);
    round();
    assert.equal(begun.length, 18);
  });

  it('where many are turned away in between the line goes on for as long, within a bound', () => {
    const { ask, begun, round, pass, turnedAway } = loop();
    for (let at = 0; at < 400; at += 1) ask(at, at === 0 ? 9 : 1);
    round();
    round();
    assert.equal(begun.length, 10);
    turnedAway(30);
    round();
    assert.equal(begun.length, 40, 'thirty milliseconds of them');
    turnedAway(500);
    round();
    assert.equal(begun.length, 80, 'not more than forty');
    pass(100);
    round();
    assert.equal(begun.length, 88, 'answers that end in between make no longer rounds');
  });

  it('the rest waits in line, one a round, and nobody passes', () => {
    const { ask, begun, round, isQuiet } = loop();
    for (let at = 0; at < 3000; at += 1) ask(at, 9);
    assert.deepEqual(begun, [0]);
    round();
    assert.deepEqual(begun, [0, 1]);
    ask(3000, 9);
    assert.deepEqual(begun, [0, 1], 'those before it go first');
    for (let at = 0; at < 3000; at += 1) round();
    assert.deepEqual(
      begun,
      Array.from({ length: 3001 }, (_, at) => at),
    );
    round();
    assert.equal(isQuiet(), true);
    ask(3001, 9);
    assert.equal(begun.at(-1), 3001);
  });

  it('people do not wait behind the traffic, nor the traffic behind them', () => {
    const { ask, begun, round } = loop();
    for (let at = 0; at < 100; at += 1) ask(at, 9);
    for (let at = 100; at < 103; at += 1) ask(at, 9, 'people');
    for (let at = 0; at < 7; at += 1) round();
    assert.deepEqual(begun, [0, 100, 1, 101, 2, 102, 3, 4]);
    const lines = ['/api/v1/ad', '/ack?p=1', '/search', '/advertiser-dashboard/campaigns'];
    assert.deepEqual(
      lines.map((url) => lineOf({ url })),
      ['traffic', 'traffic', 'traffic', 'people'],
    );
  });

  it('tells how long it waited', () => {
    const waits: number[] = [];
    let now = 0;
    let due: (() => void)[] = [];
    const turns = createWorkTurns({
      now: () => now,
      nextRound: (work) => void due.push(work),
    });
    for (let at = 0; at < 2; at += 1)
      turns.run((waitedMs) => {
        waits.push(waitedMs);
        now += 20;
      });
    now += 7;
    const ready = due;
    due = [];
    ready.forEach((work) => work());
    assert.deepEqual(waits, [0, 7]);
  });

  it('who waited too long is told so before anybody begins, and takes nobody’s time', () => {
    let now = 0;
    let due: (() => void)[] = [];
    const told: string[] = [];
    const waits: number[] = [];
    const turns = createWorkTurns({
      now: () => now,
      nextRound: (work) => void due.push(work),
      mostWaitMs: 500,
      onWaited: (ms) => void waits.push(ms),
    });
    const ask = (name: string, expires: 'expires' | 'waits' = 'expires'): void =>
      turns.run(
        (waitedMs) => {
          told.push(waitedMs > 500 ? `${name} late` : name);
          if (waitedMs <= 500) now += 9;
        },
        'traffic',
        expires,
      );
    const round = (): void => {
      const ready = due;
      due = [];
      ready.forEach((work) => work());
    };
    ask('first');
    for (let at = 0; at < 100; at += 1) ask('early');
    now += 300;
    ask('later');
    ask('a beacon', 'waits');
    now += 250;
    round();
    assert.deepEqual(
      told,
      ['first', ...Array.from({ length: 100 }, () => 'early late'), 'later'],
      'in one round, and the one who still waits is answered in it',
    );
    assert.deepEqual(waits.slice(-2), [550, 250]);
    now += 600;
    round();
    assert.equal(told.at(-1), 'a beacon late', 'it is counted however late it comes');
  });

  it('while callers connect the line stands until sixty-four of them were taken', () => {
    const { ask, begun, round, connected, pass } = loop();
    for (let at = 0; at < 60; at += 1) ask(at, 9);
    // However slow the rounds are: with little of a core each of them takes long.
    for (let at = 0; at < 63; at += 1) {
      connected();
      round();
      pass(1);
    }
    assert.deepEqual(begun, [0], 'one connection a round is taken meanwhile');
    for (let at = 0; at < 2; at += 1) {
      connected();
      round();
    }
    assert.equal(begun.length, 8, 'then it goes on for as long as it stood');
    connected();
    round();
    assert.equal(begun.length, 8);
    round();
    round();
    assert.equal(begun.length, 9, 'nobody connects any more');
    for (let at = 0; at < 4; at += 1) {
      connected();
      round();
      pass(80);
    }
    assert.equal(begun.length, 9, 'rounds that take very long');
    for (let at = 0; at < 2; at += 1) {
      connected();
      round();
    }
    assert.equal(begun.length, 23, 'those in line have waited too, and go on within a bound');
  });

  it('a line that stands costs one look a round, however long it is', () => {
    const { ask, round, connected, planned } = loop();
    for (let at = 0; at < 500; at += 1) ask(at, 9);
    round();
    assert.ok(planned() > 1, 'nobody knows whether anybody will connect');
    for (let at = 0; at < 60; at += 1) {
      connected();
      round();
      assert.equal(planned(), 1);
    }
  });

  it('the line goes on where somebody connects now and then', () => {
    const { ask, begun, round, connected } = loop();
    for (let at = 0; at < 400; at += 1) ask(at, 1);
    for (let at = 0; at < 30; at += 1) {
      if (at % 2 === 0) connected();
      round();
    }
    assert.ok(begun.length > 60, String(begun.length));
  });

  it('what a request does after its first wait counts before the next one begins', async () => {
    const turns = createWorkTurns();
    let mostAtOnce = 0;
    let left = 0;
    const busy = async (): Promise<void> => {
      left += 1;
      mostAtOnce = Math.max(mostAtOnce, left);
      for (let at = 0; at < 20; at += 1) await Promise.resolve();
      busyFor(1);
      left -= 1;
    };
    await new Promise<void>((resolve) => {
      turns.run(() => busyFor(9));
      for (let at = 0; at < 100; at += 1)
        turns.run(() => void busy().then(() => (at === 99 ? resolve() : undefined)));
    });
    assert.equal(mostAtOnce, 1);
  });
});
