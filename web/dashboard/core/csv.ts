export type CsvRow = readonly (string | number | boolean | null | undefined)[];

/**
 * RFC 4180. Text a spreadsheet would take for a formula gets an apostrophe, as in the server's own
 * CSV; numbers stay numbers.
 */
export function csvText(rows: readonly CsvRow[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: CsvRow[number]): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
