import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/**
 * Authenticated encryption of what must be readable again later: leads, tracking keys, connection
 * secrets.
 */
export interface Sealer {
  seal(plain: string, about: string): string;
  /** Throws when the text was changed, sealed under another key, or about something else. */
  open(sealed: string, about: string): string;
}

export function createSealer(masterSecret: string): Sealer {
  const key: KeyObject = createSecretKey(
    createHash('sha256').update(`sidelight.seal:${masterSecret}`).digest(),
  );
  return {
    seal(plain, about) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed, about) {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
        .setAAD(Buffer.from(about))
        .setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}
