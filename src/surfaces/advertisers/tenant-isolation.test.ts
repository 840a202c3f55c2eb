import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { campaignBody, managing, unitBody } from '../../../test/support/managed-campaign.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';

/** Bodies that would be accepted for an own id, so that only the id can be what is refused. */
const bodies: Record<string, unknown> = {
  'PATCH campaigns/{campaign_id}': { name: 'Taken over' },
  'PATCH ad-groups/{ad_group_id}': { name: 'Taken over', ads: [] },
  'POST ad-groups/{ad_group_id}/ads': { headline: 'Smuggled' },
  'PATCH ads/{ad_id}': { headline: 'Smuggled' },
  'POST campaigns/{campaign_id}/ad-units/generate': { site_url: 'https://shop.example/' },
};

for (const engine of testEngines()) {
  describe(`accounts cannot reach each other on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    it('every route answers another account’s id exactly like an id that does not exist', async () => {
      const owner = managing(app, await app.newAdvertiser());
      const stranger = managing(app, await app.newAdvertiser());
      const unit = (await owner('POST', 'ad-units', unitBody)).body;
      const strangersUnit = (await stranger('POST', 'ad-units', unitBody)).body;
      const campaign = (
        await owner('POST', 'campaigns', campaignBody({ status: 'active', ad_unit_ids: [unit.id] }))
      ).body;
      const [group] = campaign.ad_groups;
      const ids: Record<string, string> = {
        campaign_id: campaign.campaign_id,
        ad_group_id: group.id,
        ad_id: group.ads[0].id,
        ad_unit_id: unit.id,
      };
      const before = JSON.stringify([
        (await owner('GET', `campaigns/${campaign.campaign_id}`)).body,
        (await owner('GET', `ad-groups/${group.id}`)).body,
      ]);
      const { paths = {} } = app.http.swagger() as {
        paths?: Record<string, Record<string, unknown>>;
      };
      let tried = 0;
      for (const [path, methods] of Object.entries(paths)) {
        const local = path.replace(/^\/advertiser-dashboard\//, '');
        if (local === path || !/\{(campaign_id|ad_group_id|ad_id|ad_unit_id)\}/.test(path))
          continue;
        for (const method of Object.keys(methods).map((name) => name.toUpperCase() as 'GET')) {
          const answers = [];
          for (const pick of [
            (name: string) => ids[name] ?? randomUUID(),
            () => randomUUID(),
            () => 'nonsense',
            () => '0',
            (name: string) => (ids[name] ?? '').toUpperCase(),
          ]) {
            const target = local.replace(/\{(\w+)\}/g, (_whole, name: string) =>
              encodeURIComponent(pick(name)),
            );
            const payload =
              bodies[`${method} ${local}`] ??
              (local.endsWith('/ad-units') ? { ad_unit_ids: [strangersUnit.id] } : undefined);
            const { status, body } = await stranger(method, target, payload);
            answers.push(JSON.stringify([status, body]));
          }
          assert.deepEqual(
            new Set(answers),
            new Set([JSON.stringify([404, { detail: 'not_found' }])]),
            `${method} ${path}`,
          );
          tried += 1;
        }
      }
      assert.ok(tried >= 12, `only ${tried} routes tried`);
      const after = JSON.stringify([
        (await owner('GET', `campaigns/${campaign.campaign_id}`)).body,
        (await owner('GET', `ad-groups/${group.id}`)).body,
      ]);
      assert.equal(after, before);
    });

    it('ids inside bodies and queries are checked like those in paths', async () => {
      const owner = managing(app, await app.newAdvertiser());
      const stranger = managing(app, await app.newAdvertiser());
      const unit = (await owner('POST', 'ad-units', unitBody)).body;
      const campaign = (await owner('POST', 'campaigns', campaignBody())).body;
      const own = (await stranger('POST', 'campaigns', campaignBody())).body;
      const foreignAd = campaign.ad_groups[0].ads[0].id;
      for (const [campaignId, unitId] of [
        [campaign.campaign_id, unit.id],
        [randomUUID(), randomUUID()],
        ['x', 'x'],
      ]) {
        for (const answer of [
          await stranger('POST', 'ad-groups', { campaign_id: campaignId, name: 'Smuggled' }),
          await stranger('GET', `ad-groups?campaign_id=${campaignId}`),
          await stranger('POST', 'campaigns', campaignBody({ ad_unit_ids: [unitId] })),
          await stranger('POST', `campaigns/${own.campaign_id}/ad-units`, {
            ad_unit_ids: [unitId],
          }),
          await stranger('PUT', `campaigns/${own.campaign_id}/ad-units`, { ad_unit_ids: [unitId] }),
        ]) {
          assert.deepEqual([answer.status, answer.body], [404, { detail: 'not_found' }]);
        }
      }
      const refusals = [];
      for (const id of [foreignAd, randomUUID()])
        refusals.push(
          await stranger('PATCH', `ad-groups/${own.ad_groups[0].id}`, {
            ads: [{ id, headline: 'Mine' }],
          }),
        );
      assert.deepEqual(
        [refusals[0]?.status, refusals[0]?.body],
        [refusals[1]?.status, refusals[1]?.body],
      );
      assert.equal(refusals[0]?.status, 422);
      assert.deepEqual(
        (await stranger('GET', 'campaigns')).body.campaigns.map(
          (row: { campaign_id: string }) => row.campaign_id,
        ),
        [own.campaign_id],
      );
      assert.deepEqual(
        (await stranger('GET', 'ad-groups')).body.map((row: { id: string }) => row.id),
        [own.ad_groups[0].id],
      );
    });

    it('a publisher’s key is 403, a wrong one 401, whatever the body', async () => {
      const publisher = await app.newPublisher();
      const call = (key: string | undefined) =>
        app.http.inject({
          method: 'POST',
          url: '/advertiser-dashboard/campaigns',
          payload: {},
          headers: key === undefined ? {} : { 'x-api-key': key },
        });
      assert.equal((await call(publisher.apiKey)).statusCode, 403);
      assert.equal((await call('wrong')).statusCode, 401);
      assert.equal((await call(undefined)).statusCode, 401);
    });
  });
}
