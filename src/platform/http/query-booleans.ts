const spellings: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/**
 * Reads the boolean parameters of a query schema as clients spell them: Python sends `True`, others
 * `1`. What is none of these stays and is refused.
 */
export function queryBooleans(schema: unknown): (query: unknown) => void {
  const names = booleanNames(schema);
  return (query) => {
    if (typeof query !== 'object' || query === null) return;
    for (const name of names) {
      const value: unknown = Reflect.get(query, name);
      const meant = typeof value === 'string' ? spellings.get(value.toLowerCase()) : undefined;
      if (meant !== undefined) Reflect.set(query, name, meant);
    }
  };
}

function booleanNames(schema: unknown): string[] {
  if (
    typeof schema !== 'object' ||
    schema === null ||
    !('properties' in schema) ||
    typeof schema.properties !== 'object' ||
    schema.properties === null
  )
    return [];
  return Object.entries(schema.properties)
    .filter(([, property]: [string, { type?: unknown } | null]) => property?.type === 'boolean')
    .map(([name]) => name);
}
