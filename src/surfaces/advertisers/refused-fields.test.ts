import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { campaignBody, unitBody } from '../../../test/support/managed-campaign.js';
import { testEngines } from '../../../test/support/test-database.js';
import { openAdvertisers } from '../../../test/support/open-advertisers.js';

for (const engine of testEngines()) {
  describe(`fields that are refused on the ${engine.name} engine`, () => {
    const { open } = openAdvertisers(engine);

    it('every row of the error table is refused with 422', async () => {
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

    it('ages nobody is aimed at by are refused, a range that reaches into others stays', async () => {
      const call = await open();
      const { body } = await call('POST', 'campaigns', campaignBody());
      const ages = (age_ranges: string[]) =>
        call('PATCH', `campaigns/${body.campaign_id}`, { demographics: { age_ranges } });
      for (const wrong of [['5-12'], ['0-5'], ['12'], ['25-34', '13-17']]) {
        const { status, body: answer } = await ages(wrong);
        assert.equal(status, 422, wrong.join());
        assert.deepEqual(answer.detail, [
          {
            type: 'age_range',
            loc: ['body', 'demographics', 'age_ranges'],
            msg: 'Ads are not aimed at people under 18',
          },
        ]);
      }
      const kept = await ages(['13-18', '16+']);
      assert.equal(kept.status, 200, JSON.stringify(kept.body));
      assert.deepEqual(kept.body.demographics.age_ranges, ['13-18', '16+']);
    });

    it('a name that is nearly that of a field is told, one like none is left out', async () => {
      const call = await open();
      const { body } = await call('POST', 'campaigns', campaignBody());
      const path = `campaigns/${body.campaign_id}`;
      const form = {
        title: 'x',
        fields: [{ name: 'a', label: 'l', type: 'text', required: true }],
      };
      const slips: [method: 'POST' | 'PATCH', path: string, sent: object, msg: string][] = [
        ['PATCH', path, { dailybudget: 30 }, 'dailybudget: daily_budget'],
        ['PATCH', path, { name: 'x', allowedCountries: [] }, 'allowedCountries: allowed_countries'],
        [
          'PATCH',
          path,
          { lead_form_config: { ...form, submit_lable: 'x' } },
          'submit_lable: submit_label',
        ],
        ['PATCH', `ad-groups/${body.ad_groups[0].id}`, { contxt: 'x' }, 'contxt: context'],
        [
          'POST',
          'campaigns',
          campaignBody({ ad_groups: [{ name: 'x', ads: [{ headlin: 'h' }] }] }),
          'headlin: headline',
        ],
        ['POST', 'check-edit', { campaign_id: body.campaign_id, changes: { nmae: 'x' } }, ''],
        [
          'POST',
          'check-edit',
          { campaign_id: body.campaign_id, changes: { dailybudget: 30 } },
          'dailybudget: daily_budget',
        ],
        [
          'POST',
          'webhooks',
          { url: 'https://hook.example', alert_typs: [] },
          'alert_typs: alert_types',
        ],
      ];
      for (const [method, to, sent, wanted] of slips) {
        const { status, body: answer } = await call(method, to, sent);
        const told = (answer.detail ?? []).map(
          ({ loc, msg }: { loc: string[]; msg: string }) =>
            `${loc.at(-1)}: ${/did you mean (.*)\?$/.exec(msg)?.[1]}`,
        );
        assert.deepEqual(told, wanted === '' ? [] : [wanted], JSON.stringify(answer));
        assert.equal(status, wanted === '' ? 200 : 422);
      }
      // Names of other things of the service, what is like nothing, and a second spelling.
      const others = { billing_model: 'cpc', is_active: false, internal_ref: 'x' };
      const tolerated = await call('PATCH', path, { ...others, dailyBudget: 9, daily_budget: 30 });
      assert.equal(tolerated.status, 200, JSON.stringify(tolerated.body));
      assert.equal(tolerated.body.daily_budget, 30);
      assert.equal((await call('PATCH', path, body)).status, 200);
      assert.equal((await call('PATCH', path, { bogus: 1 })).status, 200);
    });
  });
}
