const pair = ['start_date', 'end_date'] as const;

/**
 * A pair of dates overrides `days`: whatever that says then, it is not asked for and cannot be
 * wrong.
 */
export function datePairs(schema: unknown): (query: unknown) => void {
  const isRange = ['days', ...pair].every((name) => hasProperty(schema, name));
  return (query) => {
    if (
      isRange &&
      typeof query === 'object' &&
      query !== null &&
      pair.every((name) => Reflect.has(query, name))
    )
      Reflect.deleteProperty(query, 'days');
  };
}

function hasProperty(schema: unknown, name: string): boolean {
  return (
    typeof schema === 'object' &&
    schema !== null &&
    'properties' in schema &&
    typeof schema.properties === 'object' &&
    schema.properties !== null &&
    name in schema.properties
  );
}
