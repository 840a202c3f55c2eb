export interface WebhookCheck {
  /** The body exactly as received: parsing and printing it again breaks the signature. */
  body: string | Uint8Array;
  /** The `Sidelight-Signature` header. */
  signature: string | null | undefined;
  /** Your endpoint's secret, or the new and the old one while it rotates. */
  secret: string | readonly string[];
  /** How old, or how far ahead, a message may be; 300 seconds unless told. */
  toleranceSeconds?: number;
  /** Milliseconds since the epoch; the clock unless told. */
  now?: number;
}

export type WebhookVerdict<T = unknown> =
  | { ok: true; event: T; timestamp: number }
  | {
      ok: false;
      reason:
        | 'missing_signature'
        | 'malformed_signature'
        | 'too_old'
        | 'wrong_signature'
        | 'malformed_body';
    };

/** The header's name, lower case as most frameworks hand it out. */
export const SIGNATURE_HEADER = 'sidelight-signature';

/**
 * Checks that a webhook came from the network, unchanged and recently.
 *
 * @example
 * const verdict = await verifyWebhook({ body: await request.text(), signature:
 * request.headers.get(SIGNATURE_HEADER), secret });
 * if (!verdict.ok) return new Response(verdict.reason, { status: 400 });
 */
export async function verifyWebhook<T = unknown>(check: WebhookCheck): Promise<WebhookVerdict<T>> {
  if (typeof check.signature !== 'string' || check.signature === '')
    return { ok: false, reason: 'missing_signature' };
  const parts = check.signature.split(',').map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const given = parts
    .filter(([name, value]) => name === 'v1' && /^[0-9a-f]{64}$/i.test(value ?? ''))
    .map(([, value]) => bytesOf(value ?? ''));
  if (!/^\d{1,12}$/.test(time) || given.length === 0)
    return { ok: false, reason: 'malformed_signature' };
  const ageSeconds = Math.abs((check.now ?? Date.now()) / 1000 - Number(time));
  const genuine = await anyMatches(
    signedBytes(time, check.body),
    given,
    typeof check.secret === 'string' ? [check.secret] : check.secret,
  );
  if (!genuine) return { ok: false, reason: 'wrong_signature' };
  if (ageSeconds > (check.toleranceSeconds ?? 300)) return { ok: false, reason: 'too_old' };
  try {
    const text = typeof check.body === 'string' ? check.body : new TextDecoder().decode(check.body);
    // the caller names what its endpoint receives
    return { ok: true, event: JSON.parse(text) as T, timestamp: Number(time) };
  } catch {
    return { ok: false, reason: 'malformed_body' };
  }
}

/**
 * The header value for a body, for tests of your own endpoint.
 *
 * @example
 * headers.set(SIGNATURE_HEADER, await signWebhook(body, secret, Math.floor(Date.now() / 1000)));
 */
export async function signWebhook(
  body: string,
  secret: string,
  timestamp: number,
): Promise<string> {
  const signed = new Uint8Array(
    await crypto.subtle.sign('HMAC', await hmacKey(secret), signedBytes(String(timestamp), body)),
  );
  return `t=${timestamp},v1=${Array.from(signed, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * WebCrypto compares in constant time; every pair is tried so that the time does not tell which one
 * matched.
 */
async function anyMatches(
  message: Uint8Array<ArrayBuffer>,
  given: Uint8Array<ArrayBuffer>[],
  secrets: readonly string[],
): Promise<boolean> {
  let matched = false;
  for (const secret of secrets) {
    if (secret === '') continue;
    const key = await hmacKey(secret);
    for (const signature of given)
      matched = (await crypto.subtle.verify('HMAC', key, signature, message)) || matched;
  }
  return matched;
}

function hmacKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  );
}

function signedBytes(time: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${time}.`);
  const rest = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const all = new Uint8Array(head.length + rest.length);
  all.set(head);
  all.set(rest, head.length);
  return all;
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
