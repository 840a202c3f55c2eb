import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { creditDay } from '../../domain/billing/paying-scopes.js';
import { campaignBody, managing, unitBody } from '../../../test/support/managed-campaign.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';

for (const engine of testEngines()) {
  describe(`campaign management on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());
    const open = async (options = {}) => managing(app, await app.newAdvertiser(options));

    it('creates a whole campaign from one body and shows it back', async () => {
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

    it('states where a campaign does not stand and how often it is shown, and refuses what it cannot keep', async () => {
      const call = await open();
      const publisher = await app.newPublisher();
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
      const jobs = await app.db.query<{ kind: string }>(
        `select kind from jobs where key = $1 and kind = 'generate-ads'`,
        [body.ad_groups[0].id],
      );
      assert.equal(jobs.length, 1);
    });

    it('refuses every row of the error table with 422', async () => {
      const call = await open();
      const { body } = await call('POST', 'campaigns', campaignBody());
      const { body: generative } = await call('POST', 'ad-groups', {
        campaign_id: body.campaign_id,
        name: 'Self',
      });
      const [manual] = body.ad_groups;
      const refused: [string, 'POST' | 'PATCH' | 'PUT', string, unknown][] = [
        ['neither groups nor units', 'POST', 'campaigns', campaignBody({ ad_groups: [] })],
        ['network_type', 'POST', 'campaigns', campaignBody({ network_type: null })],
        ['network_config', 'PATCH', `campaigns/${body.campaign_id}`, { network_config: {} }],
        ['keywords', 'POST', 'campaigns', campaignBody({ keywords: [] })],
        [
          'keywords in a group',
          'POST',
          'ad-groups',
          { campaign_id: body.campaign_id, name: 'x', keywords: ['a'] },
        ],
        [
          'keywords in an embedded group',
          'POST',
          'campaigns',
          campaignBody({ ad_groups: [{ name: 'x', keywords: ['a'] }] }),
        ],
        [
          'authored ads in a generative group',
          'POST',
          'ad-groups',
          { campaign_id: body.campaign_id, name: 'x', ads: [{ headline: 'h' }] },
        ],
        ['ad in a generative group', 'POST', `ad-groups/${generative.id}/ads`, { headline: 'h' }],
        [
          'ads patched into a generative group',
          'PATCH',
          `ad-groups/${generative.id}`,
          { ads: [{ headline: 'h' }] },
        ],
        [
          'manual to generative with live ads',
          'PATCH',
          `ad-groups/${manual.id}`,
          { group_type: 'generative' },
        ],
        ['long headline', 'POST', `ad-groups/${manual.id}/ads`, { headline: 'x'.repeat(81) }],
        ['long copy', 'POST', `ad-groups/${manual.id}/ads`, { copy: 'x'.repeat(501) }],
        ['long cta', 'POST', `ad-groups/${manual.id}/ads`, { cta: 'x'.repeat(81) }],
        ...[
          'ad_text_mode',
          'source',
          'status',
          'review_status',
          'review_reason',
          'metadata',
          'generate_static_text',
        ].map((name): [string, 'POST', string, unknown] => [
          `ad unit ${name}`,
          'POST',
          'ad-units',
          { ...unitBody, [name]: 'x' },
        ]),
        ['no name', 'POST', 'campaigns', campaignBody({ name: undefined })],
        ['blank name', 'POST', 'campaigns', campaignBody({ name: '  ' })],
        ['no landing page', 'POST', 'campaigns', campaignBody({ landing_page: undefined })],
        [
          'ftp landing page',
          'POST',
          'campaigns',
          campaignBody({ landing_page: 'ftp://shop.example/' }),
        ],
        [
          'script landing page',
          'PATCH',
          `campaigns/${body.campaign_id}`,
          { landing_page: 'javascript:alert(1)' },
        ],
        [
          'landing page with a password',
          'PATCH',
          `campaigns/${body.campaign_id}`,
          { landing_page: 'https://me:secret@shop.example' },
        ],
        ['no budget', 'POST', 'campaigns', campaignBody({ daily_budget: undefined })],
        ['zero budget', 'POST', 'campaigns', campaignBody({ daily_budget: 0 })],
        ['negative budget', 'PATCH', `campaigns/${body.campaign_id}`, { daily_budget: -1 }],
        ['budget as text', 'POST', 'campaigns', campaignBody({ daily_budget: '25' })],
        ['absurd budget', 'POST', 'campaigns', campaignBody({ daily_budget: 1e300 })],
        ['a budget below a microdollar', 'POST', 'campaigns', campaignBody({ daily_budget: 1e-9 })],
        ['unknown status', 'PATCH', `campaigns/${body.campaign_id}`, { status: 'archived' }],
        ['unknown objective', 'POST', 'campaigns', campaignBody({ campaign_objective: 'fame' })],
        ['unknown country', 'POST', 'campaigns', campaignBody({ allowed_countries: ['XX'] })],
        ['country as text', 'PATCH', `campaigns/${body.campaign_id}`, { allowed_countries: 'US' }],
        ['unknown device', 'POST', 'campaigns', campaignBody({ allowed_devices: ['fridge'] })],
        ['no such day', 'POST', 'campaigns', campaignBody({ start_time: '2026-02-30T00:00:00' })],
        ['not a time', 'PATCH', `campaigns/${body.campaign_id}`, { end_time: 'tomorrow' }],
        [
          'end before start',
          'POST',
          'campaigns',
          campaignBody({ start_time: '2026-05-01T00:00:00', end_time: '2026-04-01T00:00:00' }),
        ],
        [
          'end before the stored start',
          'PATCH',
          `campaigns/${body.campaign_id}`,
          { end_time: '2001-01-01T00:00:00' },
        ],
        ['utm as text', 'POST', 'campaigns', campaignBody({ utm_params: 'utm_source=x' })],
        [
          'utm pair without key',
          'POST',
          'campaigns',
          campaignBody({ utm_params: [{ value: 'x' }] }),
        ],
        [
          'unknown gender',
          'POST',
          'campaigns',
          campaignBody({ demographics: { genders: ['robot'] } }),
        ],
        [
          'age range',
          'POST',
          'campaigns',
          campaignBody({ demographics: { age_ranges: ['young'] } }),
        ],
        [
          'form without fields',
          'POST',
          'campaigns',
          campaignBody({ lead_form_config: { title: 'x', fields: [] } }),
        ],
        [
          'form with 11 fields',
          'POST',
          'campaigns',
          campaignBody({
            lead_form_config: {
              title: 'x',
              fields: Array.from({ length: 11 }, (_, n) => ({
                name: `f${n}`,
                label: 'l',
                type: 'text',
                required: false,
              })),
            },
          }),
        ],
        [
          'form without title',
          'PATCH',
          `campaigns/${body.campaign_id}`,
          {
            lead_form_config: { fields: [{ name: 'a', label: 'l', type: 'text', required: true }] },
          },
        ],
        [
          'form field type',
          'PATCH',
          `campaigns/${body.campaign_id}`,
          {
            lead_form_config: {
              title: 'x',
              fields: [{ name: 'a', label: 'l', type: 'file', required: true }],
            },
          },
        ],
        [
          'select without options',
          'PATCH',
          `campaigns/${body.campaign_id}`,
          {
            lead_form_config: {
              title: 'x',
              fields: [{ name: 'a', label: 'l', type: 'select', required: true }],
            },
          },
        ],
        [
          'two fields of one name',
          'PATCH',
          `campaigns/${body.campaign_id}`,
          {
            lead_form_config: {
              title: 'x',
              fields: [
                { name: 'a', label: 'l', type: 'text', required: true },
                { name: 'A', label: 'l', type: 'text', required: true },
              ],
            },
          },
        ],
        [
          'fractional group budget',
          'POST',
          'ad-groups',
          { campaign_id: body.campaign_id, name: 'x', daily_budget: 1.5 },
        ],
        [
          'least budget over most',
          'POST',
          'ad-groups',
          { campaign_id: body.campaign_id, name: 'x', min_daily_budget: 5, max_daily_budget: 4 },
        ],
        [
          'an e-mail address as brand',
          'PATCH',
          `ad-groups/${manual.id}`,
          { brand_name: 'jo@shop.example' },
        ],
        [
          'an account label as brand',
          'PATCH',
          `ad-groups/${manual.id}`,
          { brand_name: 'Account #4711' },
        ],
        ['group moved', 'PATCH', `ad-groups/${manual.id}`, { campaign_id: manual.id }],
        ['no ad units', 'POST', `campaigns/${body.campaign_id}/ad-units`, { ad_unit_ids: [] }],
        ['a zero character', 'PATCH', `campaigns/${body.campaign_id}`, { name: 'a\u0000b' }],
        ['half a character', 'PATCH', `campaigns/${body.campaign_id}`, { name: 'a\ud800' }],
      ];
      for (const [what, method, path, payload] of refused) {
        const { status, body: answer } = await call(method, path, payload);
        assert.equal(status, 422, `${what}: ${status} ${JSON.stringify(answer)}`);
        assert.ok(
          Array.isArray(answer.detail) &&
            answer.detail[0].loc.length > 0 &&
            answer.detail[0].msg !== '',
          what,
        );
      }
      const unchanged = await call('GET', `campaigns/${body.campaign_id}`);
      assert.equal(unchanged.body.name, 'Spring sale');
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
      const account = await app.newAdvertiser({ billingEnabled: false });
      const call = managing(app, account);
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
      await app.db.query(`update advertisers set credit_micros = 1000000 where id = $1`, [
        account.id,
      ]);
      assert.equal(
        (await call('PATCH', `campaigns/${body.campaign_id}`, { status: 'active' })).body.status,
        'active',
      );
      await app.db.query(
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

    it('manages ad groups and ads', async () => {
      const call = await open();
      const { body } = await call('POST', 'campaigns', campaignBody());
      const created = await call('POST', 'ad-groups', {
        campaign_id: body.campaign_id,
        name: 'Second',
        group_type: 'manual',
        status: 'paused',
        negative_context: 'boots',
        ads: [{ headline: 'One' }, { headline: 'Two', status: 'paused' }],
      });
      assert.equal(created.status, 201);
      assert.equal(created.body.sort_order, 1);
      assert.deepEqual(created.body.ads.map((ad: { headline: string }) => ad.headline).sort(), [
        'One',
        'Two',
      ]);
      assert.equal(created.body.ads[0].review_status, 'pending');
      const added = await call('POST', `ad-groups/${created.body.id}/ads`, {
        headline: 'Three',
        copy: 'Text',
        image_url: 'https://shop.example/a.png',
      });
      assert.equal(added.status, 201);
      assert.equal(added.body.name, 'Three');
      const edited = await call('PATCH', `ads/${added.body.id}`, {
        headline: 'Four',
        copy: null,
        status: 'paused',
      });
      assert.deepEqual(
        [edited.status, edited.body.headline, edited.body.copy, edited.body.status],
        [200, 'Four', null, 'paused'],
      );
      assert.equal((await call('DELETE', `ads/${added.body.id}`)).status, 204);
      assert.equal((await call('DELETE', `ads/${added.body.id}`)).status, 204);
      const group = (await call('GET', `ad-groups/${created.body.id}`)).body;
      assert.equal(group.ads_total, 2);
      const [keep] = group.ads;
      app.clock.now += 1000;
      const replaced = (
        await call('PATCH', `ad-groups/${group.id}`, {
          name: 'Renamed',
          ads: [{ id: keep.id, cta: 'Go' }, { headline: 'Fresh' }],
        })
      ).body;
      assert.equal(replaced.name, 'Renamed');
      assert.equal(replaced.ads_total, 2);
      assert.deepEqual(
        [replaced.ads[0].id, replaced.ads[0].cta, replaced.ads[0].headline],
        [keep.id, 'Go', keep.headline],
      );
      assert.equal((await call('DELETE', `ad-groups/${group.id}`)).status, 204);
      const archived = (await call('GET', `ad-groups/${group.id}`)).body;
      assert.equal(archived.status, 'archived');
      assert.ok(archived.ads.every((ad: { status: string }) => ad.status === 'archived'));
      const listed = (await call('GET', `ad-groups?campaign_id=${body.campaign_id}`)).body;
      assert.deepEqual(
        listed.map((entry: { name: string }) => entry.name),
        ['Runners'],
      );
      assert.equal(
        (await call('GET', `ad-groups?campaign_id=${body.campaign_id}&include_archived=true`)).body
          .length,
        2,
      );
      const empty = await call('POST', 'ad-groups', {
        campaign_id: body.campaign_id,
        name: 'Turns',
        group_type: 'manual',
      });
      assert.equal(
        (await call('PATCH', `ad-groups/${empty.body.id}`, { group_type: 'generative' })).body
          .group_type,
        'generative',
      );
    });

    it('generated ads are read-only', async () => {
      const account = await app.newAdvertiser();
      const call = managing(app, account);
      const { body } = await call('POST', 'campaigns', campaignBody());
      const { id } = body.ad_groups[0].ads[0];
      await app.db.query(`update ads set source = 'generated' where id = $1`, [id]);
      assert.equal((await call('PATCH', `ads/${id}`, { headline: 'Mine' })).status, 422);
      assert.equal((await call('DELETE', `ads/${id}`)).status, 422);
    });

    it('shows at most 100 ads of a group and counts them all', async () => {
      const call = await open();
      const ads = Array.from({ length: 130 }, (_, index) => ({ headline: `Ad ${index}` }));
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({ ad_groups: [{ name: 'Many', group_type: 'manual', ads }] }),
      );
      assert.equal(body.ad_groups[0].ads.length, 100);
      assert.equal(body.ad_groups[0].ads_total, 130);
    });

    it('keeps ad units working: create, link, replace, archive', async () => {
      const call = await open();
      const first = await call('POST', 'ad-units', {
        ...unitBody,
        utm_params: { utm_medium: 'ai' },
      });
      assert.equal(first.status, 200);
      assert.deepEqual(
        [first.body.status, first.body.review_status, first.body.source, first.body.campaign_id],
        ['draft', 'not_submitted', 'manual', null],
      );
      assert.deepEqual(first.body.utm_params, [{ key: 'utm_medium', value: 'ai' }]);
      const second = await call('POST', 'ad-units', unitBody);
      const half = await call('POST', 'ad-units', { name: 'Half' });
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({ ad_groups: undefined, ad_unit_ids: [first.body.id, first.body.id] }),
      );
      assert.deepEqual(body.ad_unit_ids, [first.body.id]);
      const path = `campaigns/${body.campaign_id}/ad-units`;
      assert.deepEqual(
        (await call('POST', path, { ad_unit_ids: [second.body.id, second.body.id] })).body,
        { campaign_id: body.campaign_id, ad_unit_ids: [first.body.id, second.body.id] },
      );
      assert.equal(
        (await call('PATCH', `campaigns/${body.campaign_id}`, { status: 'active' })).body
          .review_status,
        'approved',
      );
      assert.equal((await call('POST', path, { ad_unit_ids: [half.body.id] })).status, 422);
      assert.deepEqual(
        (await call('PUT', path, { ad_unit_ids: [second.body.id] })).body.ad_unit_ids,
        [second.body.id],
      );
      assert.deepEqual((await call('PATCH', `ad-units/${first.body.id}/archive`)).body, {
        ad_unit_id: first.body.id,
        is_archived: true,
        status: 'archived',
      });
      assert.equal((await call('PUT', path, { ad_unit_ids: [first.body.id] })).status, 422);
      assert.deepEqual((await call('PATCH', `ad-units/${first.body.id}/archive`)).body, {
        ad_unit_id: first.body.id,
        is_archived: false,
        status: 'draft',
      });
    });

    it('pages through groups and campaigns without gaps or repeats', async () => {
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

    it('finds groups and ads over all campaigns and changes many at once', async () => {
      const account = await app.newAdvertiser();
      const call = managing(app, account);
      const groups = Array.from({ length: 5 }, (_, index) => ({
        name: `Group ${index}`,
        group_type: 'manual',
        context: index === 3 ? 'canoes' : 'tents',
        ads: [{ headline: `Headline ${index}` }],
      }));
      await call('POST', 'campaigns', campaignBody({ name: 'Lake', ad_groups: groups }));
      const names = async (path: string): Promise<string[]> => {
        const found: string[] = [];
        let cursor = '';
        do {
          const { body } = await call('GET', `bulk/${path}${cursor}`);
          const rows: { name: string; headline?: string }[] = body.ad_groups ?? body.ads;
          found.push(...rows.map((row) => row.headline ?? row.name));
          cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
        } while (cursor !== '');
        return found.sort();
      };
      assert.deepEqual(
        await names('ad-groups?limit=2'),
        groups.map((group) => group.name),
      );
      assert.deepEqual(await names('ad-groups?limit=2&q=CANOE'), ['Group 3']);
      assert.deepEqual(await names('ads?limit=3&q=headline%204'), ['Headline 4']);
      const { body: page } = await call('GET', 'bulk/ad-groups');
      assert.deepEqual(
        [page.ad_groups[0].campaign_name, page.ad_groups[0].ads, page.ad_groups[0].impressions],
        ['Lake', 1, 0],
      );
      const ids = page.ad_groups.map((group: { id: string }) => group.id);
      const changed = await call('POST', 'ad-groups/bulk', {
        ad_group_ids: [...ids.slice(0, 2), app.services.mintId(app.clock.now)],
        changes: { status: 'paused', max_cpc: 0.4, daily_budget: 7 },
      });
      assert.deepEqual([changed.body.changed, changed.body.results.at(-1).error], [2, 'not_found']);
      const paused = (await call('GET', 'bulk/ad-groups?status=paused')).body.ad_groups;
      assert.deepEqual(
        paused.map((group: { max_cpc: number; daily_budget: number }) => [
          group.max_cpc,
          group.daily_budget,
        ]),
        [
          [0.4, 7],
          [0.4, 7],
        ],
      );
      await call('POST', 'ad-groups/bulk', {
        ad_group_ids: ids.slice(0, 1),
        changes: { status: 'archived' },
      });
      assert.equal((await names('ad-groups?limit=50')).length, 4);
      assert.equal((await names('ads?limit=50')).length, 4);
      const other = managing(app, await app.newAdvertiser());
      assert.deepEqual((await other('GET', 'bulk/ad-groups')).body.ad_groups, []);
      const foreign = await other('POST', 'ad-groups/bulk', {
        ad_group_ids: ids,
        changes: { status: 'archived' },
      });
      assert.equal(foreign.body.changed, 0);
    });

    it('remembers who changed what', async () => {
      const account = await app.newAdvertiser();
      const call = managing(app, account);
      const { body } = await call('POST', 'campaigns', campaignBody());
      await call('PATCH', `campaigns/${body.campaign_id}`, { name: 'Autumn sale' });
      await call('PATCH', `campaigns/${body.campaign_id}`, { name: 'Autumn sale' });
      const rows = await app.db.query<{
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
      const account = await app.newAdvertiser();
      const call = managing(app, account);
      const { body } = await call('POST', 'campaigns', campaignBody());
      await app.db.query(
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
          await app.db.query<{ network: string; deployment_status: string }>(
            `select network, deployment_status from campaigns where id = $1`,
            [body.campaign_id],
          )
        )[0];
      assert.equal((await stored())?.network, 'own');
      await call('PATCH', `campaigns/${body.campaign_id}`, { daily_budget: 3 });
      assert.equal((await stored())?.network, 'fallback');
      await call('PATCH', `campaigns/${body.campaign_id}`, { max_cpc: null });
      assert.equal((await stored())?.network, 'own');
      await app.db.query(
        `update campaigns set network = 'fallback', deployment_status = 'paused' where id = $1`,
        [body.campaign_id],
      );
      await app.services.jobs.runDue();
      assert.deepEqual(await stored(), { network: 'own', deployment_status: 'deployed' });
    });

    it('shows what is left of today in the account’s own day', async () => {
      const account = await app.newAdvertiser({ timeZone: 'Pacific/Auckland' });
      const call = managing(app, account);
      app.clock.now = Date.parse('2026-11-15T13:00:00Z');
      const { body } = await call('POST', 'campaigns', campaignBody());
      await app.db.query(
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
  });
}
