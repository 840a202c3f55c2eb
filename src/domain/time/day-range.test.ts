import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayIndex, dayRange, DayRangeError } from './day-range.js';
import { createZone, formatDate, isValidZone, parseDate } from './zone.js';
import { dayMs } from './utc-day.js';

const HOUR = 3_600_000;
const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'America/St_Johns',
  'America/Havana',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Tehran',
  'Asia/Gaza',
  'America/Nuuk',
  'America/Asuncion',
  'America/Santiago',
  'Pacific/Kiritimati',
  'Pacific/Kwajalein',
  'Pacific/Pago_Pago',
  'Etc/GMT+12',
  'Antarctica/Troll',
  'Atlantic/Azores',
  'America/Caracas',
  'Asia/Pyongyang',
  'Europe/Istanbul',
  'America/Scoresbysund',
  'Asia/Amman',
];

/** The obvious version: walk the minutes until Intl says the date has come. */
function scannedStart(date: string, tz: string): number {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: tz,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const midnight = Date.parse(`${date}T00:00:00Z`);
  for (let instant = midnight - 15 * HOUR; instant <= midnight + 38 * HOUR; instant += 60_000) {
    if (format.format(instant) >= date) return instant;
  }
  throw new Error(`no start of ${date} in ${tz}`);
}

function lengths(start: string, end: string, tz: string): number[] {
  const { boundaries } = dayRange({ start, end }, tz, 0);
  return boundaries.slice(1).map((boundary, i) => (boundary - (boundaries[i] ?? NaN)) / HOUR);
}

test('day boundaries agree with a minute scan in many zones', () => {
  const day = fc
    .integer({ min: Date.UTC(1975, 0, 1) / dayMs, max: Date.UTC(2035, 0, 1) / dayMs })
    .map((n) => formatDate(n * dayMs));
  fc.assert(
    fc.property(day, fc.constantFrom(...ZONES), (date, tz) => {
      assert.equal(createZone(tz).startOfDay(date), scannedStart(date, tz), `${date} ${tz}`);
    }),
    { numRuns: 120 },
  );
});

test('boundaries next to every clock change since 1980 agree with a minute scan', () => {
  for (const tz of ZONES) {
    const zone = createZone(tz);
    const changes: number[] = [];
    for (
      let at = Date.UTC(1980, 0, 1), last = zone.offsetAt(at);
      at < Date.UTC(2030, 0, 1);
      at += dayMs
    ) {
      const offset = zone.offsetAt(at);
      if (offset !== last) changes.push(at);
      last = offset;
    }
    // A few per zone: each scan walks three thousand minutes.
    const step = Math.max(1, Math.floor(changes.length / 3));
    for (let i = changes.length - 1; i >= 0; i -= step) {
      for (const near of [-1, 0]) {
        const date = formatDate((changes[i] ?? 0) + near * dayMs);
        assert.equal(zone.startOfDay(date), scannedStart(date, tz), `${date} ${tz}`);
      }
    }
  }
});

test('days that the clock change makes 23 or 25 hours long are exactly that long', () => {
  assert.deepEqual(lengths('2026-03-07', '2026-03-09', 'America/New_York'), [24, 23, 24]);
  assert.deepEqual(lengths('2026-10-31', '2026-11-02', 'America/New_York'), [24, 25, 24]);
  assert.deepEqual(lengths('2026-03-28', '2026-03-30', 'Europe/Berlin'), [24, 23, 24]);
  assert.deepEqual(lengths('2026-10-24', '2026-10-26', 'Europe/Berlin'), [24, 25, 24]);
  assert.deepEqual(lengths('2026-04-04', '2026-04-06', 'Australia/Lord_Howe'), [24, 24.5, 24]);
});

test('zones at half and quarter hours start their days there', () => {
  assert.equal(
    dayRange({ start: '2026-11-15', end: '2026-11-15' }, 'Asia/Kolkata', 0).boundaries[0],
    Date.UTC(2026, 10, 14, 18, 30),
  );
  assert.equal(
    dayRange({ start: '2026-11-15', end: '2026-11-15' }, 'Asia/Kathmandu', 0).boundaries[0],
    Date.UTC(2026, 10, 14, 18, 15),
  );
});

test('a day without a midnight starts when the clock resumes', () => {
  const range = dayRange({ start: '2018-11-03', end: '2018-11-05' }, 'America/Sao_Paulo', 0);
  assert.deepEqual(
    range.boundaries,
    [3, 3, 2, 2].map((hour, i) => Date.UTC(2018, 10, 3 + i, hour)),
  );
  assert.deepEqual(lengths('2018-02-17', '2018-02-17', 'America/Sao_Paulo'), [25]);
});

test('a day the zone skipped is there and empty', () => {
  const range = dayRange({ start: '2011-12-29', end: '2011-12-31' }, 'Pacific/Apia', 0);
  assert.deepEqual(range.dates, ['2011-12-29', '2011-12-30', '2011-12-31']);
  assert.deepEqual(lengths('2011-12-29', '2011-12-31', 'Pacific/Apia'), [24, 0, 24]);
  assert.equal(dayIndex(range.boundaries, range.boundaries[1] ?? 0), 2);
});

test('days counted back end today in the zone', () => {
  const now = Date.UTC(2026, 10, 15, 9, 30);
  assert.deepEqual(dayRange({ days: 2 }, 'UTC', now).dates, ['2026-11-14', '2026-11-15']);
  assert.equal(
    dayRange({ days: 1 }, 'Pacific/Kiritimati', Date.UTC(2026, 10, 15, 10)).startDate,
    '2026-11-16',
  );
  assert.equal(dayRange({ days: 1 }, 'Pacific/Pago_Pago', now).endDate, '2026-11-14');
  assert.equal(dayRange({ days: 3650 }, 'America/New_York', now).dates.length, 3650);
});

test('every instant of a range falls into exactly one day, and its local date is that day', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES.filter((tz) => tz !== 'America/St_Johns')),
      fc.integer({ min: 1, max: 400 }),
      fc.double({ min: 0, max: 0.999999, noNaN: true }),
      (tz, days, at) => {
        const { boundaries, dates } = dayRange({ days }, tz, Date.UTC(2026, 10, 15, 9, 30));
        const first = boundaries[0] ?? 0;
        const end = boundaries.at(-1) ?? 0;
        const instant = Math.floor(first + at * (end - first));
        assert.equal(dates[dayIndex(boundaries, instant)], createZone(tz).dateAt(instant));
        assert.equal(dayIndex(boundaries, first - 1), -1);
        assert.equal(dayIndex(boundaries, end), -1);
      },
    ),
    { numRuns: 60 },
  );
});

test('a range that makes no sense is refused with the reason', () => {
  const problem = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      return error instanceof DayRangeError ? error.problem : error;
    }
    return null;
  };
  assert.equal(
    problem(() => dayRange({ days: 0 }, 'UTC', 0)),
    'bad_days',
  );
  assert.equal(
    problem(() => dayRange({ days: 1.5 }, 'UTC', 0)),
    'bad_days',
  );
  assert.equal(
    problem(() => dayRange({ days: 4000 }, 'UTC', Date.UTC(2026, 0, 1))),
    'too_long',
  );
  assert.equal(
    problem(() => dayRange({ start: '2026-02-29', end: '2026-03-01' }, 'UTC', 0)),
    'bad_date',
  );
  assert.equal(
    problem(() => dayRange({ start: '2026-03-02', end: '2026-03-01' }, 'UTC', 0)),
    'end_before_start',
  );
  assert.equal(
    problem(() => dayRange({ start: '9999-12-31', end: '9999-12-31' }, 'UTC', 0)),
    'bad_end',
  );
  assert.equal(
    problem(() => dayRange({ days: 1 }, 'Mars/Base', 0)),
    'bad_zone',
  );
});

test('only named zones are zones', () => {
  for (const good of [...ZONES, 'EST5EDT', 'europe/berlin']) assert.ok(isValidZone(good), good);
  for (const bad of [
    '',
    '+05:30',
    '-03:00',
    'Nope',
    'America/',
    ' UTC',
    'UTC\n',
    5,
    null,
    undefined,
    'x'.repeat(100),
  ])
    assert.ok(!isValidZone(bad), String(bad));
});

test('only real dates are dates', () => {
  assert.equal(parseDate('2024-02-29'), Date.UTC(2024, 1, 29));
  for (const bad of [
    '2023-02-29',
    '2023-13-01',
    '2023-1-1',
    '20230101',
    '2023-00-10',
    '0001-01-01',
    '',
  ])
    assert.equal(parseDate(bad), null, bad);
});
