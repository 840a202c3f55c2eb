import { randomBytes } from 'node:crypto';
import { base32, totpStepOf } from '../../../domain/totp.js';
import { hashSecret } from '../../../platform/auth/api-key.js';
import type { Db } from '../../../platform/db/db.js';
import type { Sealer } from '../../../platform/secrets/sealer.js';
import {
  type Person,
  replaceRecoveryCodes,
  useRecoveryCode,
  useTotpStep,
} from './person-queries.js';

export type Factor = 'authenticator' | 'recovery code';

const recoveryCount = 10;
const aboutTotp = (personId: string): string => `totp:${personId}`;

export const sealTotp = (sealer: Sealer, personId: string, secret: Buffer): string =>
  sealer.seal(secret.toString('base64url'), aboutTotp(personId));

/** Which factor a code proves, used up with it; null when it proves none. */
export async function acceptCode(
  { tx, sealer, now }: { tx: Db; sealer: Sealer; now: number },
  person: Pick<Person, 'id' | 'totpSealed'>,
  given: string,
): Promise<Factor | null> {
  if (person.totpSealed === null) return null;
  const code = given.replaceAll(/[\s-]/g, '').toUpperCase();
  const secret = Buffer.from(sealer.open(person.totpSealed, aboutTotp(person.id)), 'base64url');
  const step = totpStepOf(secret, code, now);
  if (step !== null) return (await useTotpStep(tx, person.id, step)) ? 'authenticator' : null;
  const isSpare = await useRecoveryCode(tx, person.id, hashSecret(code), new Date(now));
  return isSpare ? 'recovery code' : null;
}

/** Ten codes of 80 random bits, shown once and kept as hashes; those before them stop. */
export async function renewRecoveryCodes(tx: Db, personId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCount }, () => base32(randomBytes(10)));
  await replaceRecoveryCodes(tx, personId, codes.map(hashSecret));
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'));
}
