const HASHED = /^[0-9a-f]{64}$/i;

/** SHA-256 of a text as lower-case hex. */
export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Lower case, no surrounding space. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Digits only, without a leading 00: "+49 (30) 123" and "004930123" are the same phone. */
export function normalizePhone(phone: string): string {
  return phone.replace(/\D/g, '').replace(/^00/, '');
}

/** Lower case, composed, no surrounding space. */
export function normalizeName(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

/** Each hash leaves a value alone that is hashed already. */
export const hashEmail = (email: string): Promise<string> => hashed(email, normalizeEmail);
export const hashPhone = (phone: string): Promise<string> => hashed(phone, normalizePhone);
export const hashName = (name: string): Promise<string> => hashed(name, normalizeName);

async function hashed(value: string, normalize: (value: string) => string): Promise<string> {
  return HASHED.test(value) ? value.toLowerCase() : sha256Hex(normalize(value));
}
