import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const cost = { N: 32768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost.N);
  return `scrypt$${cost.N}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** Takes as long for an unknown person (`stored` undefined) as for a wrong password. */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
): Promise<boolean> {
  const [, rounds = String(cost.N), salt = '', expected = ''] = (
    stored ?? `scrypt$${cost.N}$AAAAAAAAAAAAAAAAAAAAAA$`
  ).split('$');
  const actual = await derive(password, Buffer.from(salt, 'base64url'), Number(rounds));
  const wanted = Buffer.from(expected, 'base64url');
  return wanted.length === actual.length && timingSafeEqual(wanted, actual);
}

function derive(password: string, salt: Buffer, rounds: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, { ...cost, N: rounds }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
