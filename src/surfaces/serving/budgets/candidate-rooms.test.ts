import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { entry } from '../../../../test/support/auction-entry.js';
import {
  type BillingModel,
  billingModelNames,
  holdOf,
} from '../../../domain/billing/billing-models.js';
import { payingScopes } from '../../../domain/billing/paying-scopes.js';
import { createBudgetDays } from '../../../domain/decision/budget-day.js';
import type { Candidate } from '../../../domain/decision/candidate.js';
import { expectedPrice } from '../../../domain/decision/derive-bid.js';
import { createReservations } from '../../../domain/decision/reservations.js';
import { CandidateRooms } from './candidate-rooms.js';

const noon = Date.UTC(2026, 10, 15, 12);
const days = createBudgetDays();
const candidate = fc
  .record({
    charge: fc.constantFrom<BillingModel>(...billingModelNames),
    adGroupId: fc.constantFrom(null, 'group-1', 'group-2'),
    campaignId: fc.constantFrom('campaign-1', 'campaign-2'),
    timeZone: fc.constantFrom('UTC', 'Asia/Tokyo'),
    prepaid: fc.boolean(),
    amountMicros: fc.constantFrom(1, 50),
  })
  .map(({ charge, amountMicros, ...rest }): Candidate => {
    const usual = entry(0, { charge }).candidate;
    return { ...usual, ...rest, bid: { ...usual.bid, goal: 'impression', amountMicros } };
  });
const scope = fc.constantFrom('campaign-1', 'campaign-2', 'group-1', 'advertiser-0');
const step = fc.record({
  scope,
  day: fc.constantFrom('2026-11-15', '2026-11-14', '1970-01-01'),
  amount: fc.nat(100),
  owner: fc.constantFrom('p', 'q'),
  kind: fc.constantFrom('grant', 'reserve', 'sweep', 'bind'),
});

test('what is left by number is what is left by name, until it says that it must be looked up', () => {
  fc.assert(
    fc.property(
      fc.array(candidate, { minLength: 1, maxLength: 6 }),
      fc.array(step, { maxLength: 40 }),
      (candidates, steps) => {
        const reservations = createReservations({ unshownShare: 0.3 });
        const groupBudgets = { version: 0, bound: new Set(['group-1']), of: bindsOf };
        function bindsOf(this: void, id: string): number | null {
          return groupBudgets.bound.has(id) ? 1 : null;
        }
        const room = (one: Candidate, publisherId: string): number => {
          if (holdOf(one.bid.charge) === 'nothing') return 7;
          const day = days.at(one.timeZone, noon).date;
          const scopes = payingScopes(one, day).filter(
            ({ payer }) =>
              payer === 'campaign' ||
              (payer === 'advertiser' ? one.prepaid : bindsOf(one.adGroupId ?? '') !== null),
          );
          const price = expectedPrice(one.bid);
          return Math.min(
            ...scopes.map(({ scopeId, day: on }) =>
              reservations.roomFor(publisherId, scopeId, on, price),
            ),
          );
        };
        const deps = { days, groupBudgets, reservations, room };
        let rooms = new CandidateRooms(deps, candidates, noon);
        for (const [at, { scope: scopeId, day, amount, owner, kind }] of steps.entries()) {
          if (kind === 'grant') reservations.grant(scopeId, day, amount);
          else if (kind === 'sweep') reservations.sweep('2026-11-16');
          else if (kind === 'reserve')
            reservations.reserve(`${at}`, [{ scopeId, day }], amount >> 3, 1, owner);
          else {
            groupBudgets.bound = new Set([amount > 50 ? 'group-1' : 'group-2']);
            groupBudgets.version += 1;
          }
          if (!rooms.isOf(noon)) rooms = new CandidateRooms(deps, candidates, noon);
          for (const [index, one] of candidates.entries())
            for (const publisher of ['p', 'q'])
              assert.equal(rooms.of(index, publisher, noon), room(one, publisher));
        }
      },
    ),
  );
});

test('rooms are of the days of all their candidates', () => {
  const deps = {
    days,
    groupBudgets: { of: () => null, version: 0 },
    reservations: createReservations(),
    room: () => 0,
  };
  const { candidate: one } = entry(0);
  const rooms = new CandidateRooms(deps, [one, { ...one, timeZone: 'Asia/Tokyo' }], noon);
  // Midnight in Tokyo is 15:00 UTC.
  assert.deepEqual(
    [12, 14, 15, 0].map((hour) => rooms.isOf(Date.UTC(2026, 10, 15, hour))),
    [true, true, false, true],
  );
});
