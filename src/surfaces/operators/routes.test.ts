import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { hashPassword } from '../../platform/auth/password.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';

const browser =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

for (const engine of testEngines()) {
  describe(`operators on the ${engine.name} engine`, () => {
    let app: TestApp;
    let headers: Record<string, string>;
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
      headers = {
        cookie: String(login.headers['set-cookie']).split(';')[0] ?? '',
        'x-csrf-token': login.json().csrf_token,
      };
    });
    after(() => app.close());

    const refund = (payload: Record<string, unknown>) =>
      app.http.inject({ method: 'POST', url: '/operator/refunds', headers, payload });

    it('block and unblock a publisher, which is then where it was: approved or still waiting', async () => {
      for (const status of ['pending', 'approved']) {
        const { id } = await app.newPublisher();
        const set = (to: string) =>
          app.http.inject({
            method: 'PATCH',
            url: `/operator/publishers/${id}`,
            headers,
            payload: { status: to },
          });
        const listed = async () =>
          (await app.http.inject({ url: '/operator/accounts', headers }))
            .json()
            .accounts.find((one: { id: string }) => one.id === id);
        await set(status);
        for (let times = 0; times < 2; times += 1) await set('blocked');
        const blocked = await listed();
        assert.deepEqual([blocked.status, blocked.status_before_block], ['blocked', status]);
        await set(blocked.status_before_block);
        const after = await listed();
        assert.deepEqual([after.status, after.status_before_block], [status, null]);
      }
    });

    it('take traffic back once: every total of that time is restated, the money returns, the totals still agree', async () => {
      const publisher = await app.newPublisher();
      const advertiser = await app.newAdvertiser();
      const campaign = await insertLiveCampaign(app, advertiser.id, {
        context: 'bicycle insurance',
        maxCpmMicros: 5_000_000,
      });
      for (let round = 0; round < 4; round += 1) {
        const answer = await app.http.inject({
          method: 'POST',
          url: '/api/v1/ad',
          headers: { authorization: `Bearer ${publisher.apiKey}` },
          payload: {
            messages: [{ role: 'user', content: 'which bicycle insurance is good?' }],
            sessionId: `s${round}`,
            placements: [{ placement: 'below_response', placement_id: 'x' }],
          },
        });
        const [ad] = answer.json();
        for (const url of [ad.impUrl, ad.clickUrl]) {
          app.clock.now += 2000;
          await app.http.inject({
            url: url.slice(url.indexOf('/', 8)),
            headers: { 'user-agent': browser },
          });
        }
      }
      const sums = () =>
        app.db.query<Record<string, number>>(
          `select (select sum(impressions)::bigint from campaign_totals where campaign_id = $1) as
               impressions,
             (select sum(clicks)::bigint from ad_group_totals where campaign_id = $1) as clicks,
             (select sum(spend_micros)::bigint from totals where campaign_id = $1) as spend,
             (select sum(revenue_micros)::bigint from publisher_totals where publisher_id = $2) as
               revenue,
             (
               select sum(impressions)::bigint
               from publisher_days
               where publisher_id = $2 and dimension = 'device'
             ) as by_device,
             (select sum(impressions)::bigint from publisher_users where publisher_id = $2) as
               by_user,
             (select sum(invalid_impressions)::bigint from campaign_hours where campaign_id = $1) as
               invalid, (select spent_micros from budgets where scope_id = $1) as spent`,
          [campaign.campaignId, publisher.id],
        );
      const [before] = await sums();
      assert.deepEqual(
        [
          before?.['impressions'],
          before?.['clicks'],
          before?.['by_device'],
          before?.['by_user'],
          before?.['invalid'],
        ],
        [4, 4, 4, 4, 0],
      );
      assert.ok((before?.['spend'] ?? 0) > 0 && before?.['spend'] === before?.['spent']);
      const reported = async (by: string, key: string) =>
        (await app.http.inject({ url: `/operator/report?days=2&by=${by}`, headers }))
          .json()
          .rows.find((row: { key: string }) => row.key === key);
      const dollars = (name: string): number => (before?.[name] ?? 0) / 1e6;
      const line = await reported('campaign', campaign.campaignId);
      assert.deepEqual(
        [line.impressions, line.clicks, line.spend, line.payout, line.requests],
        [4, 4, dollars('spend'), dollars('revenue'), null],
      );
      assert.equal(line.margin, Math.round((line.spend - line.payout) * 1e6) / 1e6);
      const { rows: groups, total } = (
        await app.http.inject({
          url: `/operator/report?days=2&by=ad_group&campaign_id=${campaign.campaignId}`,
          headers,
        })
      ).json();
      assert.deepEqual([groups.length, groups[0].clicks, total.requests], [1, 4, null]);
      const ads = (
        await app.http.inject({
          url: `/operator/report?days=2&by=ad&ad_group_id=${groups[0].key}`,
          headers,
        })
      ).json();
      assert.deepEqual([ads.rows.length, ads.total.impressions, ads.total.requests], [1, 4, null]);
      const host = await reported('publisher', publisher.id);
      assert.deepEqual([host.requests, host.wins, host.fill_rate], [4, 4, 1]);
      await app.serving.counts.save();
      const byDevice = (
        await app.http.inject({
          url: '/publisher-dashboard/report?days=2&by=device',
          headers: { 'x-api-key': publisher.apiKey },
        })
      ).json();
      assert.deepEqual(
        [byDevice.total.requests, byDevice.total.wins, byDevice.total.impressions],
        [4, 4, 4],
      );
      const places = (
        await app.http.inject({ url: '/operator/report?days=2&by=country', headers })
      ).json();
      assert.equal(
        places.rows.reduce((sum: number, row: { requests: number }) => sum + row.requests, 0),
        places.total.requests,
      );
      assert.ok(places.total.requests >= 4);
      const topics = (
        await app.http.inject({
          url: '/advertiser-dashboard/report?days=2&by=topic',
          headers: { 'x-api-key': advertiser.apiKey },
        })
      ).json();
      assert.deepEqual(
        [topics.total.impressions, topics.total.clicks, topics.total.spend],
        [4, 4, dollars('spend')],
      );
      assert.equal(topics.total.conversions, null);
      const ofAll = async (filter: string) =>
        (
          await app.http.inject({ url: `/operator/report?days=2&by=topic${filter}`, headers })
        ).json();
      const network = await ofAll(`&advertiser_id=${advertiser.id}`);
      assert.deepEqual(
        network.rows.map((row: { key: string; clicks: number }) => [row.key, row.clicks]),
        topics.rows.map((row: { key: string; clicks: number }) => [row.key, row.clicks]),
      );
      const { impressions, wins, spend, payout, margin, requests, conversions } = network.total;
      assert.deepEqual(
        [impressions, wins, spend, payout, margin, requests, conversions],
        [4, 4, dollars('spend'), dollars('revenue'), line.margin, null, null],
      );
      assert.equal((await ofAll(`&publisher_id=${app.services.mintId(0)}`)).row_count, 0);
      const everybody = await ofAll('');
      assert.ok(everybody.total.impressions >= 4 && everybody.total.conversion_value === null);
      // As it happens, each account sees its own, and nobody a person.
      const live = async (url: string, key: Record<string, string>) => {
        const answer = await app.http.inject({ url, headers: key });
        assert.equal(answer.statusCode, 200, answer.body);
        for (const event of answer.json().events)
          assert.deepEqual(Object.keys(event).sort(), [
            'at',
            'campaign',
            'country',
            'device',
            'kind',
            'placement',
            'publisher',
            'reason',
          ]);
        return (answer.json().events as { kind: string; campaign: string | null }[])
          .map(({ kind }) => kind)
          .sort();
      };
      const shown = ['click', 'impression', 'win'].flatMap((kind) => Array(4).fill(kind));
      assert.deepEqual(
        await live('/advertiser-dashboard/live', { 'x-api-key': advertiser.apiKey }),
        shown,
      );
      const asked = [...shown, ...Array(4).fill('request')].sort();
      assert.deepEqual(
        await live('/publisher-dashboard/live', { 'x-api-key': publisher.apiKey }),
        asked,
      );
      const stranger = (await app.newAdvertiser()).apiKey;
      assert.deepEqual(await live('/advertiser-dashboard/live', { 'x-api-key': stranger }), []);
      assert.ok((await live('/operator/live', headers)).length >= asked.length);
      const trend = await app.http.inject({
        url: `/advertiser-dashboard/trends?days=2&campaign_ids=${campaign.campaignId},${app.services.mintId(0)}`,
        headers: { 'x-api-key': advertiser.apiKey },
      });
      const [line2, none] = trend.json().campaigns;
      const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);
      assert.equal(sum(line2.clicks), 4);
      assert.equal(Math.round(sum(line2.spend) * 1e6), before?.['spend']);
      assert.deepEqual([sum(none.clicks), sum(none.spend)], [0, 0]);
      for (const [of, id] of [
        ['advertiser', advertiser.id],
        ['publisher', publisher.id],
        ['campaign', campaign.campaignId],
      ]) {
        const lines = await app.http.inject({
          url: `/operator/trends?days=2&of=${of}&ids=${id},${app.services.mintId(0)}`,
          headers,
        });
        const [own, other] = lines.json().rows;
        assert.deepEqual([own.id, sum(own.clicks), sum(other.clicks)], [id, 4, 0], of);
        assert.equal(
          Math.round(sum(own.money) * 1e6),
          before?.[of === 'publisher' ? 'revenue' : 'spend'],
        );
      }
      const filter = {
        campaign_id: campaign.campaignId,
        from: new Date(app.clock.now - 3_600_000).toISOString(),
        to: new Date(app.clock.now + 1).toISOString(),
        reason: 'click farm',
      };
      const answer = await refund(filter);
      assert.equal(answer.statusCode, 200, answer.body);
      assert.deepEqual(answer.json(), { events: 8, spend: (before?.['spend'] ?? 0) / 1e6 });
      const [after] = await sums();
      assert.deepEqual(after, {
        impressions: 0,
        clicks: 0,
        spend: 0,
        revenue: 0,
        by_device: 0,
        by_user: 0,
        invalid: 4,
        spent: 0,
      });
      const report = await verifyTotals(app.db);
      assert.equal(report.isClean, true, JSON.stringify(report));
      assert.deepEqual((await refund(filter)).json(), { events: 0, spend: 0 });
    });

    it('name an account and a time for a refund', async () => {
      const times = { from: '2026-01-01', to: '2026-01-02', reason: 'x' };
      assert.equal((await refund(times)).statusCode, 422);
      assert.equal((await refund({ ...times, campaign_id: 'nobody' })).statusCode, 404);
      assert.equal(
        (await refund({ ...times, campaign_id: app.services.mintId(0), from: 'yesterday' }))
          .statusCode,
        422,
      );
      assert.equal(
        (await refund({ ...times, campaign_id: app.services.mintId(0), reason: '' })).statusCode,
        422,
      );
    });

    it('approve and block accounts at once', async () => {
      const publisher = await app.newPublisher({ status: 'pending' });
      const ask = () =>
        app.http.inject({
          method: 'POST',
          url: '/api/v1/ad',
          headers: { authorization: `Bearer ${publisher.apiKey}` },
          payload: {
            messages: [{ role: 'user', content: 'hi' }],
            sessionId: 's',
            placements: [{ placement: 'top_page', placement_id: 'x' }],
          },
        });
      const set = (status: string) =>
        app.http.inject({
          method: 'PATCH',
          url: `/operator/publishers/${publisher.id}`,
          headers,
          payload: { status },
        });
      assert.equal((await ask()).statusCode, 403);
      assert.equal((await set('approved')).statusCode, 200);
      assert.equal((await ask()).statusCode, 204);
      await set('blocked');
      assert.equal((await ask()).statusCode, 403);
      const advertiser = await app.newAdvertiser();
      await app.http.inject({
        method: 'PATCH',
        url: `/operator/advertisers/${advertiser.id}`,
        headers,
        payload: { status: 'blocked' },
      });
      const blocked = await app.http.inject({
        url: '/advertiser-dashboard/leads',
        headers: { 'x-api-key': advertiser.apiKey },
      });
      assert.deepEqual([blocked.statusCode, blocked.json()], [403, { detail: 'account_blocked' }]);
      for (const id of ['nobody', app.services.mintId(app.clock.now)])
        assert.equal(
          (
            await app.http.inject({
              method: 'PATCH',
              url: `/operator/publishers/${id}`,
              headers,
              payload: { status: 'approved' },
            })
          ).statusCode,
          404,
        );
    });

    it('are answered what is stored after an edit, and told of a field that is none', async () => {
      const [publisher, advertiser] = [await app.newPublisher(), await app.newAdvertiser()];
      const merchant = app.services.mintId(app.clock.now);
      await app.db.query(
        `insert into merchants (id, slug, name, store_url, platform, created_at)
         values ($1, $2, 'Edited', 'https://edited.example', 'feed', now())`,
        [merchant, `edited-${merchant}`],
      );
      const edit = async (path: string, payload: object) => {
        const url = `/operator/${path}`;
        const answer = await app.http.inject({ method: 'PATCH', url, headers, payload });
        return [answer.statusCode, answer.json()];
      };
      const [shown] = await app.db.query<{ revenue_share_bps: number }>(
        'select revenue_share_bps from publishers where id = $1',
        [publisher.id],
      );
      assert.deepEqual(await edit(`publishers/${publisher.id}`, { native: true, note: 'x' }), [
        200,
        { id: publisher.id, status: 'approved', native: true, ...shown },
      ]);
      assert.deepEqual(await edit(`advertisers/${advertiser.id}`, { billing_enabled: false }), [
        200,
        { id: advertiser.id, status: 'active', billing_enabled: false },
      ]);
      assert.deepEqual(await edit(`catalog/merchants/${merchant}`, { commission_bps: 100 }), [
        200,
        {
          id: merchant,
          commission_bps: 100,
          campaign_id: null,
          store_url: 'https://edited.example',
        },
      ]);
      const audit = await app.http.inject({ url: '/operator/audit', headers });
      const entry = audit
        .json()
        .entries.find((one: { entity_id: string }) => one.entity_id === publisher.id);
      assert.deepEqual(entry.after, { native: true });
      for (const [path, sent, name, msg] of [
        [`publishers/${publisher.id}`, { nativ: true }, 'nativ', 'did you mean native?'],
        [`publishers/${publisher.id}`, { status: 'blocked', nativ: true }, 'nativ', 'native?'],
        [
          `catalog/merchants/${merchant}`,
          { comission_bps: 100 },
          'comission_bps',
          'did you mean commission_bps?',
        ],
        [
          `advertisers/${advertiser.id}`,
          { bogus: 1 },
          'bogus',
          'Unknown field; known are status, billing_enabled',
        ],
      ] as const) {
        const [status, { detail }] = await edit(path, sent);
        assert.equal(status, 422, name);
        assert.deepEqual(detail[0].loc, ['body', name]);
        assert.ok(detail[0].msg.endsWith(msg), detail[0].msg);
      }
      const [kept] = await app.db.query('select status from publishers where id = $1', [
        publisher.id,
      ]);
      assert.deepEqual(kept, { status: 'approved' });
    });

    it('learn of a request which of its views and clicks counted, and why the others did not', async () => {
      const publisher = await app.newPublisher();
      await insertLiveCampaign(app, (await app.newAdvertiser()).id, {
        context: 'canoe rental on a river',
        maxCpmMicros: 5_000_000,
      });
      const ask = () =>
        app.http.inject({
          method: 'POST',
          url: '/api/v1/ad',
          headers: { authorization: `Bearer ${publisher.apiKey}` },
          payload: {
            messages: [{ role: 'user', content: 'where is a canoe rental on the river?' }],
            sessionId: 'by-hand',
            placements: [{ placement: 'below_response', placement_id: 'x' }],
          },
        });
      // Another answer of the same moment must not be mixed in.
      const [answer, other] = [await ask(), await ask()];
      const open = async (from: typeof answer, url: 'impUrl' | 'clickUrl', agent: string) => {
        app.clock.now += 1000;
        const address: string = from.json()[0][url];
        await app.http.inject({
          url: address.slice(address.indexOf('/', 8)),
          headers: { 'user-agent': agent },
        });
      };
      await open(answer, 'impUrl', 'curl/8.5.0');
      await open(answer, 'clickUrl', 'curl/8.5.0');
      await open(other, 'clickUrl', 'Mozilla/5.0 (compatible; Googlebot/2.1)');
      await open(answer, 'impUrl', browser);
      const told = async (from: typeof answer) =>
        (
          await app.http.inject({
            url: `/operator/decisions/${String(from.headers['x-ad-request-id'])}`,
            headers,
          })
        )
          .json()
          .beacons.map((one: Record<string, unknown>) => [
            one['kind'],
            one['counted'],
            one['not_counted_because'],
          ]);
      assert.deepEqual(await told(answer), [
        ['impression', false, 'library_agent'],
        ['click', false, 'library_agent'],
        ['impression', true, null],
      ]);
      assert.deepEqual(await told(other), [['click', false, 'bot']]);
    });

    it('read what the server was started with, and of secrets only whether they are set', async () => {
      const { settings } = (await app.http.inject({ url: '/operator/settings', headers })).json();
      const found = (name: string) =>
        settings.find((one: { name: string }) => one.name === name) as Record<string, unknown>;
      assert.deepEqual(
        [found('REVIEW')['is_secret'], found('EARNINGS_HOLD_DAYS')['is_secret']],
        [false, false],
      );
      for (const one of settings as { is_secret: boolean; value: string; about: string }[]) {
        if (one.is_secret) assert.ok(['', '(set)'].includes(one.value));
        assert.notEqual(one.about, '');
      }
      assert.equal(found('SECRET_KEY')['is_secret'], true);
    });

    it('are asked who they are on every page of theirs', async () => {
      for (const url of [
        '/operator/accounts',
        '/operator/nodes',
        '/operator/report',
        '/operator/live',
        '/operator/settings',
        '/operator/audit',
        '/operator/invalid-traffic',
        `/operator/decisions/${app.services.mintId(0)}`,
      ]) {
        assert.equal((await app.http.inject({ url })).statusCode, 401, url);
        assert.equal(
          (
            await app.http.inject({
              url,
              headers: { 'x-api-key': (await app.newAdvertiser()).apiKey },
            })
          ).statusCode,
          401,
          url,
        );
        assert.ok([200, 404].includes((await app.http.inject({ url, headers })).statusCode), url);
      }
      assert.equal(
        (
          await app.http.inject({
            method: 'POST',
            url: '/operator/refunds',
            headers: { cookie: headers['cookie'] ?? '' },
            payload: {},
          })
        ).statusCode,
        403,
      );
    });
  });
}
