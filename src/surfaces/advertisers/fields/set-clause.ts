const jsonColumns = new Set([
  'demographics',
  'utm_params',
  'lead_form_config',
  'brand_safety',
  'frequency_cap',
]);

export interface SetPart {
  name: string;
  value: string;
}

/**
 * Column names come from our own types, never from a request; values are parameters after the first
 * `taken`.
 */
export function setClause(columns: object, taken: number): { sql: SetPart[]; values: unknown[] } {
  const sql: SetPart[] = [];
  const values: unknown[] = [];
  for (const [name, value] of Object.entries(columns)) {
    if (!/^[a-z_]+$/.test(name)) throw new Error('not a column name');
    const isJson = jsonColumns.has(name);
    values.push(isJson && value !== null ? JSON.stringify(value) : value);
    sql.push({ name, value: `$${taken + values.length}${isJson ? '::jsonb' : ''}` });
  }
  return { sql, values };
}
