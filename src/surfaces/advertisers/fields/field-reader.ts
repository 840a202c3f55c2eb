import { countryCodes } from '../../../domain/country-codes.js';
import { fromDollars } from '../../../domain/money.js';
import { unstorablePlaces } from '../../../domain/text/unstorable.js';
import { parseDate } from '../../../domain/time/zone.js';
import { AppError, type FieldProblem } from '../../../platform/errors.js';
import type { Utm } from '../rows.js';

type Place = string | number;

/**
 * Reads fields whose type is already right and collects everything wrong with them, so that one
 * answer names all.
 */
export interface FieldReader {
  /** The same reader one level deeper. */
  at(...place: Place[]): FieldReader;
  refuse(name: Place, message: string, type?: string): void;
  /** Fields only the server sets: present is wrong, whatever the value. */
  refuseManaged(body: object, names: readonly string[]): void;
  url(name: string, value: string): string;
  time(name: string, value: string): Date;
  countries(name: string, values: readonly string[]): string[];
  devices(name: string, values: readonly string[]): string[];
  utm(name: string, value: unknown): Utm;
  money(name: string, value: number): number;
  /** Throws the 422 when anything was refused. */
  done(): void;
}

const devices = new Set(['desktop', 'mobile', 'tablet']);
const utmLimit = 50;
const unstorable = 'Holds characters that cannot be stored';

export function createFieldReader(body: unknown): FieldReader {
  const problems: FieldProblem[] = unstorablePlaces(body).map((place) => ({
    type: 'text',
    loc: ['body', ...place],
    msg: unstorable,
  }));
  return readerAt(['body'], problems);
}

function readerAt(root: readonly Place[], problems: FieldProblem[]): FieldReader {
  const refuse: FieldReader['refuse'] = (name, msg, type = 'value_error') =>
    void problems.push({ type, loc: [...root, name], msg });
  return {
    at: (...place) => readerAt([...root, ...place], problems),
    refuse,
    refuseManaged(body, names) {
      for (const name of names)
        if (Object.hasOwn(body, name)) refuse(name, 'Set by the server', 'not_accepted');
    },
    url(name, value) {
      const text = value.trim();
      if (!isWebAddress(text)) refuse(name, 'Must be an http:// or https:// address', 'url');
      return text;
    },
    time(name, value) {
      const instant = parseTime(value);
      if (instant === null) refuse(name, 'Must be a date and time in ISO 8601', 'datetime');
      return new Date(instant ?? 0);
    },
    countries(name, values) {
      const codes = [...new Set(values.map((value) => value.trim().toUpperCase()))];
      if (codes.some((code) => !countryCodes.has(code)))
        refuse(name, 'Must be ISO 3166-1 alpha-2 country codes', 'country');
      return codes;
    },
    devices(name, values) {
      const kinds = [...new Set(values.map((value) => value.trim().toLowerCase()))];
      if (kinds.some((kind) => !devices.has(kind)))
        refuse(name, 'Must be desktop, mobile or tablet', 'device');
      return kinds;
    },
    utm: (name, value) => readUtm(value, (message) => refuse(name, message, 'utm_params')),
    money(name, value) {
      const micros = fromDollars(value);
      if (value > 0 && micros === 0)
        refuse(name, 'Must be at least a millionth of a dollar', 'too_small');
      return micros;
    },
    done() {
      if (problems.length > 0) throw new AppError('validation_failed', { detail: problems });
    },
  };
}

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return false;
  const { hostname, username, password } = new URL(text);
  return hostname !== '' && username === '' && password === '';
}

/** Epoch milliseconds, or null for what is not a moment of the calendar between 1970 and 2200. */
function parseTime(text: string): number | null {
  const parts =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
      text.trim(),
    );
  if (parts === null) return null;
  const [, date = '', hours = '00', minutes = '00', seconds = '00', offset = 'Z'] = parts;
  const day = parseDate(date);
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds)];
  if (day === null || h > 23 || m > 59 || s > 59) return null;
  const shift = /^([+-])(\d{2}):?(\d{2})$/.exec(offset);
  const shiftMinutes =
    shift === null ? 0 : (Number(shift[2]) * 60 + Number(shift[3])) * (shift[1] === '-' ? -1 : 1);
  if (Math.abs(shiftMinutes) > 14 * 60) return null;
  const instant = day + ((h * 60 + m - shiftMinutes) * 60 + s) * 1000;
  return instant < 0 || instant > 7_258_118_400_000 ? null : instant;
}

/**
 * `{ key, value }`, `[key, value]` or `{ utm_source: value }`: other services take each of them.
 */
function readPair(pair: unknown): readonly [unknown, unknown] {
  if (typeof pair !== 'object' || pair === null) return [undefined, undefined];
  if (Array.isArray(pair)) return pair.length === 2 ? [pair[0], pair[1]] : [undefined, undefined];
  const members = Object.entries(pair);
  const [only] = members;
  if (only !== undefined && members.length === 1 && !/^(?:key|value)$/.test(only[0])) return only;
  const named = new Map<string, unknown>(members);
  return [named.get('key'), named.get('value')];
}

/** Kept in the form it was sent in: an object stays an object, a list a list. */
function readUtm(value: unknown, refuse: (message: string) => void): Utm {
  const pairs: unknown[] = Array.isArray(value)
    ? value
    : Object.entries(value ?? {}).map(([key, member]) => ({ key, value: member }));
  if (pairs.length > utmLimit) refuse(`At most ${utmLimit} parameters`);
  const read = pairs.slice(0, utmLimit).flatMap((pair) => {
    const [key, given] = readPair(pair);
    const isPlain =
      typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean';
    if (
      typeof key === 'string' &&
      key.trim() !== '' &&
      key.length <= 100 &&
      key !== '__proto__' &&
      isPlain &&
      String(given).length <= 500
    )
      return [{ key: key.trim(), value: String(given) }];
    refuse('Must be key/value pairs of text');
    return [];
  });
  return Array.isArray(value)
    ? read
    : Object.fromEntries(read.map((pair) => [pair.key, pair.value]));
}
