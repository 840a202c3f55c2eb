import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { insertLiveCampaign } from '../../../../test/support/live-campaign.js';
import { type OperatorCall, signInOperator } from '../../../../test/support/sign-in-operator.js';
import { buildTestApp, type TestApp } from '../../../../test/support/test-app.js';
import { testEngines } from '../../../../test/support/test-database.js';

for (const engine of testEngines()) {
  describe(`reading on the ${engine.name} engine`, () => {
    let app: TestApp;
    let publisher: { id: string; apiKey: string };
    let call: OperatorCall;
    let sessions = 0;
    before(async () => {
      app = await buildTestApp(await engine.open());
      publisher = await app.newPublisher();
      call = await signInOperator(app);
      const live = async (context: string): Promise<void> => {
        await insertLiveCampaign(app, (await app.newAdvertiser()).id, {
          context,
          maxCpmMicros: 5_000_000,
        });
      };
      await live('kayaks for beginners');
      await live('craft beer subscription');
    });
    after(() => app.close());

    const ask = (content: string, extra: Record<string, unknown> = {}) =>
      app.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${publisher.apiKey}` },
        payload: {
          messages: [{ role: 'user', content }],
          sessionId: `s${(sessions += 1)}`,
          placements: [{ placement: 'below_response', placement_id: 'main' }],
          ...extra,
        },
      });
    it('no ad comes with its reason, an ad without one', async () => {
      const reasonOf = async (...asked: Parameters<typeof ask>): Promise<unknown> => {
        const answer = await ask(...asked);
        assert.equal(answer.statusCode, 204, answer.body);
        return answer.headers['no-ad-reason'];
      };
      const served = await ask('which kayaks for beginners?');
      assert.equal(served.statusCode, 200);
      assert.equal(served.headers['no-ad-reason'], undefined);
      assert.equal(await reasonOf('hello there!'), 'no_need');
      assert.equal(await reasonOf('```js\nkayaks(beginners).forEach(buy)\n```'), 'no_need');
      assert.equal(await reasonOf('my dad died, kayaks for beginners'), 'sensitive');
      assert.equal(await reasonOf('a lawnmower for slopes'), 'no_fit');
      assert.equal(await reasonOf('недорогой отель рядом с морем'), 'language');
      assert.equal(
        await reasonOf('which kayaks for beginners?', { excludedTopics: ['kayaks'] }),
        'excluded',
      );
      assert.equal(
        await reasonOf('kayaks for beginners who like sports', { excludedTopics: ['IAB17'] }),
        'excluded',
      );
    });

    it('whoever is under age sees no trade for adults and is nobody in the records', async () => {
      const beer = 'craft beer subscription';
      assert.equal((await ask(beer, { user: { id: 'u1', age: '25-34' } })).statusCode, 200);
      for (const extra of [
        { user: { id: 'kid', age: '13-17' } },
        { user: { id: 'kid', age: 'minor' } },
        { user: { id: 'kid', minor: true } },
        { userId: 'kid', regs: { coppa: 1 } },
        { userId: 'kid', coppa: true },
      ]) {
        const answer = await ask(beer, extra);
        assert.deepEqual([answer.statusCode, answer.headers['no-ad-reason']], [204, 'consent']);
        assert.equal((await ask('kayaks for beginners', extra)).statusCode, 200);
      }
      assert.deepEqual(await app.db.query(`select 1 from events where user_id = 'kid'`), []);
    });

    it('operators and the publisher see what became of requests', async () => {
      const own = await app.http.inject({
        url: '/publisher-dashboard/no-ad-reasons?days=1',
        headers: { 'x-api-key': publisher.apiKey },
      });
      const report = own.json() as { totals: Record<string, number>; unread_share: number };
      assert.equal(own.statusCode, 200, own.body);
      assert.equal(report.totals['language'], 1);
      assert.ok((report.totals['served'] ?? 0) >= 7 && report.unread_share > 0);
      const all = await call('GET', '/operator/reading');
      assert.equal(all.status, 200);
      assert.deepEqual(all.body.totals, report.totals);
    });

    it('a conversation is explained to operators only', async () => {
      const messages = [{ role: 'user', content: 'kayaks for beginners' }];
      const explained = await call('POST', '/operator/reading', { messages });
      assert.equal(explained.status, 200);
      assert.equal(explained.body.refusal, null);
      assert.equal(explained.body.offers[0].offer, 'kayaks for beginners');
      const stranger = await app.http.inject({
        method: 'POST',
        url: '/operator/reading',
        payload: { messages },
      });
      assert.equal(stranger.statusCode, 401);
    });

    it('votes move the calibration of a place a little, and nothing that is frozen', async () => {
      const offsetNow = async (): Promise<number> => {
        const { offsets } = (await call('GET', '/operator/reading')).body as {
          offsets: { publisher_id: string; placement: string | null; offset: number }[];
        };
        return (
          offsets.find((row) => row.publisher_id === publisher.id && row.placement !== null)
            ?.offset ?? 0
        );
      };
      const vote = async (sentiment: string): Promise<void> => {
        const [ad] = (await ask('kayaks for beginners')).json() as { impUrl: string }[];
        const sent = { sessionId: `s${sessions}`, impUrl: ad?.impUrl, sentiment };
        // The same button twice is one vote.
        for (let time = 0; time < 2; time += 1)
          await app.http.inject({
            method: 'POST',
            url: '/ad-feedback',
            headers: { 'x-api-key': publisher.apiKey },
            payload: sent,
          });
      };
      await vote('thumbs_down');
      const first = await offsetNow();
      assert.ok(first < 0 && first > -0.02, String(first));
      await vote('thumbs_up');
      const second = await offsetNow();
      assert.ok(second > first, `${first} ${second}`);
      assert.equal((await call('PATCH', '/operator/reading', { frozen: true })).status, 200);
      await vote('thumbs_down');
      assert.equal(await offsetNow(), second);
      await call('PATCH', '/operator/reading', { frozen: false });
      await call('PATCH', '/operator/reading', {
        publisher_id: publisher.id,
        placement: 'below_response',
        frozen: false,
        reset: true,
      });
      assert.equal(await offsetNow(), 0);
    });
  });
}
