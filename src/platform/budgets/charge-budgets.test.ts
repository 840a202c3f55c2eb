import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { payingScopes } from '../../domain/billing/paying-scopes.js';
import type { EventRecord } from '../events/event.js';
import { type Charge, Charges } from './charge-budgets.js';

const anyEvent: fc.Arbitrary<EventRecord> = fc.record({
  id: fc.constant('event'),
  kind: fc.constant('impression' as const),
  at: fc.constant(0),
  campaignId: fc.constantFrom('campaign-1', 'campaign-2'),
  adGroupId: fc.constantFrom(null, 'group-1', 'group-2'),
  advertiserId: fc.constantFrom('advertiser-1', 'advertiser-2'),
  spendMicros: fc.constantFrom(0, 1, 500, 70_000),
  budgetDay: fc.constantFrom('2026-11-17', '2026-11-18'),
  node: fc.constantFrom(null, 1, 2),
  test: fc.constantFrom(false, false, true),
  claimsBudget: fc.constantFrom(false, false, true),
  holds: fc.option(
    fc.record({ campaign: fc.boolean(), adGroup: fc.boolean(), advertiser: fc.boolean() }),
    { nil: undefined },
  ),
});

/** The obvious version: every event by itself, added up by name. */
function oneByOne(events: readonly EventRecord[]): { budgets: string[]; holds: string[] } {
  const sums = { budgets: new Map<string, number[]>(), holds: new Map<string, number[]>() };
  const add = (to: 'budgets' | 'holds', key: string, spent: number, held: number): void => {
    const [before = 0, heldBefore = 0] = sums[to].get(key) ?? [];
    sums[to].set(key, [before + spent, heldBefore + held]);
  };
  for (const event of events) {
    const spend = event.spendMicros ?? 0;
    if (spend === 0 || event.test === true || event.claimsBudget === true) continue;
    for (const { payer, scopeId, day } of payingScopes(event, event.budgetDay)) {
      const isHeld = event.holds?.[payer] === true;
      add('budgets', `${scopeId} ${day}`, spend, isHeld ? spend : 0);
      if (isHeld && event.node != null)
        add('holds', `${event.node} ${scopeId} ${day}`, spend, spend);
    }
  }
  const lines = (of: Map<string, number[]>): string[] =>
    [...of].map(([key, amounts]) => `${key}: ${amounts.join(' ')}`).sort();
  return { budgets: lines(sums.budgets), holds: lines(sums.holds) };
}

const line = (name: string, { spent_micros, held_micros }: Charge): string =>
  `${name}: ${spent_micros} ${held_micros}`;

test('what a batch is charged to is what its events are charged to one by one', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
      const charges = new Charges();
      for (const event of events) charges.add(event);
      assert.deepEqual(
        {
          budgets: charges.budgets.map((row) => line(`${row.scope_id} ${row.day}`, row)).sort(),
          holds: charges.holds
            .map((row) => line(`${row.node} ${row.scope_id} ${row.day}`, row))
            .sort(),
        },
        oneByOne(events),
      );
    }),
    { numRuns: 300 },
  );
});
