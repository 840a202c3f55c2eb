import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../../core/boot.js';
import { today } from '../../core/format.js';
import { t } from '../../core/language.js';
import { useAddress } from '../../core/hooks/use-address.js';
import { Check } from './fields.js';

export interface Range {
  days: number;
  start: string;
  end: string;
  compare: boolean;
}

export function useRange(days = 30): [Range, (change: Partial<Range>) => void] {
  const [said, say] = useAddress({ days: String(days), start: '', end: '', compare: '1' });
  return [
    {
      ...saidRange(said, days),
      compare: said.compare === '1',
    },
    ({ days: chosen, compare, ...dates }) =>
      say({
        ...dates,
        ...(chosen === undefined ? {} : { days: String(chosen) }),
        ...(compare === undefined ? {} : { compare: compare ? '1' : '0' }),
      }),
  ];
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** Addresses are typed and old ones are kept: days that are none are as if they were not said. */
export function saidRange(
  { days, start, end }: { days: string; start: string; end: string },
  usual: number,
): { days: number; start: string; end: string } {
  if (isDay(start) && isDay(end)) return { days: 0, start, end };
  const count = Number(days);
  const isCount = Number.isInteger(count) && count >= 1 && count <= 366;
  return { days: isCount ? count : usual, start: '', end: '' };
}

export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Parameters of the report API for a range. */
export function rangeQuery(
  range: Range,
  zone?: string,
): Record<string, string | number | undefined> {
  const dates =
    range.start !== '' && range.end !== ''
      ? { start_date: range.start, end_date: range.end }
      : { days: range.days };
  return { ...dates, ...(zone === undefined ? {} : { tz: zone }) };
}

export const zones = (): string[] => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set(['UTC', own, ...Intl.supportedValuesOf('timeZone')])];
};

export function RangePicker({
  range,
  onChange,
  choices = [7, 30, 90, 365],
  compare = true,
  zoned = true,
  zone: givenZone,
  onZone,
}: {
  range: Range;
  onChange: (change: Partial<Range>) => void;
  choices?: readonly number[];
  compare?: boolean;
  zoned?: boolean;
  /** Of a page that keeps it in its address; otherwise the one chosen last. */
  zone?: string;
  onZone?: (zone: string) => void;
}): JSX.Element {
  const { zone: ownZone, setZone } = useApp();
  const zone = givenZone ?? ownZone;
  const [choosing, setChoosing] = useState(false);
  const isCustom = range.days === 0;
  return (
    <div class="range" role="group" aria-label={t('Period')}>
      <RangeChoice range={range} onChange={onChange} choices={choices} zone={zone} />
      {isCustom && <CustomDays range={range} onChange={onChange} />}
      {zoned && (
        // Four hundred zones are listed when somebody comes to choose one.
        <ZoneChoice
          zone={zone}
          setChoosing={setChoosing}
          onZone={onZone}
          setZone={setZone}
          choosing={choosing}
        />
      )}
      {compare && (
        <Check
          label={t('Compare')}
          checked={range.compare}
          onChange={(value) => onChange({ compare: value })}
        />
      )}
    </div>
  );
}

function RangeChoice({
  range,
  onChange,
  choices,
  zone,
}: {
  range: Range;
  onChange: (change: Partial<Range>) => void;
  choices: readonly number[];
  zone: string;
}): JSX.Element {
  return (
    <select
      aria-label={t('Range')}
      value={String(range.days)}
      onChange={(event) => {
        const days = Number(event.currentTarget.value);
        const end = today(zone);
        onChange(
          days === 0
            ? {
                days,
                start: new Date(Date.parse(end) - 29 * 86_400_000).toISOString().slice(0, 10),
                end,
              }
            : { days, start: '', end: '' },
        );
      }}
    >
      {choices.map((days) => (
        <option key={days} value={days}>
          {days === 1 ? t('Today') : t('Last {days} days', { days })}
        </option>
      ))}
      <option value="0">{t('Custom…')}</option>
    </select>
  );
}

function CustomDays({
  range,
  onChange,
}: {
  range: Range;
  onChange: (change: Partial<Range>) => void;
}): JSX.Element {
  return (
    <>
      <input
        type="date"
        aria-label={t('First day')}
        value={range.start}
        max={range.end}
        onChange={({ currentTarget: { value } }) => value !== '' && onChange({ start: value })}
      />
      <input
        type="date"
        aria-label={t('Last day')}
        value={range.end}
        min={range.start}
        onChange={({ currentTarget: { value } }) => value !== '' && onChange({ end: value })}
      />
    </>
  );
}

function ZoneChoice({
  zone,
  setChoosing,
  onZone,
  setZone,
  choosing,
}: {
  zone: string;
  setChoosing: (value: boolean) => void;
  onZone: ((zone: string) => void) | undefined;
  setZone: (zone: string) => void;
  choosing: boolean;
}): JSX.Element {
  return (
    <select
      aria-label={t('Time zone')}
      value={zone}
      onFocus={() => setChoosing(true)}
      onPointerDown={() => setChoosing(true)}
      onChange={(event) => (onZone ?? setZone)(event.currentTarget.value)}
    >
      {(choosing ? zones() : [...new Set([zone, 'UTC'])]).map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
