import { nameMeant } from '../../domain/text/name-meant.js';
import type { AjvProblem } from './validation-problems.js';

/**
 * Fields nobody knows are ignored: clients send more than we ask for. One whose name is nearly that
 * of a field would be ignored just the same, and who sent it would believe that it was applied.
 */
interface Described {
  type?: unknown;
  anyOf?: readonly Described[];
  allOf?: readonly Described[];
  properties?: Readonly<Record<string, Described>>;
  additionalProperties?: unknown;
  patternProperties?: unknown;
  items?: Described | readonly Described[];
}

/** Comparing names costs time; a body of thousands of unknown ones is looked at this far. */
const mostCompared = 100;

/** Every name of a field in these schemas. Sent elsewhere by mistake, they are no slips. */
export function namesIn(schemas: Iterable<unknown>, into = new Set<string>()): Set<string> {
  for (const schema of schemas) {
    if (typeof schema !== 'object' || schema === null) continue;
    // What surfaces describe their bodies and answers with; other members are not looked at.
    const { properties, anyOf, allOf, items } = schema as Described;
    for (const name of Object.keys(properties ?? {})) into.add(name);
    namesIn(Object.values(properties ?? {}), into);
    namesIn([anyOf ?? [], allOf ?? [], items ?? []].flat(), into);
  }
  return into;
}

/** Finds names in a body that are nearly one of its schema, told as the validator tells problems. */
export function slipFinder(
  schema: object,
  isName: (name: string) => boolean,
): (data: unknown) => AjvProblem[] {
  return (data) => {
    const found: AjvProblem[] = [];
    look(schema, data, '', { found, isName, left: mostCompared });
    return found;
  };
}

interface Search {
  readonly found: AjvProblem[];
  readonly isName: (name: string) => boolean;
  left: number;
}

function look(schema: Described, data: unknown, path: string, search: Search): void {
  if (typeof data !== 'object' || data === null || search.left === 0) return;
  const shapes = shapesOf(schema);
  if (Array.isArray(data)) {
    const [items] = shapes.flatMap((shape) => shape.items ?? []);
    if (items !== undefined) data.forEach((each, at) => look(items, each, `${path}/${at}`, search));
    return;
  }
  const objects = shapes.filter(({ type }) => [type].flat().includes('object'));
  const known: Record<string, Described> = Object.assign(
    Object.create(null),
    ...objects.map(({ properties }) => properties ?? {}),
  );
  const isClosed = objects.length > 0 && !objects.some(isOpen);
  for (const [name, value] of Object.entries(data)) {
    const inner = known[name];
    const place = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (inner !== undefined) look(inner, value, place, search);
    else if (isClosed) compare(name, place, { known: Object.keys(known), data, search });
  }
}

function compare(
  name: string,
  instancePath: string,
  { known, data, search }: { known: readonly string[]; data: object; search: Search },
): void {
  if (search.left === 0 || search.isName(name)) return;
  search.left -= 1;
  const meant = nameMeant(name, known);
  // Who sends a field under two spellings, one of them ours, has said what was meant.
  if (meant === null || Object.hasOwn(data, meant)) return;
  const message = `Unknown field; did you mean ${meant}?`;
  search.found.push({ keyword: 'not_accepted', instancePath, schemaPath: '', params: {}, message });
}

/** What a value may look like: each alternative, however deep the unions are. */
function shapesOf(schema: Described): Described[] {
  const more = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  return more.length === 0 ? [schema] : more.flatMap(shapesOf);
}

/** Takes any name. */
function isOpen(shape: Described): boolean {
  return (
    shape.properties === undefined ||
    shape.additionalProperties === true ||
    shape.patternProperties !== undefined
  );
}

/** An operator's edit of nothing it knows, refused with the names it does. */
export function editsNothing(schema: Described, data: unknown): AjvProblem[] {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return [];
  const { properties = {} } = schema;
  const sent = Object.keys(data);
  if (sent.length === 0 || sent.some((name) => Object.hasOwn(properties, name))) return [];
  const message = `Unknown field; known are ${changeable(properties).join(', ')}`;
  return sent.slice(0, mostCompared).map((name) => ({
    keyword: 'not_accepted',
    instancePath: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    schemaPath: '',
    params: {},
    message,
  }));
}

/** Those that are known only to be refused are no advice. */
function changeable(properties: Readonly<Record<string, object>>): string[] {
  return Object.keys(properties).filter((name) => !('x-fixed' in (properties[name] ?? {})));
}
