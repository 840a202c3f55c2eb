import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Entry } from './entry.js';
import { type Held, hold, PendingEntries } from './pending-entries.js';

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const entry: fc.Arbitrary<Entry> = fc
  .record({
    events: fc.array(fc.record({ id, serveId: fc.option(id, { nil: undefined }) }), {
      maxLength: 3,
    }),
    rows: fc.option(fc.array(fc.oneof(fc.record({ id }), fc.record({ ids: fc.array(id) }))), {
      nil: undefined,
    }),
  })
  .map(({ events, rows }) => ({
    events: events.map((event) => ({ kind: 'win', at: 0, ...event })),
    ...(rows === undefined ? {} : { rows: { things: rows } }),
  }));
const step = fc.oneof(
  { weight: 4, arbitrary: entry },
  { weight: 2, arbitrary: fc.constantFrom('take', 'apply', 'ask') },
  fc.constant('clear'),
);

/** The obvious version: every id of everything that is not applied. */
function idsOf(held: readonly Held[]): Set<string> {
  const ids = new Set<string>();
  for (const { entry: one } of held) {
    for (const event of one.events) ids.add(event.serveId ?? event.id);
    for (const row of Object.values(one.rows ?? {}).flat()) {
      const { id: own, ids: many = [] } = Object(row) as { id?: string; ids?: string[] };
      for (const each of own === undefined ? many : [own, ...many]) ids.add(each);
    }
  }
  return ids;
}

test('an id is known from when it came until it is applied, whenever it is asked for', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const pending = new PendingEntries();
      let waiting: Held[] = [];
      let taken: Held[][] = [];
      for (const [at, what] of steps.entries()) {
        if (typeof what === 'object') {
          const one = { entry: what, end: { segment: 0, offset: at }, appendedAt: at };
          pending.push(one);
          waiting.push(hold(one, true));
        } else if (what === 'take') {
          const batch = pending.take(4);
          assert.deepEqual(batch, waiting.slice(0, batch.length));
          waiting = waiting.slice(batch.length);
          if (batch.length > 0) taken.push(batch);
        } else if (what === 'apply') {
          const [batch = [], ...rest] = taken;
          // One that was read from a file is counted nowhere.
          pending.applied([...batch, ...batch.map((one) => ({ ...one, isNoted: false }))]);
          taken = rest;
        } else if (what === 'clear') {
          pending.clear();
          // What was under way then may yet be told of.
          for (const batch of taken) pending.applied(batch);
          waiting = [];
          taken = [];
        } else {
          const known = idsOf([...taken.flat(), ...waiting]);
          for (const one of ['a', 'b', 'c', 'd', 'e'])
            assert.equal(pending.has(one), known.has(one));
        }
        assert.equal(pending.length, waiting.length);
        assert.deepEqual(pending.oldest, waiting[0]);
        assert.equal(
          pending.weight,
          waiting.reduce((sum, { weight }) => sum + weight, 0),
        );
      }
    }),
  );
});

test('thousands that are applied are let go of while others wait', () => {
  const pending = new PendingEntries();
  const push = (name: string): void =>
    pending.push({
      entry: { events: [{ id: name, kind: 'win', at: 0 }] },
      end: { segment: 0, offset: 0 },
      appendedAt: 0,
    });
  for (let at = 0; at < 2500; at += 1) push(`${at}`);
  pending.applied(pending.take(1200));
  push('last');
  assert.deepEqual(
    ['1199', '1200', 'last'].map((name) => pending.has(name)),
    [false, true, true],
  );
  assert.deepEqual([pending.length, pending.oldest?.entry.events[0]?.id], [1301, '1200']);
  pending.applied(pending.take(5000));
  assert.deepEqual([pending.length, pending.has('last')], [0, false]);
});
