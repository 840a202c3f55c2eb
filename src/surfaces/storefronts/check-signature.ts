import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether one of the secrets signed these bytes. Every secret is tried, and takes the same time
 * right or wrong.
 */
export function isSigned(body: Buffer, signature: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(signature, 'base64');
  let signed = false;
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(body).digest();
    if (given.length === expected.length && timingSafeEqual(given, expected)) signed = true;
  }
  return signed;
}
