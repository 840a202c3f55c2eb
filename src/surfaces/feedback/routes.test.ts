import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventFacts } from '../../platform/events/event-facts.js';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';

const need = 'which kayak should a beginner buy?';

for (const engine of testEngines()) {
  describe(`feedback on the ${engine.name} engine`, () => {
    let app: TestApp;
    let publisher: { id: string; apiKey: string };
    let adId: string;
    before(async () => {
      app = await buildTestApp(await engine.open());
      publisher = await app.newPublisher();
      ({ adId } = await insertLiveCampaign(app, (await app.newAdvertiser()).id, {
        context: 'kayaks for beginners',
        maxCpmMicros: 5_000_000,
      }));
    });
    after(() => app.close());

    const ask = (sessionId: string, extra: Record<string, unknown> = {}) =>
      app.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${publisher.apiKey}` },
        payload: {
          messages: [{ role: 'user', content: need }],
          sessionId,
          placements: [{ placement: 'below_response', placement_id: 'main' }],
          ...extra,
        },
      });
    async function impUrl(sessionId: string, extra: Record<string, unknown> = {}): Promise<string> {
      const answer = await ask(sessionId, extra);
      assert.equal(answer.statusCode, 200);
      return answer.json()[0].impUrl;
    }
    const send = (payload: unknown, key: string | null = publisher.apiKey) =>
      app.http.inject({
        method: 'POST',
        url: '/ad-feedback',
        headers: {
          ...(key === null ? {} : { 'x-api-key': key }),
          'content-type': 'application/json',
        },
        payload: JSON.stringify(payload),
      });

    it('is stored with an id and counts neither as a click nor twice as a vote', async () => {
      const url = await impUrl('first');
      for (let time = 0; time < 2; time += 1) {
        const answer = await send({
          sessionId: 'first',
          impUrl: url,
          sentiment: 'thumbs_up',
          reasons: ['helpful', 'my own words'],
          comment: 'x'.repeat(1000),
          placement: 'below_response',
          placementId: 'main',
          userId: 7,
          device: { os: 'iOS' },
        });
        assert.equal(answer.statusCode, 200, answer.body);
        assert.equal(answer.json().status, 'ok');
        assert.match(answer.json().feedbackId, /^[0-9a-f]{8}-[0-9a-f]{4}-/);
      }
      assert.deepEqual(
        await app.db.query(
          `select thumbs_up, thumbs_down from ad_feedback_totals where ad_id = $1`,
          [adId],
        ),
        [{ thumbs_up: 1, thumbs_down: 0 }],
      );
      assert.equal(
        (
          await app.db.query(
            `select 1 from ${eventFacts()} e where ad_id = $1 and kind = 'click'`,
            [adId],
          )
        ).length,
        0,
      );
      assert.equal((await verifyTotals(app.db)).isClean, true);
    });

    it('is one vote when a button sends many thumbs at once', async () => {
      const url = await impUrl('burst');
      const [before] = await app.db.query<{ thumbs_up: number }>(
        `select thumbs_up from ad_feedback_totals where ad_id = $1`,
        [adId],
      );
      const answers = await Promise.all(
        Array.from({ length: 16 }, () =>
          send({
            sessionId: 'burst',
            impUrl: url,
            sentiment: 'thumbs_up',
            comment: 'Write to me@people.example or call',
            reasons: ['ask you@people.example'],
          }),
        ),
      );
      assert.deepEqual(
        answers.map((answer) => answer.statusCode),
        answers.map(() => 200),
      );
      assert.deepEqual(
        await app.db.query(`select thumbs_up from ad_feedback_totals where ad_id = $1`, [adId]),
        [{ thumbs_up: (before?.thumbs_up ?? 0) + 1 }],
      );
      assert.deepEqual(
        await app.db.query(
          `select distinct comment, reasons from ad_feedback where session_id = $1`,
          [app.services.pseudonyms.session(publisher.id, 'burst')],
        ),
        [{ comment: 'Write to [email] or call', reasons: ['ask [email]'] }],
      );
    });

    it('reads the URL behind any host a proxy gave it', async () => {
      const url = await impUrl('proxied');
      assert.equal(
        (
          await send({
            sessionId: 'proxied',
            impUrl: url.replace(/^https?:\/\/[^/]+/, 'https://chat.example/t'),
            sentiment: 'thumbs_up',
          })
        ).statusCode,
        200,
      );
    });

    it('needs a publisher’s key before anything else', async () => {
      assert.equal((await send({}, null)).statusCode, 401);
      assert.equal((await send({}, 'sl_pub_unknown')).statusCode, 401);
      assert.equal((await send({}, (await app.newAdvertiser()).apiKey)).statusCode, 403);
    });

    it('refuses a token of another publisher and what is no token', async () => {
      const url = await impUrl('foreign');
      const other = await send(
        { sessionId: 's', impUrl: url, sentiment: 'thumbs_up' },
        (await app.newPublisher()).apiKey,
      );
      assert.deepEqual([other.statusCode, other.json()], [403, { detail: 'wrong_publisher' }]);
      for (const wrong of [
        'x',
        'https://a.example/ack',
        'https://a.example/ack?p=',
        `${url.slice(0, -2)}AA`,
        url.slice(0, -1),
        `${url}A`,
      ]) {
        const answer = await send({ sessionId: 's', impUrl: wrong, sentiment: 'thumbs_up' });
        assert.deepEqual(
          [answer.statusCode, answer.json()],
          [422, { detail: 'undecryptable_imp_url' }],
          wrong,
        );
      }
    });

    it('names the place of what is wrong', async () => {
      const valid = { sessionId: 's', impUrl: await impUrl('wrong'), sentiment: 'thumbs_up' };
      for (const [change, place] of [
        [{ sessionId: 5 }, 'sessionId'],
        [{ sessionId: '' }, 'sessionId'],
        [{ impUrl: null }, 'impUrl'],
        [{ sentiment: 'meh' }, 'sentiment'],
        [{ sentiment: undefined }, 'sentiment'],
        [{ reasons: 'x' }, 'reasons'],
        [{ reasons: [5] }, 'reasons'],
        [{ comment: 'x'.repeat(1001) }, 'comment'],
        [{ device: 5 }, 'device'],
      ] as const) {
        const answer = await send({ ...valid, ...change });
        assert.equal(answer.statusCode, 422, JSON.stringify(change));
        assert.ok(
          answer
            .json()
            .detail.some(
              (problem: { loc: string[] }) => problem.loc[0] === 'body' && problem.loc[1] === place,
            ),
          answer.body,
        );
      }
    });

    it('survives null characters and half characters', async () => {
      const url = await impUrl('odd');
      for (const odd of ['\u0000', '\ud800', '\u0007'])
        assert.equal(
          (
            await send({
              sessionId: `odd${odd}`,
              impUrl: url,
              sentiment: 'thumbs_up',
              reasons: [odd],
              comment: odd,
              userId: odd,
              placement: odd,
              placementId: odd,
            })
          ).statusCode,
          200,
          JSON.stringify(odd),
        );
    });

    it('is taken thirty times a minute for a session, not once more, and says when to come back', async () => {
      const url = await impUrl('limited');
      const one = (sessionId = 'limited') =>
        send({ sessionId, impUrl: url, sentiment: 'thumbs_up' });
      const statuses = (await Promise.all(Array.from({ length: 34 }, () => one()))).map(
        (answer) => answer.statusCode,
      );
      assert.equal(statuses.filter((status) => status === 200).length, 30);
      assert.equal(statuses.filter((status) => status === 429).length, 4);
      app.clock.now += 20_000;
      const refused = await one();
      assert.deepEqual(
        [refused.statusCode, refused.json(), refused.headers['retry-after']],
        [429, { detail: 'rate_limited' }, '40'],
      );
      assert.equal((await one('another')).statusCode, 200);
      app.clock.now += 39_999;
      assert.equal((await one()).statusCode, 429);
      app.clock.now += 1;
      assert.equal((await one()).statusCode, 200);
    });

    it('of a thumb down keeps the ad from that user or session', async () => {
      const mine = await impUrl('by-user', { user: { id: ' u1 ' } });
      assert.equal(
        (await send({ sessionId: 'by-user', impUrl: mine, sentiment: 'thumbs_down', userId: 'u1' }))
          .statusCode,
        200,
      );
      const session = await impUrl('by-session');
      assert.equal(
        (await send({ sessionId: 'by-session', impUrl: session, sentiment: 'thumbs_down' }))
          .statusCode,
        200,
      );
      // The notification has arrived when a later one has.
      await new Promise<void>(
        (resolve) =>
          void app.db
            .listen('heard', () => resolve())
            .then(() => app.db.query(`select pg_notify('heard', '')`)),
      );
      assert.equal((await ask('elsewhere', { user: { id: 'u1' } })).statusCode, 204);
      assert.equal((await ask('by-session')).statusCode, 204);
      assert.equal((await ask('elsewhere', { user: { id: 'u2' } })).statusCode, 200);
    });

    describe('what somebody decides by the link in an ad', () => {
      type Choice = { action: string; made: boolean };
      const linkOf = async (sessionId: string, extra: Record<string, unknown> = {}) => {
        const answer = await ask(sessionId, extra);
        assert.equal(answer.statusCode, 200, answer.body);
        const { pathname, search } = new URL(answer.json()[0].choicesUrl);
        return `${pathname}${search}`;
      };
      const look = (url: string, accept = 'application/json') =>
        app.http.inject({ url, headers: { accept } });
      const decide = (url: string, action: string, more = '', accept = 'application/json') =>
        app.http.inject({
          method: 'POST',
          url: `${url}&action=${action}${more}`,
          headers: { accept, 'content-type': 'application/x-www-form-urlencoded' },
        });
      const fills = async (sessionId: string, extra: Record<string, unknown> = {}) =>
        (await ask(sessionId, extra)).statusCode === 200;

      it('holds at once, for that user alone, and can be taken back', async () => {
        const user = { user: { id: 'decides' }, locale: 'de' };
        const link = await linkOf('decides', user);
        const seen = (await look(link)).json();
        assert.deepEqual(
          [seen.language, seen.scope, seen.disclosure.label, seen.disclosure.presentation],
          ['de', 'user', 'Anzeige', 'separate'],
        );
        assert.ok(seen.choices.every(({ made }: Choice) => !made));
        for (const action of ['hide_ad', 'hide_advertiser']) {
          const made = await decide(link, action);
          assert.equal(made.statusCode, 200, made.body);
          assert.equal(made.headers['access-control-allow-origin'], '*');
          assert.deepEqual(
            made
              .json()
              .choices.filter((one: Choice) => one.made)
              .map((one: Choice) => one.action),
            [action],
          );
          assert.equal(await fills('another session', user), false);
          assert.equal(await fills(`else ${action}`, { user: { id: 'somebody else' } }), true);
          assert.equal(await fills(`nobody ${action}`), true, 'nor without a user');
          assert.equal((await decide(link, action, '&undo=true')).statusCode, 200);
          assert.equal(await fills(`undone ${action}`, user), true);
        }
      });

      it('holds for the session where there is no user', async () => {
        const link = await linkOf('only a session');
        assert.equal((await look(link)).json().scope, 'session');
        await decide(link, 'hide_advertiser');
        assert.equal(await fills('only a session'), false);
        assert.equal(await fills('another one'), true);
      });

      it('takes nothing but its own ad, advertiser and topic', async () => {
        const wins = async (): Promise<string[]> => {
          await app.services.eventLog.drain();
          const rows = await app.db.query<{ id: string }>(
            `select id from events where kind = 'win'`,
          );
          return rows.map(({ id }) => id);
        };
        const before = await wins();
        const link = await linkOf('topical');
        assert.equal((await decide(link, 'hide_topic')).statusCode, 404, 'nobody read the topic');
        const served = (await wins()).filter((id) => !before.includes(id));
        assert.equal(served.length, 1);
        await app.db.query(
          `update events set data = data || '{"topic": "kayak"}' where kind = 'win' and id = any($1)`,
          [served],
        );
        assert.equal((await look(link)).json().topic, 'kayak');
        assert.equal((await decide(link, 'hide_topic')).statusCode, 200);
        assert.equal((await ask('topical')).headers['no-ad-reason'], 'excluded');
        assert.equal((await decide(link, 'hide_everything')).statusCode, 400);
      });

      it('no personalised ads: nothing is used or kept about who asks', async () => {
        const user = {
          user: { id: 'private', keywords: ['kayaks'], hashed_email: 'a'.repeat(64) },
        };
        const link = await linkOf('private', user);
        await decide(link, 'no_personalisation');
        const named = () =>
          app.db.query(
            `select 1 from events where kind = 'win' and coalesce(user_id, 'anonymous') <> 'anonymous'`,
          );
        const before = await named();
        assert.equal(await fills('private', user), true);
        assert.equal((await named()).length, before.length);
      });

      it('shows what is kept and deletes it', async () => {
        const user = { user: { id: 'forgets' } };
        const link = await linkOf('forgets', user);
        const before = (await look(link)).json();
        assert.match(before.kept[0].value, /^1 \(/);
        const done = await decide(link, 'delete', '', 'text/html');
        assert.equal(done.statusCode, 303);
        const page = await look(String(done.headers.location), 'text/html');
        assert.match(page.body, /Deleted\./);
        assert.match(page.body, /Nothing is kept that points to you\./);
        assert.equal((await verifyTotals(app.db)).isClean, true);
      });

      it('is a page without script that changes nothing by being looked at', async () => {
        const link = await linkOf('reads');
        for (let time = 0; time < 2; time += 1) {
          const page = await look(link, 'text/html,*/*');
          assert.equal(page.statusCode, 200);
          assert.match(page.body, /<h1>About this ad<\/h1>/);
          assert.ok(!page.body.includes('<script') && !page.body.includes('class="made"'));
          assert.match(String(page.headers['content-security-policy']), /default-src 'none'/);
          assert.equal(page.headers['referrer-policy'], 'no-referrer');
        }
        assert.equal((await look(`${link}&action=hide_ad`)).statusCode, 200);
        assert.equal(await fills('reads'), true);
      });

      it('is refused when it was not made here', async () => {
        const [path = '', query = ''] = (await linkOf('forged')).split('?');
        const token = path.split('/').at(-1) ?? '';
        const swap = (at: number): string =>
          token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
        const changed = [0, 2, 10, 30, 50, 70, 86].map(swap);
        for (const forged of ['x', token.slice(1), `${token}A`, ...changed]) {
          const url = `/ad-choices/${forged}?${query}`;
          assert.equal((await look(url)).statusCode, 400, forged);
          assert.equal((await decide(url, 'hide_ad')).statusCode, 400, forged);
        }
        assert.equal(await fills('forged'), true);
      });
    });

    it('on a test ad is taken and teaches nothing', async () => {
      const url = await impUrl('test', { testAd: true, user: { id: 'tester' } });
      const before = await app.db.query(`select * from ad_feedback_totals`);
      assert.equal(
        (await send({ sessionId: 'test', impUrl: url, sentiment: 'thumbs_down' })).statusCode,
        200,
      );
      assert.deepEqual(await app.db.query(`select * from ad_feedback_totals`), before);
      assert.equal(
        (await app.db.query(`select 1 from ad_dislikes where subject = 'tester'`)).length,
        0,
      );
    });
  });
}
