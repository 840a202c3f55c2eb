import { storableText } from '../../../domain/text/storable-json.js';

/** Why an event is refused. Names the field, never its value. */
export class BadEvent extends Error {}

export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(fields: Fields, name: string): Fields | null {
  const value = fields[name];
  if (value === undefined || value === null) return null;
  if (!isObject(value)) throw new BadEvent(`${name} must be an object`);
  return value;
}

export function requiredText(fields: Fields, name: string, limit: number): string {
  const value = fields[name];
  if (value === undefined || value === null) throw new BadEvent(`${name} is required`);
  if (typeof value !== 'string') throw new BadEvent(`${name} must be a text`);
  if (value.length > limit) throw new BadEvent(`${name} is longer than ${limit} characters`);
  const text = storableText(value, limit).trim();
  if (text === '') throw new BadEvent(`${name} is required`);
  return text;
}

export function optionalText(
  fields: Fields,
  name: string,
  limit: number,
  prefix = '',
): string | null {
  const value = fields[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw new BadEvent(`${prefix}${name} must be a text`);
  const text = storableText(value, limit).trim();
  return text === '' ? null : text;
}

export function optionalNumber(fields: Fields, name: string): number | null {
  const value = fields[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new BadEvent(`custom_data.${name} must be a number`);
  return value;
}
