/** One spelling for one mailbox, and nothing a database cannot hold. */
export function cleanEmail(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed().trim().toLowerCase();
}

/** Only that it can be one: whether somebody reads it, the mail itself finds out. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || at === text.length - 1 || text.length > 320) return false;
  return [...text].every((sign) => sign > ' ' && !'<>,;"\\()'.includes(sign));
}
