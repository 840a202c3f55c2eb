import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Database } from '../../src/platform/db/db.js';
import { insertLiveCampaign } from '../support/live-campaign.js';
import { noSignals } from '../../src/domain/privacy/weigh-signals.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';

const browser =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

for (const engine of testEngines()) {
  describe(`more requests than anyone needs (${engine.name})`, () => {
    let app: TestApp;
    let keyLookups = 0;
    before(async () => {
      const db = await engine.open();
      const counting: Database = {
        ...db,
        query: (text, values) => {
          if (text.includes('from api_keys') && text.includes('$1')) keyLookups += 1;
          return db.query(text, values);
        },
      };
      app = await buildTestApp(counting, { environment: { KEY_RATE: '1', ADDRESS_RATE: '2' } });
    });
    after(() => app.close());

    const categories = (headers: Record<string, string>) =>
      app.http.inject({ method: 'GET', url: '/categories', headers });

    const info = (headers: Record<string, string>) =>
      app.http.inject({ method: 'GET', url: '/publisher-dashboard/info', headers });

    it('a key has its own allowance, is told what is left, and may come again', async () => {
      const [busy, other] = [await app.newPublisher(), await app.newPublisher()];
      const ask = (key: string) => categories({ 'x-api-key': key });
      const first = await ask(busy.apiKey);
      assert.equal(first.statusCode, 200, first.body);
      assert.equal(first.headers['ratelimit-policy'], '"key";q=10;w=10');
      assert.equal(first.headers['ratelimit'], '"key";r=9;t=1');
      for (let at = 0; at < 9; at += 1) await ask(busy.apiKey);
      const refused = await ask(busy.apiKey);
      assert.equal(refused.statusCode, 429);
      assert.deepEqual(refused.json(), { detail: 'rate_limited' });
      assert.equal(refused.headers['retry-after'], '1');
      assert.equal((await ask(other.apiKey)).statusCode, 200);
      app.clock.now += 1000;
      assert.equal((await ask(busy.apiKey)).statusCode, 200);
    });

    it('an address without a key is counted, and an IPv6 subscriber is one address', async () => {
      const from = async (address: string): Promise<number> =>
        (await categories({ 'x-forwarded-for': address })).statusCode;
      for (let at = 0; at < 20; at += 1) assert.equal(await from('8.8.4.4'), 200);
      assert.equal(await from('8.8.4.4'), 429);
      assert.equal(await from('8.8.4.5'), 200);
      for (let at = 0; at < 20; at += 1)
        assert.equal(await from(`2a00:1450:4001:80b::${at + 1}`), 200);
      assert.equal(await from('2a00:1450:4001:80b:ffff::9'), 429);
      assert.equal(await from('2a00:1450:4001:80c::1'), 200);
    });

    it('guessed keys are counted by address and not asked for again', async () => {
      const before = keyLookups;
      for (let at = 0; at < 5; at += 1)
        assert.equal((await info({ 'x-api-key': 'sl_pub_guessed' })).statusCode, 401);
      assert.equal(keyLookups - before, 1);
      const headers = { 'x-api-key': 'sl_pub_other', 'x-forwarded-for': '9.9.9.9' };
      for (let at = 0; at < 20; at += 1) await info(headers);
      assert.equal((await info(headers)).statusCode, 429);
    });

    it('a made-up key is no caller of its own, whose share it would have', async () => {
      const { apiKey } = await app.newPublisher();
      const callerWith = (key: string, from: string): string =>
        app.services.requestLimits.callerOf(
          // As much of a request as is looked at.
          Object.assign(new IncomingMessage(new Socket()), {
            headers: { 'x-api-key': key },
            socket: { remoteAddress: from },
          }),
        );
      assert.equal(callerWith('sl_pub_a', '9.8.7.6'), callerWith('sl_pub_b', '9.8.7.6'));
      assert.notEqual(callerWith(apiKey, '9.8.7.6'), callerWith('sl_pub_b', '9.8.7.6'));
      assert.equal(callerWith(apiKey, '9.8.7.6'), callerWith(apiKey, '9.8.7.5'));
    });

    it('ads asked for and never shown leave the budget to who shows them', async () => {
      const { campaignId } = await insertLiveCampaign(app, (await app.newAdvertiser()).id, {
        context: 'orchid fertiliser for tropical houseplants',
        maxCpmMicros: 5_000_000,
        // Forty ads at the price of a winner without competition.
        dailyBudgetMicros: 20_000,
      });
      const [greedy, honest] = [await app.newPublisher(), await app.newPublisher()];
      let asked = 0;
      const ask = async (key: string): Promise<{ campaignId: string; impUrl: string } | null> => {
        app.clock.now += 1000;
        const answer = await app.http.inject({
          method: 'POST',
          url: '/api/v1/ad',
          headers: { authorization: `Bearer ${key}` },
          payload: {
            sessionId: `s${(asked += 1)}`,
            placements: [{ placement: 'below_response', placement_id: 'main' }],
            messages: [{ role: 'user', content: 'best fertiliser for tropical orchids?' }],
          },
        });
        return answer.statusCode === 200 ? answer.json()[0] : null;
      };
      let held = 0;
      for (let at = 0; at < 50; at += 1)
        if ((await ask(greedy.apiKey))?.campaignId === campaignId) held += 1;
      assert.equal(held, 16, 'two fifths of the budget');
      for (let at = 0; at < 20; at += 1) {
        const ad = await ask(honest.apiKey);
        assert.equal(ad?.campaignId, campaignId, `ad ${at}`);
        const shown = await app.http.inject({
          url: new URL(ad?.impUrl ?? '').pathname + new URL(ad?.impUrl ?? '').search,
          headers: { 'user-agent': browser },
        });
        assert.equal(shown.statusCode, 200);
      }
    });

    it('an ad whose asker has left is neither reserved nor stored', async () => {
      const { id } = await app.newPublisher();
      const publisher = app.services.directory.publisher(id);
      assert.ok(publisher !== undefined);
      const ask = (isGone: boolean): Promise<unknown> =>
        app.serving.serveAds(
          app.services.mintId(app.clock.now),
          publisher,
          {
            sessionId: 's',
            placements: [{ placement: 'below_response', placement_id: 'main' }],
            messages: [{ role: 'user', content: 'running shoes' }],
          },
          {
            name: 'anonymous',
            userId: 'anonymous',
            privacy: noSignals,
            country: null,
            device: null,
            gender: null,
            age: null,
            minor: false,
            interests: new Set(),
            isDeviceNamed: false,
            identity: null,
            languages: [],
          },
          () => isGone,
        );
      const stored = async (): Promise<number> => {
        await app.services.eventLog.drain();
        const rows = await app.db.query(
          `select id from events where publisher_id = $1 and kind = 'request'`,
          [id],
        );
        return rows.length;
      };
      await assert.rejects(ask(true));
      assert.equal(await stored(), 0);
      await ask(false);
      assert.equal(await stored(), 1);
    });

    it('excluded topics are bounded in number and length, and new ones in every request are answered', async () => {
      const { apiKey } = await app.newPublisher();
      const ask = async (excludedTopics: string[]): Promise<number> => {
        const answer = await app.http.inject({
          method: 'POST',
          url: '/api/v1/ad',
          headers: { authorization: `Bearer ${apiKey}` },
          payload: {
            sessionId: 's',
            placements: [{ placement: 'below_response', placement_id: 'main' }],
            messages: [{ role: 'user', content: 'a lamp for the desk' }],
            excludedTopics,
          },
        });
        return answer.statusCode;
      };
      const topics = (from: number, count: number) =>
        Array.from({ length: count }, (_, at) => `topic ${from + at}`);
      for (let at = 0; at < 5; at += 1)
        assert.ok([200, 204].includes(await ask(topics(at * 200, 200))), `request ${at}`);
      assert.equal(await ask(topics(0, 201)), 422);
      assert.equal(await ask(['x'.repeat(201)]), 422);
    });

    it('who asks again and again what is kept of people is told to wait, as is who has it deleted', async () => {
      const { id, apiKey } = await app.newPublisher();
      const usedUp = (key: string, times: number) =>
        app.db.query(
          `insert into rate_limits (key, hits, expires_at)
           values ($1, array_fill($2::timestamptz, array[$3::int]), $2)`,
          [key, new Date(app.clock.now), times],
        );
      const post = (url: string, payload: object) =>
        app.http.inject({ method: 'POST', url, headers: { 'x-api-key': apiKey }, payload });
      await usedUp(`privacy:${id}`, 119);
      const see = () =>
        post('/publisher-dashboard/privacy-requests', { kind: 'access', user_id: 'somebody' });
      assert.deepEqual([(await see()).statusCode, (await see()).statusCode], [200, 429]);

      await insertLiveCampaign(app, (await app.newAdvertiser()).id, {
        context: 'harmonicas for beginners',
        maxCpmMicros: 5_000_000,
      });
      const asked = await app.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${apiKey}` },
        payload: {
          messages: [{ role: 'user', content: 'which harmonica is good for beginners?' }],
          sessionId: 'deleting',
          user: { id: 'somebody' },
          placements: [{ placement: 'below_response', placement_id: 'main' }],
        },
      });
      assert.equal(asked.statusCode, 200, asked.body);
      const url = String(asked.json()[0].choicesUrl);
      await usedUp(`forget:${id}`, 600);
      const deleted = await post(`${url.slice(url.indexOf('/', 8))}&action=delete`, {});
      assert.equal(deleted.statusCode, 429, deleted.body);
      assert.ok(Number(deleted.headers['retry-after']) > 0);
    });

    it('health is answered whoever asks how often', async () => {
      const headers = { 'x-forwarded-for': '9.9.9.10' };
      for (let at = 0; at < 25; at += 1) await categories(headers);
      const answer = await app.http.inject({ method: 'GET', url: '/health', headers });
      assert.equal(answer.statusCode, 200);
    });
  });
}
