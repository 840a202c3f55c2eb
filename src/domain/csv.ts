// Comma-separated values that a spreadsheet opens without running anything.

export type CsvValue = string | number | boolean | null | undefined;

/**
 * One line with its line end. Text that a spreadsheet would take for a formula gets a leading
 * apostrophe.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

export function csvCell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
