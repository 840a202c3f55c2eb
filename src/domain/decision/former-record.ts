import { uuidFromBytes } from '../uuid.js';
import type { DecisionRecord } from './decision-record.js';

/** Shares are in millionths. What was not reached is missing at the end. */
const fields = [
  'relevance',
  'outcome',
  'ad_id',
  'campaign_id',
  'pctr',
  'pcvr',
  'quality',
  'multiplier',
  'bid_micros',
  'score',
  'placement',
  'price_micros',
  'charge',
  'basis',
  'runner_up_score',
] as const;
const shares: ReadonlySet<string> = new Set(['relevance', 'pctr', 'pcvr', 'quality', 'multiplier']);
const ids: ReadonlySet<string> = new Set(['ad_id', 'campaign_id']);
const words: ReadonlySet<string> = new Set(['outcome', 'charge', 'basis']);

/**
 * What earlier versions kept of a decision among the facts of its request: candidates as one text,
 * before that as rows, at first with names.
 */
export function readFormerRecord(facts: Readonly<Record<string, unknown>>): DecisionRecord {
  const [model, clicksLearned] = Array.isArray(facts['model']) ? facts['model'] : [null, null];
  const reading = facts['reading'];
  return {
    matching: textOf(facts['matching']),
    model: textOf(model),
    clicksLearned: typeof clicksLearned === 'number' ? clicksLearned : null,
    reading: reading === 'unread' ? reading : Array.isArray(reading) ? reading.map(numberOf) : null,
    candidates: candidatesOf(facts['candidates']),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function candidatesOf(rows: unknown): Record<string, unknown>[] {
  if (typeof rows === 'string')
    return rows === '' ? [] : rows.split(';').map((row) => named(readRow(row)));
  if (!Array.isArray(rows)) return [];
  return rows.map((row: unknown) => (Array.isArray(row) ? named(row) : { ...Object(row) }));
}

function readRow(row: string): unknown[] {
  return row.split(',').map((value, at) => {
    const field = fields[at] ?? '';
    if (ids.has(field)) return value === '' ? null : longId(value);
    return words.has(field) ? value : Number.parseInt(value, 36);
  });
}

function longId(id: string): string {
  return id.length === 22 ? uuidFromBytes(Buffer.from(id, 'base64url'), 0) : id;
}

function named(row: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(
    row.slice(0, fields.length).map((value, at) => {
      const field = fields[at] ?? '';
      return [field, shares.has(field) ? Number(value) / 1e6 : value];
    }),
  );
}
