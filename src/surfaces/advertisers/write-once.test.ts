import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { campaignBody, managing, unitBody } from '../../../test/support/managed-campaign.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';

for (const engine of testEngines()) {
  describe(`writes sent twice or at the same time on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    it('the same key and request give the same answer and one effect, also at the same moment', async () => {
      const call = managing(app, await app.newAdvertiser());
      const key = { 'idempotency-key': 'create-1' };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          call('POST', 'campaigns', campaignBody({ status: 'active' }), key),
        ),
      );
      for (const answer of answers) {
        assert.equal(answer.status, 200);
        assert.deepEqual(answer.body, answers[0]?.body);
      }
      assert.equal((await call('GET', 'campaigns')).body.campaigns.length, 1);
    });

    it('the same key for something else is refused, and keys of other accounts do not matter', async () => {
      const call = managing(app, await app.newAdvertiser());
      const other = managing(app, await app.newAdvertiser());
      const key = { 'idempotency-key': 'k' };
      assert.equal((await call('POST', 'ad-units', unitBody, key)).status, 200);
      const refused = await call('POST', 'ad-units', { ...unitBody, name: 'Another' }, key);
      assert.deepEqual([refused.status, refused.body], [409, { detail: 'idempotency_key_reused' }]);
      assert.equal((await call('POST', 'campaigns', campaignBody(), key)).status, 409);
      assert.equal((await other('POST', 'ad-units', unitBody, key)).status, 200);
    });

    it('a toggle repeated with its key toggles once; a refused write may be tried again', async () => {
      const account = await app.newAdvertiser({ billingEnabled: false });
      const call = managing(app, account);
      const { body } = await call('POST', 'campaigns', campaignBody());
      const path = `campaigns/${body.campaign_id}`;
      for (let time = 0; time < 3; time += 1)
        assert.equal(
          (await call('PATCH', `${path}/archive`, undefined, { 'idempotency-key': 'a' })).body
            .is_archived,
          true,
        );
      const activate = () => call('PATCH', path, { status: 'active' }, { 'idempotency-key': 'b' });
      assert.equal((await activate()).status, 402);
      await app.db.query(`update advertisers set billing_enabled = true where id = $1`, [
        account.id,
      ]);
      assert.equal((await activate()).status, 200);
      const [group] = body.ad_groups;
      for (let time = 0; time < 2; time += 1)
        assert.equal(
          (await call('DELETE', `ad-groups/${group.id}`, undefined, { 'idempotency-key': 'c' }))
            .status,
          204,
        );
      assert.equal(
        (await call('POST', 'ad-units', unitBody, { 'idempotency-key': 'x'.repeat(300) })).status,
        422,
      );
    });

    it('keys are forgotten after a day', async () => {
      const call = managing(app, await app.newAdvertiser());
      const first = await call('POST', 'ad-units', unitBody, { 'idempotency-key': 'day' });
      app.clock.now += 2 * 86_400_000;
      await app.services.jobs.enqueue(app.db, 'forget-idempotency-keys', 'test', {});
      await app.services.jobs.runDue();
      const second = await call('POST', 'ad-units', unitBody, { 'idempotency-key': 'day' });
      assert.notEqual(second.body.id, first.body.id);
    });

    it('fifty edits at the same time all stay', async () => {
      const call = managing(app, await app.newAdvertiser());
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({
          status: 'active',
          ad_groups: Array.from({ length: 10 }, (_, index) => ({
            name: `G${index}`,
            group_type: 'manual',
            ads: [{ headline: 'One' }],
          })),
        }),
      );
      const path = `campaigns/${body.campaign_id}`;
      const edits = [
        ...Array.from({ length: 10 }, (_, index) =>
          call('PATCH', `ad-groups/${body.ad_groups[index].id}`, { name: `Renamed ${index}` }),
        ),
        ...Array.from({ length: 10 }, (_, index) =>
          call('PATCH', `ad-groups/${body.ad_groups[index].id}`, {
            negative_context: `not ${index}`,
          }),
        ),
        ...Array.from({ length: 10 }, (_, index) =>
          call('PATCH', `ads/${body.ad_groups[index].ads[0].id}`, { cta: `Go ${index}` }),
        ),
        ...Array.from({ length: 10 }, (_, index) =>
          call('POST', `ad-groups/${body.ad_groups[index].id}/ads`, { headline: `New ${index}` }),
        ),
        call('PATCH', path, { name: 'Renamed' }),
        call('PATCH', path, { daily_budget: 77 }),
        call('PATCH', path, { max_cpc: 3 }),
        call('PATCH', path, { allowed_countries: ['FR'] }),
        call('PATCH', path, { allowed_devices: ['tablet'] }),
        call('PATCH', path, { utm_params: { a: 'b' } }),
        call('PATCH', path, { end_time: '2031-01-01T00:00:00' }),
        call('PATCH', path, { landing_page: 'https://shop.example/new' }),
        call('PATCH', path, { campaign_objective: 'clicks' }),
        call('PATCH', path, { custom_favicon_url: 'https://shop.example/f.ico' }),
      ];
      assert.equal(edits.length, 50);
      for (const { status, body: answer } of await Promise.all(edits))
        assert.ok(status === 200 || status === 201, JSON.stringify(answer));
      const campaign = (await call('GET', path)).body;
      assert.deepEqual(
        [
          campaign.name,
          campaign.daily_budget,
          campaign.max_cpc,
          campaign.allowed_countries,
          campaign.allowed_devices,
          campaign.utm_params,
          campaign.end_time,
          campaign.landing_page,
          campaign.campaign_objective,
          campaign.custom_favicon_url,
        ],
        [
          'Renamed',
          77,
          3,
          ['FR'],
          ['tablet'],
          { a: 'b' },
          '2031-01-01T00:00:00',
          'https://shop.example/new',
          'clicks',
          'https://shop.example/f.ico',
        ],
      );
      assert.equal(campaign.review_status, 'approved');
      const groups = (await call('GET', `ad-groups?campaign_id=${body.campaign_id}`)).body;
      for (const [index, group] of groups.entries()) {
        assert.deepEqual(
          [group.name, group.negative_context, group.ads_total],
          [`Renamed ${index}`, `not ${index}`, 2],
        );
        assert.deepEqual(
          group.ads
            .map((ad: { cta: string | null; review_status: string }) => [ad.cta, ad.review_status])
            .sort(),
          [
            [null, 'approved'],
            [`Go ${index}`, 'approved'],
          ].sort(),
        );
      }
      const [version] = await app.db.query<{ version: number }>(
        `select version from campaigns where id = $1`,
        [body.campaign_id],
      );
      assert.ok((version?.version ?? 0) > 10);
    });
  });
}
