import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { campaignBody, managing, unitBody } from '../../../test/support/managed-campaign.js';
import { testEngines } from '../../../test/support/test-database.js';
import { openAdvertisers } from '../../../test/support/open-advertisers.js';

for (const engine of testEngines()) {
  describe(`ad groups, ads and ad units on the ${engine.name} engine`, () => {
    const site = openAdvertisers(engine);
    const { open } = site;

    it('ad groups and ads are made, changed and archived', async () => {
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
      site.app.clock.now += 1000;
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
      const account = await site.app.newAdvertiser();
      const call = managing(site.app, account);
      const { body } = await call('POST', 'campaigns', campaignBody());
      const { id } = body.ad_groups[0].ads[0];
      await site.app.db.query(`update ads set source = 'generated' where id = $1`, [id]);
      assert.equal((await call('PATCH', `ads/${id}`, { headline: 'Mine' })).status, 422);
      assert.equal((await call('DELETE', `ads/${id}`)).status, 422);
    });

    it('at most 100 ads of a group are shown, and all are counted', async () => {
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

    it('ad units keep working: create, link, replace, archive', async () => {
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

    it('groups and ads are found over all campaigns, and many are changed at once', async () => {
      const account = await site.app.newAdvertiser();
      const call = managing(site.app, account);
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
        ad_group_ids: [...ids.slice(0, 2), site.app.services.mintId(site.app.clock.now)],
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
      const other = managing(site.app, await site.app.newAdvertiser());
      assert.deepEqual((await other('GET', 'bulk/ad-groups')).body.ad_groups, []);
      const foreign = await other('POST', 'ad-groups/bulk', {
        ad_group_ids: ids,
        changes: { status: 'archived' },
      });
      assert.equal(foreign.body.changed, 0);
    });
  });
}
