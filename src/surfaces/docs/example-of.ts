// Examples of what goes in and comes out, made from the schemas the server validates with, so that
// no route is without one and none is ever out of date.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  default?: unknown;
  /** Why an edit does not take the field. */
  'x-fixed'?: string;
}

export type FindSchema = (reference: string) => Schema | undefined;

const id = '0193e8a4-7c1e-7f22-9c1b-0a4d5e6f7a8b';
const moment = '2026-11-15T09:30:00';

/** Name of a field, by how it ends → what people put there. The longest ending counts. */
const texts: readonly (readonly [ending: string, value: string])[] = [
  ['content', 'My flight got cancelled and I am stuck at the airport'],
  ['query', 'waterproof hiking boots'],
  ['sessionid', 'session-42'],
  ['session_id', 'gr_sess_4f1c2a'],
  ['placement_id', 'answer-1'],
  ['placementid', 'answer-1'],
  ['event_name', 'Purchase'],
  ['event_type', 'Purchase'],
  ['event_id', 'order-1042'],
  ['order_id', '1042'],
  ['user_id', 'user-7'],
  ['userid', 'user-7'],
  ['visitor_id', 'gr_vis_9b2d'],
  ['email', 'ada@shop.example'],
  ['password', 'four words in row'],
  ['landing_page', 'https://shop.example/offer'],
  ['url', 'https://shop.example/offer'],
  ['domain', 'shop.example'],
  ['currency', 'USD'],
  ['country', 'US'],
  ['country_code', 'US'],
  ['time_zone', 'Europe/Berlin'],
  ['tz', 'Europe/Berlin'],
  ['date', '2026-11-15'],
  ['day', '2026-11-15'],
  ['_at', moment],
  ['at', moment],
  ['time', moment],
  ['since', moment],
  ['detail', 'not_found'],
  ['name', 'Trip protection'],
  ['brandname', 'Wanderwell'],
  ['brand_name', 'Wanderwell'],
  ['title', 'Travel cover in two minutes'],
  ['headline', 'Travel cover in two minutes'],
  ['adtext', 'Trip delay, medical and baggage in one plan, priced by the day.'],
  ['copy', 'Trip delay, medical and baggage in one plan, priced by the day.'],
  ['context', 'People whose flight was cancelled and who want cover for the next trip'],
  ['cta', 'See plans'],
  ['reason', 'Shown on a page that was never open'],
  ['api_key', 'sk_live_…'],
  ['token', 'eyJ…'],
  ['status', 'active'],
  ['device', 'mobile'],
  ['version', '1'],
  ['id', id],
];

const numbers: readonly (readonly [ending: string, value: number])[] = [
  ['daily_budget', 50],
  ['max_cpm', 8],
  ['max_cpc', 1.5],
  ['max_cpa', 30],
  ['price', 129.9],
  ['value', 129.9],
  ['spend', 182.4],
  ['revenue', 127.68],
  ['impressions', 48_210],
  ['clicks', 626],
  ['conversions', 19],
  ['requests', 71_904],
  ['ctr', 1.3],
  ['cpc', 0.29],
  ['cpm', 3.78],
  ['roas', 3.4],
  ['rate', 0.62],
  ['relevance', 0.71],
  ['event_time', 1_763_199_000],
  ['limit', 20],
  ['offset', 0],
  ['days', 30],
  ['page', 1],
];

function byEnding<Value>(
  table: readonly (readonly [string, Value])[],
  name: string,
): Value | undefined {
  const wanted = name.toLowerCase();
  let best: readonly [string, Value] | undefined;
  for (const entry of table)
    if (wanted.endsWith(entry[0]) && entry[0].length > (best?.[0].length ?? 0)) best = entry;
  return best?.[1];
}

/**
 * What a field of this name could hold. Of what goes in, only what must be there, or the first few
 * fields where nothing must.
 */
export function exampleOf(
  schema: Schema,
  find: FindSchema,
  options: { name?: string; side: 'request' | 'answer'; depth?: number } = { side: 'answer' },
): unknown {
  const { name = '', side, depth = 0 } = options;
  if (schema.$ref !== undefined) {
    const found = find(schema.$ref);
    return found === undefined || depth > 8
      ? {}
      : exampleOf(found, find, { name, side, depth: depth + 1 });
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) {
    const chosen = schema.anyOf.find((one) => one.type !== 'null') ?? schema.anyOf[0] ?? {};
    return exampleOf(chosen, find, { name, side, depth });
  }
  if (schema.default !== undefined && side === 'request') return schema.default;
  const type = [schema.type ?? 'any'].flat().find((one) => one !== 'null') ?? 'null';
  switch (type) {
    case 'object':
      return exampleObject(schema, find, { side, depth });
    case 'array':
      return depth > 8 && (schema.minItems ?? 0) === 0
        ? []
        : Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () =>
            exampleOf(schema.items ?? {}, find, { name, side, depth: depth + 1 }),
          );
    case 'integer':
      return Math.round(exampleNumber(schema, name));
    case 'number':
      return exampleNumber(schema, name);
    case 'boolean':
      return !/^(is_archived|test|opt_out|reversed)/.test(name);
    case 'string':
      return exampleText(schema, name);
    case 'null':
      return null;
    default:
      return {};
  }
}

function exampleObject(
  schema: Schema,
  find: FindSchema,
  { side, depth }: { side: 'request' | 'answer'; depth: number },
): Record<string, unknown> {
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([, field]) => field['x-fixed'] === undefined,
  );
  const required = new Set(schema.required ?? []);
  const shown =
    side === 'answer'
      ? fields
      : required.size > 0
        ? fields.filter(([name]) => required.has(name))
        : fields.slice(0, 3);
  const inside = depth + 1;
  const made = shown
    .filter(([name]) => inside < 8 || required.has(name))
    .map(([name, field]) => [name, exampleOf(field, find, { name, side, depth: inside })] as const);
  const { additionalProperties: more } = schema;
  if (made.length === 0 && typeof more === 'object')
    return {
      [more.type === 'object' ? id : 'Purchase']: exampleOf(more, find, { side, depth: inside }),
    };
  return Object.fromEntries(made);
}

function exampleNumber(schema: Schema, name: string): number {
  const value = byEnding(numbers, name) ?? 1;
  const least = schema.minimum ?? schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY;
  return Math.min(Math.max(value, least), schema.maximum ?? Number.POSITIVE_INFINITY);
}

/** What the few patterns of the schemas ask for. */
const patterned: readonly (readonly [part: string, value: string])[] = [
  ['\\d{4}-', '2026-11-15'],
  ['^https', 'https://shop.example/hook'],
  ['^/app/', '/app/advertiser/reports?by=country'],
  ['{36}', id],
  ['{3}$', 'USD'],
  ['{0,63}', 'Purchase'],
];

function exampleText(schema: Schema, name: string): string {
  const { pattern } = schema;
  const asked = patterned.find(([part]) => pattern?.includes(part) === true)?.[1];
  const text = asked ?? byEnding(texts, name) ?? (name === '' ? 'text' : name.replaceAll('_', ' '));
  const short = text.slice(0, schema.maxLength ?? text.length);
  return short.padEnd(schema.minLength ?? 0, 'x');
}
