import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { creditDay, type Scope } from '../billing/paying-scopes.js';
import { createReservations, type Reservations } from './reservations.js';

const DAYS = ['2026-11-14', '2026-11-15'];
const SCOPES: Scope[] = ['campaign', 'group', 'other'].flatMap((scopeId) =>
  DAYS.map((day) => ({ scopeId, day })),
);
SCOPES.push({ scopeId: 'advertiser', day: creditDay });
const key = ({ scopeId, day }: Scope) => `${scopeId} ${day}`;

/** The obvious version: lists of everything that happened, added up from scratch each time. */
function createLedger() {
  const grants: { key: string; amount: number }[] = [];
  const open: { serveId: string; keys: string[]; amount: number; expiresAt: number }[] = [];
  const settled: { keys: string[]; amount: number }[] = [];
  const total = (rows: { keys: string[]; amount: number }[], scope: string) =>
    rows.filter((row) => row.keys.includes(scope)).reduce((sum, row) => sum + row.amount, 0);
  const room = (scope: string) =>
    grants.filter((grant) => grant.key === scope).reduce((sum, grant) => sum + grant.amount, 0) -
    total(settled, scope) -
    total(open, scope);
  const take = (serveId: string) => {
    const at = open.findIndex((row) => row.serveId === serveId);
    return at < 0 ? undefined : open.splice(at, 1)[0];
  };
  return { grants, open, settled, room, reserved: (scope: string) => total(open, scope), take };
}

type Ledger = ReturnType<typeof createLedger>;
type Step = (real: Reservations, model: Ledger) => void;

const scope = fc.constantFrom(...SCOPES);
const serveId = fc.constantFrom(...'abcdefgh');
const amount = fc.integer({ min: 0, max: 40 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(scope, fc.integer({ min: 0, max: 100 })).map(([s, more]): Step => (real, model) => {
    real.grant(s.scopeId, s.day, more);
    model.grants.push({ key: key(s), amount: more });
  }),
  fc
    .tuple(
      serveId,
      fc.array(scope, { minLength: 1, maxLength: 3 }),
      amount,
      fc.integer({ min: 0, max: 50 }),
    )
    .map(([id, scopes, price, expiresAt]): Step => (real, model) => {
      const keys = [...new Set(scopes.map(key))];
      const fits =
        keys.every((k) => model.room(k) >= price) && !model.open.some((row) => row.serveId === id);
      assert.equal(real.reserve(id, scopes, price, expiresAt), fits);
      if (fits) model.open.push({ serveId: id, keys, amount: price, expiresAt });
    }),
  serveId.map((id): Step => (real, model) => {
    const row = model.take(id);
    const settled = real.settle(id);
    assert.equal(settled?.amountMicros, row?.amount);
    assert.deepEqual(settled?.scopes.map(key), row?.keys);
    if (row !== undefined) model.settled.push(row);
  }),
  serveId.map(
    (id): Step =>
      (real, model) =>
        assert.equal(real.release(id), model.take(id) !== undefined),
  ),
  fc.integer({ min: 0, max: 50 }).map((now): Step => (real, model) => {
    assert.deepEqual(
      real.expired(now).sort(),
      model.open
        .filter((row) => row.expiresAt <= now)
        .map((row) => row.serveId)
        .sort(),
    );
  }),
  fc.tuple(scope, amount).map(([s, wanted]): Step => (real, model) => {
    const taken = Math.min(wanted, model.room(key(s)));
    assert.equal(real.withdraw(s.scopeId, s.day, wanted), taken);
    model.grants.push({ key: key(s), amount: -taken });
  }),
  fc.constantFrom<Step>(
    (real, model) => {
      for (const s of real.surplus()) assert.equal(s.available, model.room(key(s)));
    },
    (real) => real.measure(),
    (real) => real.sweep('2026-11-15'),
  ),
);

test('in any order of events no hold is overdrawn, and nothing is lost or doubled', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const real = createReservations();
      const model = createLedger();
      for (const run of steps) {
        run(real, model);
        for (const s of SCOPES) {
          assert.ok(model.room(key(s)) >= 0);
          assert.equal(real.room(s.scopeId, s.day), model.room(key(s)));
          assert.equal(real.reserved(s.scopeId, s.day), model.reserved(key(s)));
        }
      }
    }),
    { numRuns: 400 },
  );
});

test('a reservation takes from every scope or from none', () => {
  const real = createReservations();
  real.grant('campaign', 'd', 100);
  real.grant('group', 'd', 10);
  const both = [
    { scopeId: 'campaign', day: 'd' },
    { scopeId: 'group', day: 'd' },
  ];
  assert.equal(real.reserve('a', both, 11, 0), false);
  assert.deepEqual([real.room('campaign', 'd'), real.room('group', 'd')], [100, 10]);
  assert.equal(real.reserve('a', both, 10, 0), true);
  assert.deepEqual([real.room('campaign', 'd'), real.room('group', 'd')], [90, 0]);
});

test('what is needed follows what was asked for, also where nothing is at hand, and fades', () => {
  const real = createReservations();
  assert.deepEqual(real.need('campaign', 'd'), { neededMicros: 0, adMicros: 0, lastMicros: 0 });
  assert.equal(real.roomFor('publisher', 'campaign', 'd', 400), 0);
  assert.deepEqual(real.need('campaign', 'd'), {
    neededMicros: 1600,
    adMicros: 400,
    lastMicros: 0,
  });
  real.grant('campaign', 'd', 2000);
  for (let i = 0; i < 20; i++) real.reserve(`${i}`, [{ scopeId: 'campaign', day: 'd' }], 90, 0);
  real.measure();
  assert.equal(real.need('campaign', 'd').neededMicros, 4 * 20 * 90);
  for (let i = 0; i < 400; i++) real.measure();
  assert.deepEqual(real.need('campaign', 'd'), { neededMicros: 0, adMicros: 0, lastMicros: 90 });
});

test('holds of past days are forgotten once empty; credit has no day', () => {
  const real = createReservations();
  real.grant('campaign', '2026-11-14', 5);
  real.grant('advertiser', creditDay, 5);
  real.sweep('2026-11-15');
  assert.equal(real.surplus().length, 2);
  real.withdraw('campaign', '2026-11-14', 5);
  real.sweep('2026-11-15');
  assert.deepEqual(
    real.surplus().map(({ scopeId }) => scopeId),
    ['advertiser'],
  );
});

test('what is not an amount of money is refused', () => {
  const real = createReservations();
  for (const bad of [-1, 0.5, NaN, Infinity]) {
    assert.throws(() => real.grant('a', 'd', bad), RangeError);
    assert.throws(() => real.reserve('s', [{ scopeId: 'a', day: 'd' }], bad, 0), RangeError);
  }
});

test('what one owner has not shown takes a share of a scope, and what is shown is free again', () => {
  const real = createReservations({ unshownShare: 0.4 });
  const scopes = [{ scopeId: 'campaign', day: 'd' }];
  real.grant('campaign', 'd', 1000);
  const take = (id: string, owner: string): boolean => real.reserve(id, scopes, 10, 0, owner);
  const given = Array.from({ length: 100 }, (_, at) => `greedy${at}`).filter((id) =>
    take(id, 'greedy'),
  );
  assert.equal(given.length, 40);
  assert.deepEqual(
    [real.roomFor('greedy', 'campaign', 'd'), real.roomFor('other', 'campaign', 'd')],
    [0, 600],
  );
  assert.equal(take('a', 'other'), true);
  assert.deepEqual(real.suspects(3), given.slice(0, 3));
  assert.deepEqual([real.suspects(50), real.suspects(50)], [given.slice(3), given]);
  real.shown('greedy0');
  real.shown('greedy0');
  assert.equal(real.roomFor('greedy', 'campaign', 'd'), 10);
  assert.equal(take('b', 'greedy'), true);
  assert.equal(take('c', 'greedy'), false);
  for (const id of [...given, 'b']) real.release(id);
  assert.equal(real.roomFor('greedy', 'campaign', 'd'), 990);
});

test('a few ads are never too many, however small the budget', () => {
  const real = createReservations({ unshownShare: 0.01 });
  real.grant('campaign', 'd', 100);
  const taken = Array.from({ length: 9 }, (_, at) =>
    real.reserve(`${at}`, [{ scopeId: 'campaign', day: 'd' }], 20, 0, 'publisher'),
  );
  assert.equal(taken.filter(Boolean).length, 4);
});
