import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { base32, totpCode, totpStepMs, totpStepOf, totpUri } from './totp.js';

const secret = Buffer.from('12345678901234567890');

describe('codes of an authenticator app', () => {
  it('are those of RFC 6238, appendix B, in six digits', () => {
    for (const [seconds, code] of [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ] as const)
      assert.equal(totpCode(secret, Math.floor(seconds / 30)), code);
  });

  it('are accepted one step early or late, and no further', () => {
    const now = 1_700_000_010_000;
    const step = Math.floor(now / totpStepMs);
    for (const near of [-1, 0, 1])
      assert.equal(totpStepOf(secret, totpCode(secret, step + near), now), step + near);
    for (const far of [-3, -2, 2, 3])
      assert.equal(totpStepOf(secret, totpCode(secret, step + far), now), null);
    for (const odd of ['', '12345', '1234567', 'abcdef', '12 456'])
      assert.equal(totpStepOf(secret, odd, now), null);
  });

  it('come from a secret written in base 32', () => {
    assert.equal(base32(secret), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    assert.equal(base32(Buffer.from('foobar')), 'MZXW6YTBOI');
    assert.equal(
      totpUri(secret, 'Side light', 'a@b.example'),
      `otpauth://totp/Side%20light:a%40b.example?secret=${base32(secret)}&issuer=Side%20light`,
    );
  });
});
