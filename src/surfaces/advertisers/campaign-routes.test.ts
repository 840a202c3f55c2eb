import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { creditDay } from '../../domain/billing/paying-scopes.js';
import { campaignBody, managing } from '../../../test/support/managed-campaign.js';
import { testEngines } from '../../../test/support/test-database.js';
import { openAdvertisers } from '../../../test/support/open-advertisers.js';

for (const engine of testEngines()) {
  describe(`campaigns on the ${engine.name} engine`, () => {
    const site = openAdvertisers(engine);
    const { open } = site;

    it('a whole campaign is made from one body and shown back', async () => {
      const call = await open();
      const { status, body } = await call(
        'POST',
        'campaigns',
        campaignBody({
          status: 'active',
          campaign_objective: 'clicks',
          billing_model: 'cpc',
          bid_strategy: 'bid_cap',
          max_cpc: 1.25,
          max_cpm: 0,
          click_goal: 100,
          start_time: '2026-01-01T00:00:00',
          end_time: '2027-01-01T02:00:00+02:00',
          allowed_countries: ['us', 'DE', 'us'],
          allowed_devices: ['Mobile'],
          utm_params: [{ key: 'utm_source', value: 'sidelight' }],
          demographics: { genders: ['Female'], age_ranges: ['25-34'], interests: ['Running'] },
          lead_form_config: {
            title: 'Ask us',
            fields: [{ name: 'email', label: 'E-mail', type: 'email', required: true, extra: 1 }],
            privacy_policy_url: 'https://shop.example/privacy',
          },
        }),
      );
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.status, 'active');
      assert.equal(body.is_active, true);
      assert.equal(body.review_status, 'approved');
      assert.equal(body.deployment_status, 'deployed');
      assert.equal(body.max_cpc, 1.25);
      assert.equal(body.max_cpm, null);
      assert.equal(body.end_time, '2027-01-01T00:00:00');
      assert.deepEqual(body.allowed_countries, ['US', 'DE']);
      assert.deepEqual(body.allowed_devices, ['mobile']);
      assert.deepEqual(body.utm_params, [{ key: 'utm_source', value: 'sidelight' }]);
      assert.deepEqual(body.demographics, {
        genders: ['female'],
        age_ranges: ['25-34'],
        interests: ['running'],
      });
      assert.deepEqual(body.lead_form_config.fields, [
        { name: 'email', label: 'E-mail', type: 'email', required: true },
      ]);
      assert.equal(body.daily_budget_remaining, 25);
      const [group] = body.ad_groups;
      assert.equal(group.group_type, 'manual');
      assert.equal(group.auto_optimize_budget, true);
      assert.equal(group.ads_total, 1);
      assert.equal(group.ads[0].source, 'manual');
      assert.equal(group.ads[0].review_status, 'approved');
      const detail = await call('GET', `campaigns/${body.campaign_id}`);
      assert.equal(detail.status, 200);
      assert.equal(detail.body.impressions, 0);
      assert.equal(detail.body.conversion_value, 0);
      const list = await call('GET', 'campaigns?status=active');
      assert.deepEqual(
        list.body.campaigns.map((campaign: { campaign_id: string }) => campaign.campaign_id),
        [body.campaign_id],
      );
      assert.deepEqual((await call('GET', 'campaigns?status=paused')).body, { campaigns: [] });
    });

    it('a campaign states where it does not stand and how often it is shown; what cannot be kept is refused', async () => {
      const call = await open();
      const publisher = await site.app.newPublisher();
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({
          brand_safety: {
            excluded_categories: ['Medical Health', 'IAB4', '1'],
            excluded_publishers: [publisher.id],
          },
          frequency_cap: { per_session: 1, per_user_day: 900 },
        }),
      );
      assert.deepEqual(body.brand_safety, {
        excluded_categories: ['286', '123', '1'],
        excluded_publishers: [publisher.id],
      });
      assert.deepEqual(
        [body.frequency_cap, body.frequency_caps_in_force],
        [
          { per_session: 1, per_user_day: 900 },
          { per_session: 1, per_user_day: 10 },
        ],
      );
      const edit = (change: unknown) => call('PATCH', `campaigns/${body.campaign_id}`, change);
      const cleared = await edit({
        frequency_cap: null,
        brand_safety: { excluded_categories: [] },
      });
      assert.deepEqual(
        [cleared.body.frequency_caps_in_force, cleared.body.brand_safety],
        [{ per_session: 3, per_user_day: 10 }, { excluded_categories: [] }],
      );
      for (const wrong of [
        { brand_safety: { excluded_categories: ['nothing we know'] } },
        { brand_safety: { excluded_publishers: ['x'] } },
        { frequency_cap: { per_session: 0 } },
        { frequency_cap: { per_user_day: '3' } },
      ])
        assert.equal((await edit(wrong)).status, 422, JSON.stringify(wrong));
    });

    it('a draft is not handed in; what is left out gets its default', async () => {
      const call = await open();
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({ ad_groups: [{ name: 'G' }], end_time: null, status: null }),
      );
      assert.equal(body.status, 'draft');
      assert.equal(body.is_active, false);
      assert.equal(body.review_status, 'not_submitted');
      assert.equal(body.deployment_status, 'not_deployed');
      assert.equal(body.submitted_for_review_at, null);
      assert.equal(body.campaign_objective, 'conversions');
      assert.equal(body.billing_model, 'cpm');
      assert.equal(body.bid_strategy, 'lowest_cost');
      assert.match(body.start_time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      assert.equal(body.end_time, null);
      assert.equal(body.utm_params, null);
      assert.equal(body.ad_groups[0].group_type, 'generative');
      assert.equal(body.ad_groups[0].status, 'active');
      const jobs = await site.app.db.query<{ kind: string }>(
        `select kind from jobs where key = $1 and kind = 'generate-ads'`,
        [body.ad_groups[0].id],
      );
      assert.equal(jobs.length, 1);
    });

    it('a null clears a nullable field, an unknown field is ignored', async () => {
      const call = await open();
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({
          max_cpc: 2,
          end_time: '2030-01-01',
          utm_params: { utm_source: 'x' },
          custom_favicon_url: 'https://shop.example/i.png',
          allowed_countries: ['US'],
          lead_form_config: {
            title: 'x',
            fields: [{ name: 'a', label: 'l', type: 'text', required: true }],
          },
        }),
      );
      assert.deepEqual(body.utm_params, { utm_source: 'x' });
      const { status, body: cleared } = await call('PATCH', `campaigns/${body.campaign_id}`, {
        max_cpc: 0,
        end_time: null,
        utm_params: null,
        custom_favicon_url: null,
        allowed_countries: null,
        lead_form_config: null,
        billing_model: 'cpa',
        colour: 'red',
      });
      assert.equal(status, 200, JSON.stringify(cleared));
      assert.equal(cleared.max_cpc, null);
      assert.equal(cleared.end_time, null);
      assert.equal(cleared.utm_params, null);
      assert.equal(cleared.custom_favicon_url, null);
      assert.deepEqual(cleared.allowed_countries, []);
      assert.equal(cleared.lead_form_config, null);
      assert.equal(cleared.billing_model, 'cpm');
      const [group] = body.ad_groups;
      const { body: patched } = await call('PATCH', `ad-groups/${group.id}`, {
        brand_name: null,
        context: null,
        daily_budget: 7,
        max_cpc: 0.5,
      });
      assert.equal(patched.brand_name, null);
      assert.equal(patched.context, null);
      assert.equal(patched.daily_budget, 7);
      assert.equal(
        (await call('PATCH', `ad-groups/${group.id}`, { max_cpc: 0, daily_budget: null })).body
          .max_cpc,
        null,
      );
    });

    it('activation needs billing or credit, and a refused one leaves nothing behind', async () => {
      const account = await site.app.newAdvertiser({ billingEnabled: false });
      const call = managing(site.app, account);
      const refused = await call('POST', 'campaigns', campaignBody({ status: 'active' }));
      assert.equal(refused.status, 402);
      assert.deepEqual(refused.body, { detail: 'billing_required' });
      assert.deepEqual((await call('GET', 'campaigns')).body.campaigns, []);
      const { body } = await call('POST', 'campaigns', campaignBody());
      assert.equal(
        (await call('PATCH', `campaigns/${body.campaign_id}`, { status: 'active', name: 'Other' }))
          .status,
        402,
      );
      assert.equal((await call('GET', `campaigns/${body.campaign_id}`)).body.name, 'Spring sale');
      await site.app.db.query(`update advertisers set credit_micros = 1000000 where id = $1`, [
        account.id,
      ]);
      assert.equal(
        (await call('PATCH', `campaigns/${body.campaign_id}`, { status: 'active' })).body.status,
        'active',
      );
      await site.app.db.query(
        `insert into budgets (scope_id, day, spent_micros) values ($1, $2, 1000000)`,
        [account.id, creditDay],
      );
      assert.equal(
        (await call('PATCH', `campaigns/${body.campaign_id}`, { status: 'paused' })).body.status,
        'paused',
      );
      assert.equal(
        (await call('PATCH', `campaigns/${body.campaign_id}`, { status: 'active' })).status,
        402,
      );
    });

    it('archiving pauses; unarchiving does not resume', async () => {
      const call = await open();
      const { body } = await call('POST', 'campaigns', campaignBody({ status: 'active' }));
      assert.deepEqual((await call('PATCH', `campaigns/${body.campaign_id}/archive`)).body, {
        campaign_id: body.campaign_id,
        is_archived: true,
      });
      const archived = (await call('GET', `campaigns/${body.campaign_id}`)).body;
      assert.equal(archived.status, 'paused');
      assert.equal(archived.is_active, false);
      assert.equal(archived.deployment_status, 'paused');
      assert.equal(
        (await call('GET', 'campaigns?include_archived=false')).body.campaigns.length,
        0,
      );
      assert.deepEqual((await call('PATCH', `campaigns/${body.campaign_id}/archive`)).body, {
        campaign_id: body.campaign_id,
        is_archived: false,
      });
      assert.equal((await call('GET', `campaigns/${body.campaign_id}`)).body.status, 'paused');
    });

    it('pages of groups and campaigns have no gaps and no repeats', async () => {
      const call = await open();
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({
          ad_groups: Array.from({ length: 7 }, (_, index) => ({
            name: `G${index}`,
            group_type: 'manual',
          })),
        }),
      );
      for (const scope of [`campaign_id=${body.campaign_id}&`, '']) {
        const seen: string[] = [];
        let cursor: unknown;
        do {
          const page = await call(
            'GET',
            `ad-groups?${scope}limit=3${cursor === undefined ? '' : `&cursor=${String(cursor)}`}`,
          );
          seen.push(...page.body.map((group: { name: string }) => group.name));
          cursor = page.headers['x-next-cursor'];
        } while (cursor !== undefined);
        assert.deepEqual(seen.sort(), ['G0', 'G1', 'G2', 'G3', 'G4', 'G5', 'G6']);
      }
      assert.equal((await call('GET', 'ad-groups?limit=3&cursor=nonsense')).status, 400);
    });

    it('who changed what is remembered', async () => {
      const account = await site.app.newAdvertiser();
      const call = managing(site.app, account);
      const { body } = await call('POST', 'campaigns', campaignBody());
      await call('PATCH', `campaigns/${body.campaign_id}`, { name: 'Autumn sale' });
      await call('PATCH', `campaigns/${body.campaign_id}`, { name: 'Autumn sale' });
      const rows = await site.app.db.query<{
        action: string;
        before: unknown;
        after: unknown;
        actor_kind: string;
      }>(
        `select action, before, after, actor_kind
         from audit_log
         where entity = 'campaign' and entity_id = $1
         order by at, id`,
        [body.campaign_id],
      );
      assert.deepEqual(rows.map((row) => row.action).sort(), ['create', 'update']);
      const update = rows.find((row) => row.action === 'update');
      assert.deepEqual(update, {
        action: 'update',
        before: { name: 'Spring sale' },
        after: { name: 'Autumn sale' },
        actor_kind: 'key',
      });
    });

    it('lifetime stats are the sums of the counted hours', async () => {
      const account = await site.app.newAdvertiser();
      const call = managing(site.app, account);
      const { body } = await call('POST', 'campaigns', campaignBody());
      await site.app.db.query(
        `insert into campaign_hours (
             advertiser_id, campaign_id, bucket, impressions, clicks, conversions, spend_micros,
             value_micros
           )
         values ($1, $2, '2026-01-01T00:00:00Z', 1000, 20, 2, 1234567, 50000000),
           ($1, $2, '2026-06-01T07:00:00Z', 5, 1, 1, 3, 250000)`,
        [account.id, body.campaign_id],
      );
      const expected = {
        impressions: 1005,
        clicks: 21,
        spend: 1.23457,
        conversions: 3,
        conversion_value: 50.25,
      };
      const [listed] = (await call('GET', 'campaigns')).body.campaigns;
      for (const shown of [listed, (await call('GET', `campaigns/${body.campaign_id}`)).body]) {
        assert.deepEqual(
          {
            impressions: shown.impressions,
            clicks: shown.clicks,
            spend: shown.spend,
            conversions: shown.conversions,
            conversion_value: shown.conversion_value,
          },
          expected,
        );
      }
    });

    it('a budget that cannot pay one click at the bid falls back, and the sync job repairs what is derived', async () => {
      const call = await open();
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({ status: 'active', daily_budget: 5, max_cpc: 4 }),
      );
      const stored = async () =>
        (
          await site.app.db.query<{ network: string; deployment_status: string }>(
            `select network, deployment_status from campaigns where id = $1`,
            [body.campaign_id],
          )
        )[0];
      assert.equal((await stored())?.network, 'own');
      await call('PATCH', `campaigns/${body.campaign_id}`, { daily_budget: 3 });
      assert.equal((await stored())?.network, 'fallback');
      await call('PATCH', `campaigns/${body.campaign_id}`, { max_cpc: null });
      assert.equal((await stored())?.network, 'own');
      await site.app.db.query(
        `update campaigns set network = 'fallback', deployment_status = 'paused' where id = $1`,
        [body.campaign_id],
      );
      await site.app.services.jobs.runDue();
      assert.deepEqual(await stored(), { network: 'own', deployment_status: 'deployed' });
    });

    it('what is left of today is shown in the account’s own day', async () => {
      const account = await site.app.newAdvertiser({ timeZone: 'Pacific/Auckland' });
      const call = managing(site.app, account);
      site.app.clock.now = Date.parse('2026-11-15T13:00:00Z');
      const { body } = await call('POST', 'campaigns', campaignBody());
      await site.app.db.query(
        `insert into budgets (scope_id, day, spent_micros)
         values ($1, date '2026-11-16', 10500000), ($1, date '2026-11-15', 1)`,
        [body.campaign_id],
      );
      assert.equal(
        (await call('GET', `campaigns/${body.campaign_id}`)).body.daily_budget_remaining,
        14.5,
      );
      assert.equal(
        (await call('PATCH', `campaigns/${body.campaign_id}`, { daily_budget: 10 })).body
          .daily_budget_remaining,
        0,
      );
    });

    it('one change to many campaigns is written down of each, and a refused one stops no other', async () => {
      const call = await open();
      const ids: string[] = [];
      for (let n = 0; n < 3; n += 1)
        ids.push(
          (await call('POST', 'campaigns', campaignBody({ status: 'active' }))).body.campaign_id,
        );
      await site.app.db.query(`delete from jobs where kind = 'sync-campaign'`);
      const heard: string[] = [];
      const ended = await site.app.db.listen('inventory', (news) => void heard.push(news));
      const raise = (campaignIds: readonly string[], percent: number) =>
        call('POST', 'campaigns/bulk', {
          campaign_ids: campaignIds,
          changes: { daily_budget_percent: percent, max_cpc: 0.5 },
        });
      const all = await raise(ids, 10);
      assert.deepEqual([all.status, all.body.changed], [200, 3], JSON.stringify(all.body));
      const budgets = async (): Promise<number[]> =>
        Promise.all(
          ids.map(async (id) => (await call('GET', `campaigns/${id}`)).body.daily_budget),
        );
      assert.deepEqual(await budgets(), [27.5, 27.5, 27.5]);
      const count = async (sql: string): Promise<number> =>
        (await site.app.db.query<{ n: number }>(sql, [ids]))[0]?.n ?? 0;
      const audited = `select count(*) as n from audit_log where action = 'update'
        and entity_id = any($1::text[]) and after ->> 'daily_budget_micros' is not null`;
      const remembered = `select count(*) as n from past_budgets
        where scope_id = any($1::uuid[]) and limit_micros = 25000000`;
      const queued = `select count(*) as n from jobs
        where kind = 'sync-campaign' and key = any($1::text[])`;
      assert.deepEqual(
        [await count(audited), await count(remembered), await count(queued)],
        [3, 3, 3],
      );
      const stranger = site.app.services.mintId(site.app.clock.now);
      const some = await raise([ids[0] ?? '', stranger, ids[1] ?? ''], 100);
      assert.deepEqual(
        some.body.results.map((one: { ok: boolean; error?: string }) => one.error ?? one.ok),
        [true, 'not_found', true],
      );
      assert.deepEqual(await budgets(), [55, 55, 27.5]);
      assert.equal(await count(audited), 5);
      while (new Set(heard.filter((id) => ids.includes(id))).size < 3)
        await new Promise((resolve) => setTimeout(resolve, 20));
      await ended();
    });
  });
}
