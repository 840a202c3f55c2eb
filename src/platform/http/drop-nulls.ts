// Many clients send every field they know and null for those they leave out. Where a field is
// optional and knows no null of its own, null means just that.

interface Described {
  type?: unknown;
  default?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Described[];
  properties?: Readonly<Record<string, Described>>;
  required?: readonly string[];
  items?: Described;
}

/** Takes such nulls out of a body before it is checked. */
export function dropNulls(schema: object): (data: unknown) => void {
  return (data) => clean(schema, data);
}

function clean(schema: Described, data: unknown): void {
  if (typeof data !== 'object' || data === null) return;
  const { items } = schema;
  if (Array.isArray(data)) {
    if (items !== undefined) for (const each of data) clean(items, each);
    return;
  }
  // Checked above: an object that is no list.
  const members = data as Record<string, unknown>;
  for (const option of schema.anyOf ?? []) if (option.type === 'object') clean(option, data);
  const { properties } = schema;
  if (properties === undefined) return;
  // By what was sent, which is less than what might have been.
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value !== null && typeof value !== 'object') continue;
    const described = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (described === undefined) continue;
    if (value !== null) clean(described, value);
    else if (mayBeLeftOut(schema, name) && !knowsNull(described)) delete members[name];
  }
}

/** Also what is filled in for who leaves it out. */
function mayBeLeftOut({ required, properties }: Described, name: string): boolean {
  return required?.includes(name) !== true || properties?.[name]?.default !== undefined;
}

function knowsNull({ type, const: only, enum: values, anyOf }: Described): boolean {
  if (anyOf !== undefined) return anyOf.some(knowsNull);
  if (values !== undefined) return values.includes(null);
  return type === undefined ? only === undefined : [type].flat().includes('null');
}
