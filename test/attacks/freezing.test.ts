import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { after, before, describe, it } from 'node:test';
import { catalogHeard } from '../support/catalog-heard.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';
import { operationsOf } from '../fuzz/make-request.js';
import { signInOperator } from '../support/sign-in-operator.js';
import { seedDemoProducts } from '../../src/surfaces/catalog-import/demo/seed-demo-products.js';

interface Documented {
  paths: Record<string, Record<string, { parameters?: { in: string; name: string }[] }>>;
}

// Generated from the routes, and compared with them by a test of its own.
const openapi = JSON.parse(
  readFileSync(new URL('../../../docs/api/openapi.json', import.meta.url), 'utf8'),
) as Documented;

/** What hung for many seconds or minutes; quick answers take milliseconds. */
const patienceMs = 15_000;

for (const engine of testEngines()) {
  describe(`one request that everybody waits for (${engine.name})`, () => {
    let app: TestApp;
    let key: string;
    before(async () => {
      app = await buildTestApp(await engine.open());
      key = (await app.newPublisher()).apiKey;
      await seedDemoProducts(app.services);
      await catalogHeard(app.db);
      // The first search waits until all products are read.
      await app.http.inject({
        method: 'POST',
        url: '/shop/search',
        headers: { 'x-api-key': key },
        payload: { query: 'lamp' },
      });
    });
    after(() => app.close());

    async function answersSoon(request: {
      method: 'POST' | 'GET';
      url: string;
      headers?: Record<string, string>;
      payload?: string | object;
    }): Promise<number> {
      // What the thread was busy with: others wait for that, not for what it waits for itself.
      const before = performance.eventLoopUtilization();
      const answer = await app.http.inject(request);
      const { active } = performance.eventLoopUtilization(before);
      assert.ok(active < patienceMs, `${request.url} took ${Math.round(active)} ms`);
      return answer.statusCode;
    }

    const ask = (content: string) =>
      answersSoon({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${key}` },
        payload: {
          sessionId: 's',
          placements: [{ placement: 'below_response', placement_id: 'main' }],
          messages: [{ role: 'user', content }],
        },
      });

    it('chat messages of dashes, small words and long runs are read at once', async () => {
      for (const content of [
        `1${'-'.repeat(60)}a`,
        `1${'x '.repeat(60)}z`,
        `1${'--1'.repeat(100)}a`,
        `${'a'.repeat(300_000)}!`,
        ' '.repeat(300_000),
        'set '.repeat(90),
        'a.'.repeat(150_000),
      ])
        assert.ok([200, 204].includes(await ask(content)));
    });

    it('shop conversations of many small words, dashes and spaces are read at once', async () => {
      for (const content of [
        `${'and '.repeat(60)}word`,
        `${'ok, '.repeat(400)}word`,
        `${'-'.repeat(5000)} lamp ${'-'.repeat(5000)}`,
        `lamp under $${'1,'.repeat(2000)}`,
        `size${' '.repeat(5000)}lamp`,
      ])
        assert.equal(
          await answersSoon({
            method: 'POST',
            url: '/shop/search',
            headers: { 'x-api-key': key },
            payload: { context: { messages: [{ role: 'user', content }] } },
          }),
          200,
        );
    });

    it('a pixel batch of long names and addresses is read at once', async () => {
      const { id: accountId } = await app.newAdvertiser();
      const pixelId = app.services.mintId(app.clock.now);
      await app.db.query(
        `insert into pixels (id, advertiser_id, name, url, url_key)
         values ($1, $2, 'Shop', 'https://shop.example', 'shop.example')`,
        [pixelId, accountId],
      );
      const events = Array.from({ length: 90 }, (_, at) => ({
        event_type: `${'a'.repeat(90)}@`,
        event_id: `e${at}`,
        url: `https://shop.example/${'a'.repeat(3900)}%40`,
        properties: { content_name: `@${'b'.repeat(400)}` },
      }));
      assert.equal(
        await answersSoon({
          method: 'POST',
          url: '/track/gr-events',
          payload: { pixel_id: pixelId, visitor_id: 'v', session_id: 's', events },
        }),
        202,
      );
    });

    it('bodies nested deeper than a hundred are refused wherever JSON is read', async () => {
      const deep = `${'['.repeat(400_000)}`;
      const closed = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
      for (const payload of [deep, closed]) {
        for (const [url, headers] of [
          ['/api/v1/ad', { authorization: `Bearer ${key}` }],
          ['/shop/search', { 'x-api-key': key }],
          ['/search', { 'x-api-key': key }],
          ['/mcp', { 'x-api-key': key }],
          ['/track/gr-events', {}],
          ['/track/gr-session', {}],
        ] as const) {
          const status = await answersSoon({
            method: 'POST',
            url,
            headers: { 'content-type': 'application/json', ...headers },
            payload,
          });
          assert.ok(status >= 400 && status < 500, `${url} answers ${status}`);
        }
      }
    });

    it('no door that takes JSON breaks on what is deep or strange', async () => {
      const operator = await signInOperator(app);
      const advertiser = await app.newAdvertiser();
      const bodies = [
        `{"a":${'['.repeat(3000)}${']'.repeat(3000)}}`,
        '{"__proto__":{"x":1},"name":"\\ud800\\u0000","messages":[{"role":"user","content":"\\udfff"}]}',
      ];
      let doors = 0;
      for (const { method, path, body } of operationsOf(app.http.swagger())) {
        if (body === null) continue;
        doors += 1;
        const url = path.replaceAll(/\{[^}]+\}/g, advertiser.id);
        const mine = /^\/(advertiser|gateway|pixel)/.test(path) ? advertiser.apiKey : key;
        for (const payload of bodies) {
          const { status } = path.startsWith('/operator')
            ? await operator(method as 'POST', url, payload, { 'content-type': 'application/json' })
            : await app.http
                .inject({
                  method: method as 'POST',
                  url,
                  headers: {
                    'content-type': 'application/json',
                    'x-api-key': mine,
                    authorization: `Bearer ${mine}`,
                  },
                  payload,
                })
                .then(({ statusCode }) => ({ status: statusCode }));
          assert.ok(status < 500, `${method} ${path} answers ${status} to ${payload.slice(0, 40)}`);
          if (payload === bodies[0]) assert.ok(status >= 400, `${method} ${path}: ${status}`);
        }
      }
      assert.ok(doors > 40, `${doors} doors`);
    });

    /** Every documented door that only tells, its path filled in. */
    const readingDoors = () =>
      Object.entries(openapi.paths).flatMap(([path, operations]) =>
        Object.entries(operations)
          .filter(([method]) => method === 'get')
          .map(([, { parameters = [] }]) => ({
            url: path.replace(/\{[^}]*\}/g, app.services.mintId(app.clock.now)),
            names: parameters.filter((one) => one.in === 'query').map((one) => one.name),
          })),
      );

    it('dates no database can hold are the caller’s mistake, at every door that takes one', async () => {
      const operator = await signInOperator(app);
      for (const before of ['10000-01-01', '%2B010000-01-01T00:00:00Z', '-000001-01-01']) {
        const answer = await operator('GET', `/operator/audit?before=${before}`);
        assert.equal(answer.status, 422);
        assert.match(JSON.stringify(answer.body), /"loc":\["query","before"\]/);
      }
      const { apiKey } = await app.newAdvertiser();
      const id = app.services.mintId(app.clock.now);
      const packed = (text: string): string => Buffer.from(text).toString('base64url');
      const dates = ['9999-12-31', '0000-01-01', '10000-01-01', '+275760-09-13T00:00:00Z'];
      const cursors = [
        `c2:8640000000000000:${id}`,
        `c2:-8640000000000000:${id}`,
        JSON.stringify(['+010000-01-01T00:00:00.000Z', id]),
        JSON.stringify(['newest', '+010000-01-01T00:00:00.000Z', id]),
      ].map(packed);
      for (const { url, names } of readingDoors())
        for (const [at, date] of dates.entries()) {
          const values = names
            .filter((name) => /date|before|cursor/.test(name))
            .map((name) => [name, name === 'cursor' ? (cursors[at] ?? '') : date]);
          if (values.length === 0) continue;
          const asked = `${url}?${new URLSearchParams(values).toString()}`;
          for (const headers of [
            { 'x-api-key': key },
            { 'x-api-key': apiKey },
            operator.signedIn,
          ]) {
            const { statusCode } = await app.http.inject({ url: asked, headers });
            assert.ok(statusCode < 500, `${asked}: ${statusCode}`);
          }
        }
    });
  });
}
