import { isUuid, uuidFromBytes, uuidToBytes } from './uuid.js';

/** The click id as it travels in links: the id of the served ad, in 22 URL-safe characters. */
export function grclidOf(serveId: string): string {
  const bytes = new Uint8Array(16);
  uuidToBytes(serveId, bytes, 0);
  return Buffer.from(bytes).toString('base64url');
}

/** The id behind a click id, or null when the text is not one. Accepts the plain UUID too. */
export function serveIdOf(grclid: unknown): string | null {
  if (isUuid(grclid)) return grclid.toLowerCase();
  if (typeof grclid !== 'string' || !/^[A-Za-z0-9_-]{22}$/.test(grclid)) return null;
  const bytes = Buffer.from(grclid, 'base64url');
  // Only one spelling of each id is ours.
  return bytes.length === 16 && bytes.toString('base64url') === grclid
    ? uuidFromBytes(bytes, 0)
    : null;
}
