import { createHash } from 'node:crypto';
import { fieldError } from '../../platform/errors.js';
import type { StoredSearch } from './queries.js';
import type { ToolSearch } from './schema.js';

const sha256Shape = /^[0-9a-f]{64}$/i;
const metadataBytes = 8192;

/**
 * What is kept beside a search, for attribution only. Nothing that could be a person's id or
 * address is stored as it came.
 */
export function attributionOf(
  body: ToolSearch,
): Pick<StoredSearch, 'sessionId' | 'userHash' | 'emailHash' | 'metadata'> {
  const metadata = body.metadata == null ? null : cleaned(body.metadata);
  if (Buffer.byteLength(JSON.stringify(metadata)) > metadataBytes)
    throw fieldError(['body', 'metadata'], `At most ${metadataBytes} bytes`, 'too_long');
  const email = body.hashed_email ?? body.email_hash ?? null;
  return {
    sessionId: body.external_session_id == null ? null : storable(body.external_session_id),
    userHash:
      body.external_user_id_hash == null
        ? body.external_user_id == null
          ? null
          : sha256(body.external_user_id)
        : hashed(body.external_user_id_hash, (value) => value),
    emailHash: email === null ? null : hashed(email, (value) => value.trim().toLowerCase()),
    metadata,
  };
}

/** A hash as it is; anything else is hashed, because it may be the thing itself. */
function hashed(value: string, normalise: (value: string) => string): string {
  return sha256Shape.test(value.trim()) ? value.trim().toLowerCase() : sha256(normalise(value));
}

function sha256(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

function cleaned(object: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [storable(name), cleanedValue(value)]),
  );
}

function cleanedValue(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(cleanedValue);
  return typeof value === 'object' && value !== null ? cleaned(value) : value;
}

/** PostgreSQL knows no zero character and no half of a surrogate pair. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
