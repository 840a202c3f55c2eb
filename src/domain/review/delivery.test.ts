import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DeliveryFacts, deliveryOf } from './delivery.js';

const now = Date.parse('2026-05-01T12:00:00Z');
const facts: DeliveryFacts = {
  status: 'active',
  isActive: true,
  isArchived: false,
  reviewStatus: 'approved',
  showsApproved: false,
  submittedAt: now - 1000,
  reviewedAt: now - 500,
  reviewNotes: null,
  startsAt: now - 10_000,
  endsAt: null,
  dailyBudgetMicros: 5_000_000,
  spentTodayMicros: 0,
  isPausedForBilling: false,
  canPay: true,
  isBlocked: false,
  hasAds: true,
};

describe('the delivery of a campaign', () => {
  const cases: [Partial<DeliveryFacts>, string][] = [
    [{}, 'showing live'],
    [{ isArchived: true, isBlocked: true }, 'archived archived'],
    [{ isBlocked: true }, 'not_showing account_blocked'],
    [{ status: 'draft', reviewStatus: 'not_submitted' }, 'draft not_submitted'],
    [{ status: 'paused' }, 'paused paused'],
    [{ status: 'paused', isPausedForBilling: true }, 'paused paused_for_billing'],
    [{ isActive: false }, 'not_showing switched_off'],
    [{ endsAt: now }, 'ended ended'],
    [{ startsAt: now + 1 }, 'scheduled not_started'],
    [{ startsAt: now + 1, reviewStatus: 'pending_review' }, 'not_showing in_review'],
    [{ reviewStatus: 'pending_review' }, 'not_showing in_review'],
    [{ reviewStatus: 'rejected', reviewNotes: 'Blurry.' }, 'not_showing rejected'],
    [{ canPay: false }, 'not_showing no_credit'],
    [{ hasAds: false }, 'not_showing no_ads'],
    [{ spentTodayMicros: 5_000_000 }, 'not_showing daily_budget_spent'],
    [{ reviewStatus: 'pending_review', showsApproved: true }, 'showing edit_in_review'],
    [{ reviewStatus: 'rejected', showsApproved: true }, 'showing edit_rejected'],
    [{ reviewStatus: 'rejected', showsApproved: true, canPay: false }, 'not_showing no_credit'],
  ];

  for (const [change, expected] of cases)
    it(`is ${expected} with ${JSON.stringify(change)}`, () => {
      const { status, reason, message } = deliveryOf({ ...facts, ...change }, now);
      assert.equal(`${status} ${reason}`, expected);
      assert.match(message, /\.$/);
    });
});
