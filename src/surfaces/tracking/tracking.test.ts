import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { eventFacts } from '../../platform/events/event-facts.js';
import { insertLiveCampaign, type LiveCampaign } from '../../../test/support/live-campaign.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { createTokenSealer, openToken, type TrackingToken } from '../../domain/tracking-token.js';
import { addTrackingKey } from '../../platform/secrets/tracking-keys.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';

const browser =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const minute = 60_000;

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

interface Served {
  p: string;
  token: TrackingToken;
}

for (const engine of testEngines()) {
  describe(`tracking on the ${engine.name} engine`, () => {
    let app: TestApp;
    let port = 0;
    let campaign: LiveCampaign;
    let publisher: { id: string; apiKey: string };
    let sessions = 0;
    before(async () => {
      app = await buildTestApp(await engine.open(), {
        serverFor: (handler) => createServer(handler),
        // Hours pass here, and what a day may cost is handed out by a round that does not run.
        now: Math.floor(Date.now() / 86_400_000) * 86_400_000 - 12 * 3_600_000,
      });
      await app.http.listen({ port: 0, host: '127.0.0.1' });
      // A server that listens on TCP has an address object.
      ({ port } = app.http.server.address() as AddressInfo);
      publisher = await app.newPublisher();
      campaign = await insertLiveCampaign(app, (await app.newAdvertiser()).id, {
        context: 'travel insurance for cancelled flights',
        landingPage: 'https://insure.example/plans?sig=a%2Fb&flag#top',
        maxCpmMicros: 8_000_000,
        utm: { utm_source: 'side light', sig: 'x' },
      });
    });
    after(async () => {
      await app.close();
    });

    async function serve(extra: Record<string, unknown> = {}): Promise<Served> {
      sessions += 1;
      const answer = await app.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${publisher.apiKey}` },
        payload: {
          messages: [{ role: 'user', content: 'which travel insurance covers cancelled flights?' }],
          sessionId: `s${sessions}`,
          placements: [{ placement: 'below_response', placement_id: 'main' }],
          ...extra,
        },
      });
      assert.equal(answer.statusCode, 200, answer.body);
      const p = new URL(answer.json()[0].impUrl).searchParams.get('p') ?? '';
      const token = openToken(p, app.services.trackingKeys.find);
      assert.ok(token !== null);
      return { p, token };
    }

    type Send = (
      path: string,
      headers?: Record<string, string>,
      method?: 'GET' | 'HEAD' | 'POST',
    ) => Promise<Answer>;
    const doors: Record<string, Send> = {
      async route(url, headers = { 'user-agent': browser }, method = 'GET') {
        const answer = await app.http.inject({
          url,
          method,
          headers: { 'user-agent': '', ...headers },
        });
        return {
          status: answer.statusCode,
          headers: answer.headers,
          body: answer.rawPayload.toString('latin1'),
        };
      },
      front: (path, headers = { 'user-agent': browser }, method = 'GET') =>
        new Promise((resolve, reject) => {
          const call = httpRequest(
            { host: '127.0.0.1', port, path, headers, method },
            (response) => {
              const parts: Buffer[] = [];
              response.on('data', (part: Buffer) => parts.push(part));
              response.on('end', () =>
                resolve({
                  status: response.statusCode ?? 0,
                  headers: response.headers,
                  body: Buffer.concat(parts).toString('latin1'),
                }),
              );
            },
          );
          call.on('error', reject);
          call.end();
        }),
    };
    const rowsOf = (token: TrackingToken) =>
      app.db.query<{
        kind: string;
        invalid: string | null;
        spend: number;
        test: boolean;
        country: string | null;
      }>(
        `select e.kind, e.invalid, e.spend_micros as spend, e.test, e.country
         from ${eventFacts()} e
         where e.ad_id = $1 and e.kind in ('impression', 'click')
           and left(e.id::text, 13) = left($2::text, 13)
           and e.user_id is not distinct from (
             select user_id
             from events w
             where w.id = $2::uuid and w.kind = 'win'
           )
         order by e.kind, e.invalid nulls first`,
        [token.adId, token.serveId],
      );
    const counted = async () =>
      (
        await app.db.query(
          `select coalesce(sum(impressions), 0)::bigint as impressions,
             coalesce(sum(clicks), 0)::bigint as clicks,
             coalesce(sum(invalid_impressions), 0)::bigint as invalid_impressions,
             coalesce(sum(invalid_clicks), 0)::bigint as invalid_clicks
           from campaign_totals
           where campaign_id = $1`,
          [campaign.campaignId],
        )
      )[0];
    /** Each served ad in a millisecond of its own, so that its rows can be told apart. */
    async function serveApart(extra: Record<string, unknown> = {}): Promise<Served> {
      app.clock.now += 1000;
      return serve(extra);
    }

    for (const [door, send] of Object.entries(doors)) {
      describe(`through the ${door}`, () => {
        it('answers an impression with a picture nobody keeps and every page may read', async () => {
          const { p, token } = await serveApart();
          for (const path of ['/ack', '/track/imp']) {
            const answer = await send(`${path}?p=${p}`);
            assert.equal(answer.status, 200);
            assert.equal(answer.headers['content-type'], 'image/gif');
            assert.equal(answer.headers['cache-control'], 'no-store');
            assert.equal(answer.headers['access-control-allow-origin'], '*');
            assert.equal(answer.body.slice(0, 6), 'GIF89a');
            assert.match(String(answer.headers['x-request-id']), /^[0-9a-f-]{36}$/);
          }
          const rows = await rowsOf(token);
          assert.deepEqual(
            rows.map(({ kind, invalid }) => [kind, invalid]),
            [['impression', null]],
          );
          assert.ok((rows[0]?.spend ?? 0) > 0);
        });

        it('is measured like every other request', async () => {
          const { p } = await serveApart();
          const sent = async (route: string, status: number): Promise<number> =>
            Number(
              new RegExp(
                `seconds_count\\{method="GET",route="${route}",status="${status}"\\} (\\d+)`,
              ).exec(await app.services.metrics.text())?.[1] ?? 0,
            );
          for (const [route, token, status] of [
            ['/ack', p, 200],
            ['/track/imp', p, 200],
            ['/track/click', p, 302],
            ['/ack', 'x', 400],
          ] as const) {
            const before = await sent(route, status);
            assert.equal((await send(`${route}?p=${token}`)).status, status);
            assert.equal(await sent(route, status), before + 1);
          }
        });

        it('counts 64 identical beacons at once as one', async () => {
          const { p, token } = await serveApart();
          const answers = await Promise.all(Array.from({ length: 64 }, () => send(`/ack?p=${p}`)));
          assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]));
          assert.equal((await rowsOf(token)).length, 1);
        });

        it('sends a click to the landing page, its own query untouched, campaign parameters and click id added', async () => {
          const { p, token } = await serveApart();
          await send(`/ack?p=${p}`);
          app.clock.now += 5000;
          const answer = await send(`/track/click?p=${p}&extra=1`);
          assert.equal(answer.status, 302);
          assert.equal(answer.headers['cache-control'], 'no-store');
          assert.match(
            String(answer.headers['location']),
            /^https:\/\/insure\.example\/plans\?sig=a%2Fb&flag&utm_source=side\+light&grclid=[\w-]{22}#top$/,
          );
          assert.deepEqual(
            (await rowsOf(token)).map(({ kind, invalid }) => [kind, invalid]),
            [
              ['click', null],
              ['impression', null],
            ],
          );
        });

        it('counts a click that comes before its impression, and both once', async () => {
          const { p, token } = await serveApart();
          for (const path of ['/track/click', '/ack', '/track/click', '/ack'])
            await send(`${path}?p=${p}`);
          assert.deepEqual(
            (await rowsOf(token)).map(({ kind, invalid }) => [kind, invalid]),
            [
              ['click', null],
              ['impression', null],
            ],
          );
        });

        it('marks a click too soon after the impression, redirects it, and counts the next', async () => {
          const { p, token } = await serveApart();
          await send(`/ack?p=${p}`);
          app.clock.now += 50;
          assert.equal((await send(`/track/click?p=${p}`)).status, 302);
          app.clock.now += 5000;
          assert.equal((await send(`/track/click?p=${p}`)).status, 302);
          assert.deepEqual(
            (await rowsOf(token)).map(({ kind, invalid }) => [kind, invalid]),
            [
              ['click', null],
              ['click', 'too_fast'],
              ['impression', null],
            ],
          );
        });

        it('marks bots and empty agents with the reason, answers them like anybody, and still counts the person after them', async () => {
          const { p, token } = await serveApart();
          assert.equal(
            (
              await send(`/ack?p=${p}`, {
                'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)',
              })
            ).status,
            200,
          );
          assert.equal((await send(`/ack?p=${p}`, {})).status, 200);
          assert.equal(
            (
              await send(`/track/click?p=${p}`, {
                'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)',
              })
            ).status,
            302,
          );
          const before = await counted();
          assert.deepEqual(
            (await rowsOf(token)).map(({ kind, invalid, spend }) => [kind, invalid, spend]),
            [
              ['click', 'bot', 0],
              ['impression', 'bot', 0],
              ['impression', 'no_agent', 0],
            ],
          );
          await send(`/ack?p=${p}`);
          const now = await counted();
          assert.equal(Number(now?.['impressions']), Number(before?.['impressions']) + 1);
          assert.equal(now?.['invalid_impressions'], before?.['invalid_impressions']);
        });

        it('counts an impression to the last millisecond of its window and none after it', async () => {
          const inTime = await serveApart();
          app.clock.now =
            Number.parseInt(inTime.token.serveId.replace('-', '').slice(0, 12), 16) + 30 * minute;
          await send(`/ack?p=${inTime.p}`);
          assert.deepEqual(
            (await rowsOf(inTime.token)).map(({ invalid }) => invalid),
            [null],
          );
          const late = await serveApart();
          app.clock.now += 30 * minute + 1;
          assert.equal((await send(`/ack?p=${late.p}`)).status, 200);
          assert.deepEqual(
            (await rowsOf(late.token)).map(({ invalid, spend }) => [invalid, spend]),
            [['late', 0]],
          );
        });

        it('redirects long after the token expired, and records nothing then', async () => {
          const { p, token } = await serveApart();
          const served = app.clock.now;
          app.clock.now += 8 * 86_400_000;
          assert.equal((await send(`/track/click?p=${p}`)).status, 302);
          assert.equal((await send(`/ack?p=${p}`)).status, 200);
          app.clock.now = served + 10_000;
          assert.deepEqual(await rowsOf(token), []);
        });

        it('refuses a missing, empty, cut, changed or foreign token alike, in the error shape, and counts nothing', async () => {
          const { p, token } = await serveApart();
          const foreign = createTokenSealer(() => randomBytes(12))(token, {
            id: 1,
            key: createSecretKey(randomBytes(32)),
          });
          const flipped = `${p.slice(0, 50)}${p[50] === 'A' ? 'B' : 'A'}${p.slice(51)}`;
          for (const path of ['/ack', '/track/imp', '/track/click']) {
            for (const query of [
              '',
              '?',
              '?p',
              '?p=',
              '?q=1',
              `?p=${p.slice(0, -1)}`,
              `?p=${p}A`,
              `?p=${flipped}`,
              `?p=${foreign}`,
              '?p=%00',
              '?p=%ff%fe',
              '?p=%',
              `?p=${'x'.repeat(5000)}`,
            ]) {
              const answer = await send(path + query);
              assert.equal(answer.status, 400, `${path}${query}`);
              assert.deepEqual(JSON.parse(answer.body), { detail: 'invalid_token' }, query);
              assert.match(String(answer.headers['content-type']), /^application\/json/);
              assert.equal(answer.headers['cache-control'], 'no-store');
              assert.equal(answer.headers['access-control-allow-origin'], '*');
            }
          }
          assert.deepEqual(await rowsOf(token), []);
        });

        it('answers POST with 405 and HEAD like GET without a body, and counts neither', async () => {
          const { p, token } = await serveApart();
          for (const path of ['/ack', '/track/imp', '/track/click']) {
            const headers = { 'user-agent': browser };
            const posted = await send(`${path}?p=${p}`, headers, 'POST');
            assert.equal(posted.status, 405);
            assert.equal(posted.headers['allow'], 'GET, HEAD');
            const head = await send(`${path}?p=${p}`, headers, 'HEAD');
            assert.deepEqual([head.status, head.body], [path === '/track/click' ? 302 : 200, '']);
          }
          assert.deepEqual(
            (await rowsOf(token)).map(({ kind, invalid }) => [kind, invalid]),
            [
              ['click', 'prefetch'],
              ['impression', 'prefetch'],
            ],
          );
        });

        it('believes X-Forwarded-For of a trusted proxy, from the right', async () => {
          const { p, token } = await serveApart({ device: { ip: '10.0.0.1', ua: browser } });
          await send(`/ack?p=${p}`, {
            'user-agent': browser,
            'x-forwarded-for': '8.8.8.8, 194.25.0.60, 10.1.1.1',
          });
          assert.deepEqual(
            (await rowsOf(token)).map(({ country }) => country),
            ['DE'],
          );
        });

        it('marks what comes out of a data centre, and counts the person after it', async () => {
          const { p, token } = await serveApart();
          const hosted = { 'user-agent': browser, 'x-forwarded-for': '52.95.110.1' };
          await send(`/ack?p=${p}`, { 'user-agent': browser, 'x-forwarded-for': '2600:1f18::1' });
          assert.deepEqual(
            [
              (await send(`/ack?p=${p}`, hosted)).status,
              (await send(`/track/click?p=${p}`, hosted)).status,
            ],
            [200, 302],
          );
          await send(`/ack?p=${p}`);
          assert.deepEqual(
            (await rowsOf(token)).map(({ kind, invalid }) => [kind, invalid]),
            [
              ['click', 'data_centre'],
              ['impression', null],
              ['impression', 'data_centre'],
            ],
          );
        });

        it('takes a test ad through to the end and counts nothing', async () => {
          const before = await counted();
          const { p } = await serveApart({ testAd: true });
          assert.equal((await send(`/ack?p=${p}`)).status, 200);
          assert.equal((await send(`/track/click?p=${p}`)).status, 302);
          assert.deepEqual(await counted(), before);
        });
      });
    }

    it('records viewable time of a second, once, and from people only', async () => {
      const { p, token } = await serveApart();
      const post = (payload: unknown, agent = browser) =>
        app.http.inject({
          method: 'POST',
          url: '/track/viewable',
          headers: { 'content-type': 'text/plain', 'user-agent': agent },
          payload: JSON.stringify(payload),
        });
      const viewable = async () =>
        (
          await app.db.query(`select data from events where id = $1 and kind = 'viewable'`, [
            token.serveId,
          ])
        ).length;
      assert.equal((await post({ p, ms: 999 })).statusCode, 204);
      assert.equal((await post({ p, ms: 2000 }, 'Googlebot/2.1')).statusCode, 204);
      assert.equal(await viewable(), 0);
      const answer = await post({ p, ms: 1500 });
      assert.equal(answer.statusCode, 204);
      assert.equal(answer.headers['access-control-allow-origin'], '*');
      await post({ p, ms: 3000 });
      assert.equal(await viewable(), 1);
      assert.equal((await post({ p: 'x', ms: 1500 })).statusCode, 400);
      for (const wrong of [{}, { p }, { p, ms: -1 }, { p, ms: '5' }, [], null])
        assert.equal((await post(wrong)).statusCode, 422);
    });

    it('counts a disclosed impression once, when the label was there to be read', async () => {
      const label = {
        text: 'Anzeige',
        width: 60,
        height: 18,
        fontSize: 11,
        contrast: 7,
        opacity: 1,
        uncovered: 1,
      };
      const disclosed = async (id: string): Promise<number> =>
        (await app.db.query(`select 1 from events where id = $1 and kind = 'disclosed'`, [id]))
          .length;
      const { p, token } = await serveApart();
      const post = (payload: unknown) =>
        app.http.inject({
          method: 'POST',
          url: '/track/viewable',
          headers: { 'content-type': 'text/plain', 'user-agent': browser },
          payload: JSON.stringify(payload),
        });
      for (const hidden of [
        undefined,
        { ...label, text: 'Tip' },
        { ...label, text: '' },
        { ...label, width: 2 },
        { ...label, height: 1 },
        { ...label, fontSize: 4 },
        { ...label, contrast: 1.1 },
        { ...label, opacity: 0.1 },
        { ...label, uncovered: 0.5 },
      ])
        assert.equal((await post({ p, ms: 1500, label: hidden })).statusCode, 204);
      assert.equal((await post({ p, ms: 900, label })).statusCode, 204);
      assert.equal(await disclosed(token.serveId), 0);
      for (let time = 0; time < 3; time += 1) await post({ p, ms: 2500 + time, label });
      assert.equal(await disclosed(token.serveId), 1);
      assert.equal((await post({ p, ms: 2500, label: { text: 'Anzeige' } })).statusCode, 422);
    });

    it('opens tokens of every key there was', async () => {
      const { p } = await serveApart();
      await addTrackingKey(app.db, app.services.sealer);
      assert.equal(
        (await app.http.inject({ url: `/ack?p=${p}`, headers: { 'user-agent': browser } }))
          .statusCode,
        200,
      );
    });

    it('leaves every total equal to the raw events', async () => {
      const report = await verifyTotals(app.db);
      assert.equal(report.isClean, true, JSON.stringify(report));
    });
  });
}
