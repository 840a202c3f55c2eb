import { withoutPersonalData } from '../../domain/pii.js';
import { storableText } from '../../domain/text/storable-json.js';
import { BadEvent, type Fields, isObject } from './read-fields.js';

const members = ['timezone', 'screen', 'viewport', 'platform', 'connection'] as const;
const maxDepth = 4;
const maxItems = 20;

/** What the pixel says about a browser, without e-mail addresses; members it never sends are not kept, for they can hold anything. */
export function readClientContext(context: Fields): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of members) if (context[name] !== undefined) kept[name] = cleaned(context[name], maxDepth);
  return kept;
}

function cleaned(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return withoutPersonalData(storableText(value, 300));
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) throw new BadEvent('client_context is nested too deeply');
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => cleaned(item, levels - 1));
  const kept: Record<string, unknown> = {};
  if (!isObject(value)) return kept;
  for (const name of Object.keys(value).slice(0, maxItems)) if (/^\w{1,50}$/.test(name)) kept[name] = cleaned(value[name], levels - 1);
  return kept;
}
