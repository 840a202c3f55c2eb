import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createZone } from '../time/zone.js';
import { createBudgetDays } from './budget-day.js';

const ZONES = [
  'UTC',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/Nuuk',
];

test('any instant has one budget day, whatever was asked before', () => {
  const days = createBudgetDays();
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2030, 0, 1) }),
      (tz, instant) => {
        const day = days.at(tz, instant);
        assert.ok(instant >= day.start && instant < day.end);
        assert.equal(day.date, createZone(tz).dateAt(instant));
        assert.equal(day.start, createZone(tz).startOfDay(day.date));
        assert.deepEqual(days.at(tz, day.end - 1), day);
        assert.notEqual(days.at(tz, day.end).date, day.date);
      },
    ),
    { numRuns: 200 },
  );
});

test('the day with the clock change lasts as long as it lasts', () => {
  const days = createBudgetDays();
  const hours = (instant: number) => {
    const { start, end } = days.at('America/New_York', instant);
    return (end - start) / 3_600_000;
  };
  assert.equal(hours(Date.UTC(2026, 2, 8, 12)), 23);
  assert.equal(hours(Date.UTC(2026, 10, 1, 12)), 25);
});

test('a clock set back over midnight does not reopen the day before', () => {
  // In 2010 St. John's went from 00:01 back to 23:01.
  const days = createBudgetDays();
  const opened = createZone('America/St_Johns').startOfDay('2010-11-07');
  assert.equal(days.at('America/St_Johns', opened + 20 * 60_000).date, '2010-11-07');
});
