import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { OutboundError, type OutboundResponse } from '../../platform/outbound/guarded-fetch.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';

const page = (body: string, status = 200): OutboundResponse => ({
  url: 'https://shop.example/',
  status,
  headers: {},
  body: Buffer.from(body),
});

for (const engine of testEngines()) {
  describe(`pixels on the ${engine.name} engine`, () => {
    let app: TestApp;
    /** What the outside answers, by address. */
    const web = new Map<string, () => OutboundResponse>();
    let asked: string[] = [];
    before(async () => {
      const outbound = async (url: string): Promise<OutboundResponse> => {
        asked.push(url);
        const answer = web.get(url);
        if (answer === undefined) throw new OutboundError('unreachable', 'nobody there');
        return answer();
      };
      app = await buildTestApp(await engine.open(), {
        outbound,
        environment: { PUBLIC_API_URL: 'https://ads.example' },
      });
    });
    after(() => app.close());

    const create = (apiKey: string, payload: unknown) =>
      app.http.inject({
        method: 'POST',
        url: '/advertiser-dashboard/pixels',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        payload: JSON.stringify(payload),
      });
    const list = async (apiKey: string) =>
      (
        await app.http.inject({
          url: '/advertiser-dashboard/pixels',
          headers: { 'x-api-key': apiKey },
        })
      ).json();
    const mark = async (apiKey: string): Promise<boolean | null> =>
      (await list(apiKey))[0].is_functional;
    const script = '<script src="https://ads.example/pixel.js"></script>';

    it('creates, lists newest first, refuses the same address again and what is none', async () => {
      const { apiKey } = await app.newAdvertiser();
      const other = await app.newAdvertiser();
      const created = await create(apiKey, { url: 'shop.example' });
      assert.equal(created.statusCode, 201, created.body);
      const { id, ...rest } = created.json();
      const at = new Date(app.clock.now).toISOString().slice(0, 19);
      assert.match(id, /^[0-9a-f-]{36}$/);
      assert.deepEqual(rest, {
        name: 'Untitled Pixel',
        url: 'https://shop.example/',
        is_functional: null,
        verified_at: null,
        created_at: at,
        updated_at: at,
      });
      assert.equal((await create(apiKey, { url: 'http://SHOP.example/' })).statusCode, 409);
      assert.equal((await create(other.apiKey, { url: 'shop.example' })).statusCode, 201);
      app.clock.now += 1000;
      assert.equal(
        (await create(apiKey, { url: 'shop.example/second', name: ' Second ' })).json().name,
        'Second',
      );
      assert.deepEqual(
        (await list(apiKey)).map((pixel: { name: string }) => pixel.name),
        ['Second', 'Untitled Pixel'],
      );
      for (const body of [
        {},
        { url: 5 },
        { url: '' },
        { url: 'nonsense' },
        { url: 'ftp://shop.example' },
        { url: 'a.example', name: 5 },
      ])
        assert.equal((await create(apiKey, body)).statusCode, 422, JSON.stringify(body));
      assert.equal((await create('wrong', { url: 'shop.example' })).statusCode, 401);
      await app.services.jobs.runDue();
    });

    it('lets one of many simultaneous creations through', async () => {
      const { apiKey } = await app.newAdvertiser();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => create(apiKey, { url: 'race.example' })),
      );
      assert.deepEqual(
        answers.map((answer) => answer.statusCode).sort(),
        [201, 409, 409, 409, 409, 409, 409, 409],
      );
      await app.services.jobs.runDue();
    });

    it('marks a page with the script true and one without false, and looks again every day', async () => {
      const { apiKey } = await app.newAdvertiser();
      web.set('https://shop.example/live', () => page(`<html>${script}`));
      await create(apiKey, { url: 'shop.example/live' });
      assert.equal(await mark(apiKey), null);
      await app.services.jobs.runDue();
      assert.equal(await mark(apiKey), true);
      web.set('https://shop.example/live', () => page('<html>'));
      await reverify(23);
      assert.equal(await mark(apiKey), true);
      await reverify(2);
      assert.equal(await mark(apiKey), false);
    });

    it('finds the script by way of a tag manager', async () => {
      const { apiKey } = await app.newAdvertiser();
      web.set('https://shop.example/tagged', () =>
        page('<script src="https://www.googletagmanager.com/gtm.js?id=GTM-TAGGED"></script>'),
      );
      web.set('https://www.googletagmanager.com/gtm.js?id=GTM-TAGGED', () =>
        page(String.raw`"\u003Cscript src=https:\/\/ads.example\/gr-pix.js"`),
      );
      await create(apiKey, { url: 'shop.example/tagged' });
      await app.services.jobs.runDue();
      assert.equal(await mark(apiKey), true);
    });

    it('tries a page that does not answer again, with growing pauses, and keeps a working mark meanwhile', async () => {
      const { apiKey } = await app.newAdvertiser();
      await create(apiKey, { url: 'shop.example/down' });
      asked = [];
      await app.services.jobs.runDue();
      assert.equal(await mark(apiKey), false);
      await app.services.jobs.runDue();
      assert.equal(asked.length, 1);
      web.set('https://shop.example/down', () => page(script));
      app.clock.now += 6000;
      await app.services.jobs.runDue();
      assert.equal(await mark(apiKey), true);
      web.set('https://shop.example/down', () => page('', 503));
      await reverify(25);
      assert.equal(await mark(apiKey), true);
      for (let attempt = 0; attempt < 6; attempt += 1) {
        app.clock.now += 3_600_000;
        await app.services.jobs.runDue();
      }
      assert.equal(await mark(apiKey), false);
    });

    it('gives a private address up at once', async () => {
      const { apiKey } = await app.newAdvertiser();
      web.set('https://10.0.0.1/', () => {
        throw new OutboundError('private_address', 'the address is private');
      });
      await create(apiKey, { url: '10.0.0.1' });
      await app.services.jobs.runDue();
      assert.equal(await mark(apiKey), false);
      const waiting = await app.db.query(
        `select 1 from jobs where kind = 'verify-pixel' and finished_at is null and key = $1`,
        [(await list(apiKey))[0].id],
      );
      assert.equal(waiting.length, 0);
    });

    /** Moves the clock and runs the hourly round that queues stale pixels. */
    async function reverify(hours: number): Promise<void> {
      app.clock.now += hours * 3_600_000;
      await app.services.jobs.enqueue(app.db, 'reverify-pixels', `test-${app.clock.now}`, {});
      await app.services.jobs.runDue();
      await app.services.jobs.runDue();
    }
  });
}
