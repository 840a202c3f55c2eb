import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFrequencyCaps } from './frequency-cap.js';

test('counts agree with a list of every showing', () => {
  const showing = fc.record({
    subject: fc.constantFrom('a', 'b', 'c'),
    campaign: fc.constantFrom('x', 'y', 'z'),
    wait: fc.integer({ min: 0, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(showing, { maxLength: 60 }), (showings) => {
      const caps = createFrequencyCaps({
        windowMs: 100,
        maxSubjects: 10,
        maxCampaignsPerSubject: 8,
      });
      const windows = new Map<string, { start: number; count: number }>();
      let now = 0;
      for (const { subject, campaign, wait } of showings) {
        now += wait;
        const key = subject + campaign;
        const open = windows.get(key);
        const running = open !== undefined && now < open.start + 100;
        assert.equal(caps.of(subject)?.count(campaign, now) ?? 0, running ? open.count : 0);
        caps.record(subject, campaign, now);
        windows.set(
          key,
          running ? { start: open.start, count: open.count + 1 } : { start: now, count: 1 },
        );
      }
    }),
  );
});

test('memory is bounded: the subject not seen for longest is forgotten', () => {
  const caps = createFrequencyCaps({ windowMs: 1000, maxSubjects: 3, maxCampaignsPerSubject: 2 });
  for (const subject of ['a', 'b', 'c', 'a', 'd']) caps.record(subject, 'x', 0);
  assert.equal(caps.size(), 3);
  assert.equal(caps.of('b'), null);
  assert.equal(caps.of('a')?.count('x', 1), 2);
});

test('a subject keeps its latest campaigns only', () => {
  const caps = createFrequencyCaps({ windowMs: 1000, maxSubjects: 3, maxCampaignsPerSubject: 2 });
  caps.record('a', 'x', 0);
  caps.record('a', 'y', 1);
  caps.record('a', 'z', 2);
  assert.deepEqual(
    ['x', 'y', 'z'].map((campaign) => caps.of('a')?.count(campaign, 3)),
    [0, 1, 1],
  );
});
