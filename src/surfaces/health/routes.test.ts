import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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
    const health = (await app.http.inject({ url: '/health' })).json<Record<string, unknown>>();
    const { paths } = (await app.http.inject({ url: '/openapi.json' })).json();
    const { properties } = paths['/health'].get.responses['200'].content['application/json'].schema;
    assert.deepEqual(
      Object.keys(health).filter((name) => properties[name] === undefined),
      [],
      'the description names every field of /health',
    );
    assert.equal(health['database'], 'ok');
    assert.equal(await status(), 401);
    for (const wrong of ['', 'Bearer', 'Bearer ', 'Bearer x', METRICS_KEY])
      assert.equal(await status(wrong), 401);
    assert.equal(await status(`Bearer ${METRICS_KEY}`), 200);
    const cookie = (await signInOperator(app)).cookie;
    const seen = await app.http.inject({ url: '/metrics', headers: { cookie } });
    assert.match(seen.body, /sidelight_events_queued/);
    const exists = new Set([...seen.body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    for (const file of ['alerts.yml', 'dashboard.json']) {
      const text = readFileSync(new URL(`../../../../ops/${file}`, import.meta.url), 'utf8');
      const named = [...text.matchAll(/\b(?:sidelight|process)_[a-z_]+/g)].map(([name]) =>
        exists.has(name) ? name : name.replace(/_(?:count|bucket|sum)$/, ''),
      );
      assert.ok(named.length > 5);
      assert.deepEqual(
        named.filter((name) => !exists.has(name)),
        [],
        `${file} names what is not measured`,
      );
    }
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
