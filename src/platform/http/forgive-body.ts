// Many clients send every field they know and null for those they leave out, and some write numbers
// as text. Where a field is optional and knows no null of its own, null means just that; where only
// a number can stand, a text that is one is read as it.

interface Described {
  type?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Described[];
  properties?: Readonly<Record<string, Described>>;
  required?: readonly string[];
  items?: Described;
}

const plainNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** Puts such nulls and numbers right in a body before it is checked. */
export function forgiveBody(schema: object): (data: unknown) => void {
  return (data) => clean(schema, data);
}

function clean(schema: Described, data: unknown): void {
  if (typeof data !== 'object' || data === null) return;
  const { items } = schema;
  if (Array.isArray(data)) {
    if (items === undefined) return;
    for (const [at, each] of data.entries())
      if (isNumberInText(items, each)) data[at] = Number(each);
      else clean(items, each);
    return;
  }
  // Checked above: an object that is no list.
  const members = data as Record<string, unknown>;
  for (const option of schema.anyOf ?? []) if (option.type === 'object') clean(option, data);
  for (const [name, described] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(members, name)) continue;
    const value = members[name];
    if (isNumberInText(described, value)) members[name] = Number(value);
    else if (value !== null) clean(described, value);
    else if (schema.required?.includes(name) !== true && !knowsNull(described))
      delete members[name];
  }
}

function isNumberInText(described: Described, value: unknown): boolean {
  return typeof value === 'string' && isNumber(described) && plainNumber.test(value.trim());
}

/** A number and nothing else, or null. */
function isNumber({ type, anyOf }: Described): boolean {
  const kinds = anyOf === undefined ? [type].flat() : anyOf.flatMap((one) => [one.type].flat());
  const others = kinds.filter((kind) => kind !== 'null');
  return others.length > 0 && others.every((kind) => kind === 'number' || kind === 'integer');
}

function knowsNull({ type, const: only, enum: values, anyOf }: Described): boolean {
  if (anyOf !== undefined) return anyOf.some(knowsNull);
  if (values !== undefined) return values.includes(null);
  return type === undefined ? only === undefined : [type].flat().includes('null');
}
