import type { EventRecord } from '../../src/platform/events/event.js';
import { localDates } from './random-traffic.js';

export interface SlowSums {
  requests: number;
  wins: number;
  impressions: number;
  viewable: number;
  disclosed: number;
  clicks: number;
  conversions: number;
  viewConversions: number;
  spendMicros: number;
  revenueMicros: number;
  valueMicros: number;
}

/** The report as anyone would count it by hand: event by event, day by day. */
export function countByDay(
  events: readonly EventRecord[],
  tz: string,
  isWanted: (event: EventRecord, date: string) => boolean,
): Map<string, SlowSums> {
  const days = new Map<string, SlowSums>();
  const dateOf = localDates(tz);
  for (const event of events) {
    const date = dateOf(event.at);
    if (event.test === true || !isWanted(event, date)) continue;
    const day = days.get(date) ?? {
      requests: 0,
      wins: 0,
      impressions: 0,
      viewable: 0,
      disclosed: 0,
      clicks: 0,
      conversions: 0,
      viewConversions: 0,
      spendMicros: 0,
      revenueMicros: 0,
      valueMicros: 0,
    };
    days.set(date, day);
    const isCounted = typeof event.invalid !== 'string';
    if (isCounted) count(day, event);
    day.spendMicros += event.spendMicros ?? 0;
    day.revenueMicros += event.revenueMicros ?? 0;
    day.valueMicros += event.valueMicros ?? 0;
  }
  return new Map([...days].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function count(day: SlowSums, event: EventRecord): void {
  const sign = event.kind.endsWith('_reversal') ? -1 : 1;
  switch (event.kind) {
    case 'request':
      day.requests += 1;
      break;
    case 'win':
      day.wins += 1;
      break;
    case 'viewable':
    case 'viewable_reversal':
      day.viewable += sign;
      break;
    case 'disclosed':
      day.disclosed += 1;
      break;
    case 'impression':
    case 'impression_reversal':
      day.impressions += sign;
      break;
    case 'click':
    case 'click_reversal':
      day.clicks += sign;
      break;
    case 'conversion':
    case 'conversion_reversal':
      if (typeof event.attribution === 'string') day.conversions += sign;
      if (event.attribution === 'view') day.viewConversions += sign;
      break;
    default:
      break;
  }
}

/** Six decimals, nothing for nothing. */
export function rounded(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 1e6) / 1e6 : 0;
}
