import { withoutPersonalData } from '../../../domain/pii.js';
import { storableText } from '../../../domain/text/storable-json.js';
import { BadEvent, type Fields, isObject } from './read-fields.js';

const members = ['timezone', 'screen', 'viewport', 'platform', 'connection'] as const;
const maxDepth = 4;
const maxItems = 20;

/**
 * What the pixel says about a browser, as JSON text without e-mail addresses; members it never
 * sends are not kept, for they can hold anything.
 */
export function readClientContext(context: Fields): string {
  let kept = '';
  for (const name of members)
    if (context[name] !== undefined) kept += `,"${name}":${cleaned(context[name], maxDepth)}`;
  return `{${kept.slice(1)}}`;
}

const plainName = /^\w{1,50}$/;

function cleaned(value: unknown, levels: number): string {
  if (typeof value === 'string')
    return JSON.stringify(withoutPersonalData(storableText(value, 300)));
  // What came as JSON has no other numbers than can be written so.
  if (typeof value !== 'object' || value === null) return String(value ?? null);
  if (levels === 0) throw new BadEvent('client_context is nested too deeply');
  if (Array.isArray(value))
    return `[${value
      .slice(0, maxItems)
      .map((item) => cleaned(item, levels - 1))
      .join(',')}]`;
  if (!isObject(value)) return '{}';
  let kept = '';
  let count = 0;
  for (const name in value) {
    if (count++ === maxItems) break;
    if (plainName.test(name)) kept += `,"${name}":${cleaned(value[name], levels - 1)}`;
  }
  return `{${kept.slice(1)}}`;
}
