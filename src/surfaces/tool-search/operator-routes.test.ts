import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { addPerson } from '../accounts/open-account.js';

for (const engine of testEngines()) {
  describe(`operators and the tool index (${engine.name})`, () => {
    let app: TestApp;
    let headers: Record<string, string>;
    before(async () => {
      app = await buildTestApp(await engine.open());
      const login = { email: 'operator@test.example', password: 'correct horse' };
      await app.db.transaction((tx) =>
        addPerson(
          { tx, mintId: app.services.mintId, now: app.clock.now },
          { ...login, role: 'operator', accountId: null },
        ),
      );
      const session = await app.http.inject({ method: 'POST', url: '/session', payload: login });
      headers = {
        cookie: String(session.headers['set-cookie']).split(';')[0] ?? '',
        'x-csrf-token': session.json().csrf_token,
      };
    });
    after(() => app.close());

    it('a campaign is tied to a tool, listed, and untied', async () => {
      const advertiser = await app.newAdvertiser();
      const { campaignId } = await insertLiveCampaign(app, advertiser.id, {
        context: 'mail',
        billingModel: 'cpa',
        maxCpaMicros: 2_000_000,
      });
      const link = { slug: 'resend', campaign_id: campaignId };
      for (let n = 0; n < 2; n += 1)
        assert.equal(
          (
            await app.http.inject({
              method: 'PUT',
              url: '/operator/tool-campaigns',
              headers,
              payload: link,
            })
          ).statusCode,
          200,
        );
      const list = await app.http.inject({ url: '/operator/tool-campaigns', headers });
      assert.deepEqual(list.json(), {
        links: [
          {
            slug: 'resend',
            campaign_id: campaignId,
            advertiser_id: advertiser.id,
            campaign: 'Test campaign',
            is_live: true,
          },
        ],
      });
      assert.deepEqual([...app.toolSearch.campaigns.favoured()], ['resend']);
      await app.db.query(`update campaigns set end_time = $2 where id = $1`, [
        campaignId,
        new Date(app.clock.now + 1000),
      ]);
      await app.toolSearch.campaigns.refresh();
      app.clock.now += 2000;
      assert.deepEqual([...app.toolSearch.campaigns.favoured()], []);
      assert.equal(app.toolSearch.campaigns.campaignOf('resend'), null);
      const path = `/operator/tool-campaigns/resend/${campaignId}`;
      assert.equal(
        (await app.http.inject({ method: 'DELETE', url: path, headers })).statusCode,
        204,
      );
      assert.equal(
        (await app.http.inject({ method: 'DELETE', url: path, headers })).statusCode,
        404,
      );
      const [audit] = await app.db.query<{ count: number }>(
        `select count(*) as count from audit_log where entity = 'tool_campaign'`,
      );
      assert.equal(audit?.count, 3);
    });

    it('what can be tied: every tool by name, and campaigns that pay by result', async () => {
      const advertiser = await app.newAdvertiser();
      const { campaignId } = await insertLiveCampaign(app, advertiser.id, {
        context: 'queues',
        billingModel: 'cpa',
        maxCpaMicros: 3_500_000,
      });
      const { campaignId: perClick } = await insertLiveCampaign(app, advertiser.id, {
        context: 'queues',
        billingModel: 'cpc',
      });
      const { tools, campaigns } = (
        await app.http.inject({ url: '/operator/tool-campaigns/choices', headers })
      ).json() as {
        tools: { slug: string; name: string }[];
        campaigns: { campaign_id: string; max_cpa: number }[];
      };
      assert.ok(tools.some((tool) => tool.slug === 'resend' && tool.name === 'Resend'));
      assert.deepEqual(
        tools.map((tool) => tool.name),
        tools.map((tool) => tool.name).sort((a, b) => a.localeCompare(b, 'en')),
      );
      assert.equal(campaigns.find((one) => one.campaign_id === campaignId)?.max_cpa, 3.5);
      assert.ok(!campaigns.some((one) => one.campaign_id === perClick));
      assert.equal(
        (await app.http.inject({ url: '/operator/tool-campaigns/choices' })).statusCode,
        401,
      );
    });

    it('unknown tools and campaigns are 404, a missing field 422, a stranger 401', async () => {
      const put = (payload: object, as = headers) =>
        app.http.inject({ method: 'PUT', url: '/operator/tool-campaigns', headers: as, payload });
      assert.equal(
        (await put({ slug: 'nope', campaign_id: app.services.mintId(app.clock.now) })).statusCode,
        404,
      );
      assert.equal(
        (await put({ slug: 'resend', campaign_id: app.services.mintId(app.clock.now) })).statusCode,
        404,
      );
      assert.equal((await put({ slug: 'resend' })).statusCode, 422);
      assert.equal((await put({ slug: 'resend', campaign_id: 'x' }, {})).statusCode, 401);
    });

    it('gaps are counted by what was asked, whatever the case', async () => {
      const publisher = await app.newPublisher();
      for (const query of ['Write a haiku', 'write a haiku', 'send transactional email'])
        await app.http.inject({
          method: 'POST',
          url: '/search',
          headers: { 'x-api-key': publisher.apiKey },
          payload: { query },
        });
      const answer = await app.http.inject({ url: '/operator/search-gaps?days=1', headers });
      assert.equal(answer.statusCode, 200);
      const { gaps } = answer.json() as {
        gaps: {
          query: string;
          answer: string;
          searches: number;
          recommended: null;
          last_at: string;
        }[];
      };
      assert.equal(gaps.length, 1);
      assert.deepEqual(
        [gaps[0]?.query.toLowerCase(), gaps[0]?.answer, gaps[0]?.searches, gaps[0]?.recommended],
        ['write a haiku', 'none', 2, null],
      );
      assert.equal(
        (await app.http.inject({ url: '/operator/search-gaps?days=0', headers })).statusCode,
        422,
      );
    });

    it('searches older than what is kept are forgotten, and counted', async () => {
      const { countOldSearches } = await import('./queries.js');
      const [turns] = await app.db.query<{ count: number }>(
        `select count(*) as count from tool_search_turns`,
      );
      await countOldSearches(app.db, new Date(app.clock.now + 1));
      assert.deepEqual(
        await app.db.query(
          `select sum(searches)::bigint as count from search_days where kind = 'tool'`,
        ),
        [turns],
      );
      const [left] = await app.db.query<{ count: number }>(
        `select (select count(*) from tool_searches) + (select count(*) from tool_search_turns) as
             count`,
      );
      assert.equal(left?.count, 0);
    });
  });
}
