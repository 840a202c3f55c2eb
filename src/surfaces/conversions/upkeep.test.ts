import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hashPassword } from '../../platform/auth/password.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';
import { makeClick } from '../../../test/support/make-click.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { sweepConversions } from './jobs.js';

const dayMs = 86_400_000;

for (const engine of testEngines()) {
  describe(`upkeep of conversions on the ${engine.name} engine`, () => {
    let app: TestApp;
    let operator: Record<string, string>;
    before(async () => {
      app = await buildTestApp(await engine.open());
      await app.db.query(
        `insert into people (id, email, password_hash, role)
         values ($1, 'op@test.example', $2, 'operator')`,
        [app.services.mintId(app.clock.now), await hashPassword('correct horse')],
      );
      const login = await app.http.inject({
        method: 'POST',
        url: '/session',
        payload: { email: 'op@test.example', password: 'correct horse' },
      });
      operator = {
        cookie: String(login.headers['set-cookie']).split(';')[0] ?? '',
        'x-csrf-token': login.json().csrf_token,
      };
    });
    after(() => app.close());

    const send = (apiKey: string, event: Record<string, unknown>) =>
      app.http.inject({
        method: 'POST',
        url: '/gateway/events',
        headers: { authorization: `Bearer ${apiKey}` },
        payload: {
          data: [
            { event_name: 'Purchase', event_time: Math.floor(app.clock.now / 1000), ...event },
          ],
        },
      });
    const stats = async (apiKey: string) =>
      (
        await app.http.inject({
          url: '/advertiser-dashboard/events/conversion-stats',
          headers: { 'x-api-key': apiKey },
        })
      ).json();

    it('lets the operator set what currencies are worth, for conversions from then on', async () => {
      const { apiKey, id } = await app.newAdvertiser();
      const put = (rates: Record<string, unknown>, headers = operator) =>
        app.http.inject({
          method: 'PUT',
          url: '/operator/currency-rates',
          headers,
          payload: { rates },
        });
      await send(apiKey, { event_id: '1', custom_data: { value: 100, currency: 'JPY' } });
      assert.deepEqual((await put({ jpy: 0.0065, EUR: 1.1 })).json(), {
        rates: { EUR: 1.1, JPY: 0.0065 },
      });
      assert.deepEqual((await put({ EUR: 1.2, JPY: 0.0065 })).json(), {
        rates: { EUR: 1.2, JPY: 0.0065 },
      });
      await send(apiKey, { event_id: '2', custom_data: { value: 100, currency: 'JPY' } });
      const rows = await app.db.query(
        `select amount_micros as amount, value_micros as value
         from conversions
         where advertiser_id = $1
         order by event_id`,
        [id],
      );
      assert.deepEqual(rows, [
        { amount: 100_000_000, value: 0 },
        { amount: 100_000_000, value: 650_000 },
      ]);
      for (const bad of [{ USD: 2 }, { ZZZ: 1 }, { EUR: 0 }, { EUR: 'x' }, { EUR: -1 }])
        assert.equal((await put(bad)).statusCode, 422, JSON.stringify(bad));
      assert.equal((await put({ EUR: 1 }, {})).statusCode, 401);
    });

    it('removes the rates the operator no longer names', async () => {
      const put = async (rates: Record<string, number>) =>
        (
          await app.http.inject({
            method: 'PUT',
            url: '/operator/currency-rates',
            headers: operator,
            payload: { rates },
          })
        ).json();
      await put({ EUR: 1.2, JPY: 0.0065 });
      assert.deepEqual(await put({ EUR: 1.3 }), { rates: { EUR: 1.3 } });
      assert.deepEqual(await put({}), { rates: {} });
    });

    it('counts a conversion that is taken back nowhere', async () => {
      const { apiKey, id } = await app.newAdvertiser();
      const click = await makeClick(app, id);
      await send(apiKey, { event_id: 'a', user_data: { click_id: click.grclid } });
      await send(apiKey, { event_id: 'b' });
      const refund = await app.http.inject({
        method: 'POST',
        url: '/operator/refunds',
        headers: operator,
        payload: {
          campaign_id: click.campaignId,
          from: new Date(app.clock.now - dayMs).toISOString(),
          to: new Date(app.clock.now + dayMs).toISOString(),
          reason: 'test',
        },
      });
      assert.equal(refund.statusCode, 200, refund.body);
      const { total, by_event_type } = await stats(apiKey);
      assert.deepEqual([total, by_event_type], [1, [{ event_type: 'Purchase', total: 1 }]]);
      assert.equal((await verifyTotals(app.db)).isClean, true);
      // A click taken back earns no credit any more.
      assert.equal(
        (await send(apiKey, { event_id: 'c', user_data: { click_id: click.grclid } })).json()
          .results[0].attributed,
        false,
      );
    });

    // Last: it moves the clock past the operator's session.
    it('forgets repeats, sessions, links and conversions in time, and keeps the counts', async () => {
      const { apiKey, id } = await app.newAdvertiser();
      const click = await makeClick(app, id);
      await send(apiKey, {
        event_id: 'old',
        user_data: { click_id: click.grclid, visitor_id: 'v' },
      });
      const left = async (): Promise<number[]> => {
        const tables = ['conversion_keys', 'click_links', 'conversions', 'conversion_counts'];
        return Promise.all(
          tables.map(
            async (table) =>
              (await app.db.query(`select 1 from ${table} where advertiser_id = $1`, [id])).length,
          ),
        );
      };
      const sweep = () =>
        sweepConversions({
          db: app.db,
          clock: () => app.clock.now,
          clickWindowMs: 30 * dayMs,
          retentionDays: 400,
        });
      await sweep();
      assert.deepEqual(await left(), [1, 1, 1, 1]);
      app.clock.now += 2 * dayMs + 1000;
      await sweep();
      assert.deepEqual(await left(), [0, 1, 1, 1]);
      app.clock.now += 36 * dayMs;
      await sweep();
      assert.deepEqual(await left(), [0, 0, 1, 1]);
      app.clock.now += 362 * dayMs;
      await sweep();
      assert.deepEqual(await left(), [0, 0, 0, 1]);
    });
  });
}
