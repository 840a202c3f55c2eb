import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { hashPassword } from '../../src/platform/auth/password.js';
import { addKey } from '../../src/surfaces/accounts/open-account.js';
import { insertRandomTraffic, type Traffic } from '../support/random-traffic.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';

type Row = Record<string, string | number>;
const year = 'start_date=2026-01-01&end_date=2026-12-31';
const micros = (dollars: unknown): number => Math.round(Number(dollars) * 1e6);
const sum = (rows: readonly Row[], name: string): number =>
  rows.reduce((total, row) => total + micros(row[name]), 0);

for (const engine of testEngines()) {
  describe(`the same money everywhere on the ${engine.name} engine`, () => {
    let app: TestApp;
    let traffic: Traffic;
    let advertiserKey = '';
    let publisherKeys: string[] = [];
    before(async () => {
      app = await buildTestApp(await engine.open(), { now: Date.parse('2026-11-15T12:00:00Z') });
      traffic = await insertRandomTraffic(app, { seed: 11, events: 400 });
      const add = (kind: 'advertiser' | 'publisher', id: string) =>
        app.db.transaction((tx) =>
          addKey({ tx, mintId: app.services.mintId, now: app.clock.now }, kind, id, 'test'),
        );
      advertiserKey = await add('advertiser', traffic.advertiserId);
      publisherKeys = [
        await add('publisher', traffic.publisherIds[0] ?? ''),
        await add('publisher', traffic.publisherIds[1] ?? ''),
      ];
      await app.services.directory.refresh();
    });
    after(() => app.close());

    const json = async (key: string, path: string) =>
      (await app.http.inject({ url: path, headers: { 'x-api-key': key } })).json();
    const csv = async (key: string, path: string): Promise<Row[]> =>
      parse(
        (await app.http.inject({ url: path, headers: { 'x-api-key': key, accept: 'text/csv' } }))
          .body,
        { columns: true },
      );
    const tool = async (key: string, name: string, args: Record<string, unknown>) => {
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      };
      return (
        await app.http.inject({
          method: 'POST',
          url: '/mcp',
          headers: { 'x-api-key': key },
          payload: message,
        })
      ).json().result.structuredContent;
    };

    /** What the advertiser spent, by every way to ask. */
    async function spentEverywhere(tz: string): Promise<Record<string, number>> {
      const base = '/advertiser-dashboard';
      const range = `${year}&tz=${tz}`;
      const metrics = await json(advertiserKey, `${base}/metrics?${range}`);
      const groups = (
        await json(advertiserKey, `${base}/ad-group-metrics?${range}&include_archived=true`)
      ).ad_groups;
      const units = (await json(advertiserKey, `${base}/ad-unit-metrics?${range}`)).ad_units;
      const perCampaign = [];
      for (const id of traffic.campaignIds)
        perCampaign.push(await json(advertiserKey, `${base}/metrics?${range}&campaign_id=${id}`));
      const asTool = await tool(advertiserKey, 'advertiser_get_metrics', {
        start_date: '2026-01-01',
        end_date: '2026-12-31',
        tz,
      });
      return {
        metrics: micros(metrics.total_spend),
        days: sum(metrics.data, 'spend'),
        campaigns: sum(perCampaign, 'total_spend'),
        csv: sum(await csv(advertiserKey, `${base}/metrics?${range}`), 'spend'),
        mcp: micros(asTool.total_spend),
        groupsAndUnits: sum(groups, 'total_spend') + sum(units, 'total_spend'),
        groupAndUnitDays: [...groups, ...units].reduce(
          (total, series) => total + sum(series.data, 'spend'),
          0,
        ),
        groupAndUnitCsv:
          sum(
            await csv(advertiserKey, `${base}/ad-group-metrics?${range}&include_archived=true`),
            'spend',
          ) + sum(await csv(advertiserKey, `${base}/ad-unit-metrics?${range}`), 'spend'),
        lifetime: sum((await json(advertiserKey, `${base}/campaigns`)).campaigns, 'spend'),
        billing: micros((await json(advertiserKey, `${base}/billing`)).total_spend_dollars),
        events: sum(await csv(advertiserKey, `${base}/exports/events?${range}`), 'spend'),
      };
    }

    /** What the publishers earned. */
    async function earnedEverywhere(tz: string): Promise<Record<string, number>> {
      const base = '/publisher-dashboard';
      const earned: Record<string, number> = {};
      const add = (name: string, value: number) => (earned[name] = (earned[name] ?? 0) + value);
      for (const key of publisherKeys) {
        const stats = await json(key, `${base}/stats?${year}&tz=${tz}`);
        add('stats', micros(stats.totalRevenue));
        add('days', sum(stats.timeSeries, 'revenue'));
        add('csv', sum(await csv(key, `${base}/stats?${year}&tz=${tz}`), 'revenue'));
        add(
          'mcp',
          micros(
            (
              await tool(key, 'publisher_get_stats', {
                start_date: '2026-01-01',
                end_date: '2026-12-31',
                tz,
              })
            ).totalRevenue,
          ),
        );
        add('funnel', micros((await json(key, `${base}/funnel?${year}&tz=${tz}`)).total_revenue));
        add(
          'placements',
          sum((await json(key, `${base}/placements?${year}`)).placements, 'revenue'),
        );
        add('devices', sum((await json(key, `${base}/devices?${year}`)).devices, 'revenue'));
        add('geography', sum((await json(key, `${base}/geography?${year}`)).countries, 'revenue'));
        add(
          'users',
          (await json(key, `${base}/users`)).users.reduce(
            (total: number, user: Row) => total + Number(user['revenue_microdollars']),
            0,
          ),
        );
        add('events', sum(await csv(key, `${base}/exports/events?${year}&tz=${tz}`), 'revenue'));
      }
      return earned;
    }

    /** Disclosed impressions, by every way to ask, of both sides. */
    async function disclosedEverywhere(): Promise<number[]> {
      const [adv, pub] = ['/advertiser-dashboard', '/publisher-dashboard'];
      const metrics = await json(advertiserKey, `${adv}/metrics?${year}`);
      const days = { start_date: '2026-01-01', end_date: '2026-12-31' };
      const asTool = await tool(advertiserKey, 'advertiser_get_metrics', days);
      const counts = [
        metrics.total_disclosed_impressions,
        asTool.total_disclosed_impressions,
        sum(metrics.data, 'disclosed_impressions') / 1e6,
        sum(await csv(advertiserKey, `${adv}/metrics?${year}`), 'disclosed_impressions') / 1e6,
        (await csv(advertiserKey, `${adv}/exports/events?${year}&kind=disclosed`)).length,
      ];
      let [funnels, lines, exported] = [0, 0, 0];
      for (const key of publisherKeys) {
        const funnel = await json(key, `${pub}/funnel?${year}`);
        funnels += funnel.total_disclosed;
        lines += sum(await csv(key, `${pub}/funnel?${year}`), 'disclosed') / 1e6;
        exported += (await csv(key, `${pub}/exports/events?${year}&kind=disclosed`)).length;
      }
      return [...counts, funnels, lines, exported];
    }

    it('every report, tool and file counts the same disclosed impressions', async () => {
      const counts = await disclosedEverywhere();
      const raw = traffic.events.filter(
        (event) => event.kind === 'disclosed' && event.test !== true,
      ).length;
      assert.ok(raw > 0);
      assert.deepEqual(
        counts,
        counts.map(() => raw),
      );
    });

    async function agree(): Promise<{ spent: number; earned: number }> {
      const seen = new Set<number>();
      const seenEarned = new Set<number>();
      for (const tz of ['UTC', 'Asia/Kathmandu', 'America/New_York']) {
        const [spent, earned] = [await spentEverywhere(tz), await earnedEverywhere(tz)];
        for (const amount of Object.values(spent)) seen.add(amount);
        for (const amount of Object.values(earned)) seenEarned.add(amount);
        assert.equal(seen.size, 1, JSON.stringify(spent));
        assert.equal(seenEarned.size, 1, JSON.stringify(earned));
      }
      return { spent: [...seen][0] ?? 0, earned: [...seenEarned][0] ?? 0 };
    }

    it('every report, tool, file and bill agrees to the microdollar, before and after traffic is taken back', async () => {
      const before = await agree();
      const counted = traffic.events.filter((event) => event.test !== true);
      assert.equal(
        before.spent,
        counted.reduce((total, event) => total + (event.spendMicros ?? 0), 0),
      );
      assert.equal(
        before.earned,
        counted.reduce((total, event) => total + (event.revenueMicros ?? 0), 0),
      );

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
      const headers = {
        cookie: String(login.headers['set-cookie']).split(';')[0] ?? '',
        'x-csrf-token': login.json().csrf_token,
      };
      const taken = await app.http.inject({
        method: 'POST',
        url: '/operator/refunds',
        headers,
        payload: {
          campaign_id: traffic.campaignIds[0],
          from: '2026-01-01T00:00:00Z',
          to: '2026-06-30T00:00:00Z',
          reason: 'click farm',
        },
      });
      assert.equal(taken.statusCode, 200, taken.body);
      const restated = await agree();
      assert.equal(restated.spent, before.spent - micros(taken.json().spend));
      assert.ok(restated.spent < before.spent && restated.earned < before.earned);
    });
  });
}
