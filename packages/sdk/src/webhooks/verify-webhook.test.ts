import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { signWebhook, verifyWebhook } from './verify-webhook.js';

const body = '{"type":"campaign.approved","n":"ü"}';
const now = 1_790_000_000_000;
const time = now / 1000;
const header = (secret: string, at = time) =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;

test('a genuine recent message is read', async () => {
  assert.deepEqual(await verifyWebhook({ body, signature: header('s'), secret: 's', now }), {
    ok: true,
    event: { type: 'campaign.approved', n: 'ü' },
    timestamp: time,
  });
  assert.equal(await signWebhook(body, 's', time), header('s'));
  assert.equal(
    (
      await verifyWebhook({
        body: new TextEncoder().encode(body),
        signature: header('s'),
        secret: 's',
        now,
      })
    ).ok,
    true,
  );
});

test('either secret opens a message while secrets rotate, and either signature may match', async () => {
  assert.equal(
    (await verifyWebhook({ body, signature: header('old'), secret: ['new', 'old'], now })).ok,
    true,
  );
  assert.equal(
    (
      await verifyWebhook({
        body,
        signature: `${header('x')},${header('new').split(',')[1]}`,
        secret: 'new',
        now,
      })
    ).ok,
    true,
  );
});

test('a changed body, another secret, an old or future message and a broken header are refused with the reason', async () => {
  const reason = async (check: Partial<Parameters<typeof verifyWebhook>[0]>) => {
    const verdict = await verifyWebhook({
      body,
      signature: header('s'),
      secret: 's',
      now,
      ...check,
    });
    return verdict.ok ? null : verdict.reason;
  };
  assert.equal(await reason({ body: `${body} ` }), 'wrong_signature');
  assert.equal(await reason({ secret: 'other' }), 'wrong_signature');
  assert.equal(await reason({ secret: '' }), 'wrong_signature');
  assert.equal(await reason({ signature: header('s', time - 301) }), 'too_old');
  assert.equal(await reason({ signature: header('s', time + 301) }), 'too_old');
  assert.equal(await reason({ signature: header('s', time - 299) }), null);
  assert.equal(await reason({ signature: null }), 'missing_signature');
  assert.equal(await reason({ signature: 't=1,v1=zz' }), 'malformed_signature');
});
