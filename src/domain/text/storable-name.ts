/**
 * A publisher's own name for somebody, as it is stored and compared: no control characters,
 * bounded.
 */
export function storableName(text: string, limit: number): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is removed
  const printable = text.replace(/[\u0000-\u001f\u007f]/g, '');
  return printable.trim().slice(0, limit).toWellFormed();
}
