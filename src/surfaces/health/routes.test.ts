import assert from 'node:assert/strict';
import { it } from 'node:test';
import { signInOperator } from '../../../test/support/sign-in-operator.js';
import { buildTestApp } from '../../../test/support/test-app.js';
import { openEmbeddedTestDatabase } from '../../../test/support/test-database.js';

it('measurements are read with their key or by an operator, and not by strangers', async () => {
  const METRICS_KEY = 'a key of the scraper';
  const app = await buildTestApp(await openEmbeddedTestDatabase(), {
    environment: { METRICS_KEY },
  });
  try {
    const status = async (authorization?: string): Promise<number> =>
      (
        await app.http.inject({
          url: '/metrics',
          headers: authorization === undefined ? {} : { authorization },
        })
      ).statusCode;
    assert.equal(await status(), 401);
    for (const wrong of ['', 'Bearer', 'Bearer ', 'Bearer x', METRICS_KEY])
      assert.equal(await status(wrong), 401);
    assert.equal(await status(`Bearer ${METRICS_KEY}`), 200);
    const cookie = (await signInOperator(app)).cookie;
    const seen = await app.http.inject({ url: '/metrics', headers: { cookie } });
    assert.match(seen.body, /sidelight_events_queued/);
  } finally {
    await app.close();
  }
});

it('without a key only operators read them, with a port of their own nobody does here', async () => {
  for (const [environment, expected] of [
    [{}, 401],
    [{ METRICS_PORT: '9464' }, 404],
  ] as const) {
    const app = await buildTestApp(await openEmbeddedTestDatabase(), { environment });
    assert.equal((await app.http.inject({ url: '/metrics' })).statusCode, expected);
    await app.close();
  }
});
