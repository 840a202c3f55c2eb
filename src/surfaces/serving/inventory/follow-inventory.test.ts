import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { campaignBody, managing } from '../../../../test/support/managed-campaign.js';
import { buildTestApp, type TestApp } from '../../../../test/support/test-app.js';
import { testEngines } from '../../../../test/support/test-database.js';
import type { Offer } from './inventory.js';

for (const engine of testEngines()) {
  describe(`the inventory in memory on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    const offersOf = (campaignId: string): Map<string, Offer> => {
      const offers = new Map<string, Offer>();
      for (let slot = 0, found = 0; found < app.serving.inventory.size; slot += 1) {
        const offer = app.serving.inventory.offer(slot);
        if (offer === undefined) continue;
        found += 1;
        if (offer.campaign.id === campaignId) offers.set(offer.group?.name ?? offer.key, offer);
      }
      return offers;
    };
    const until = async (isSo: () => boolean): Promise<void> => {
      for (let attempt = 0; attempt < 400 && !isSo(); attempt += 1)
        await new Promise((resolve) => setTimeout(resolve, 25));
      assert.ok(isSo());
    };
    const group = (name: string) => ({
      name,
      group_type: 'manual',
      context: `people who want ${name}`,
      brand_name: 'Shop',
      ads: [{ headline: `Buy ${name}`, copy: 'A good one.' }],
    });

    it('an edit of one group leaves the others untouched; one of the campaign reaches them all', async () => {
      const call = managing(app, await app.newAdvertiser());
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({ status: 'active', ad_groups: ['harps', 'lutes', 'drums'].map(group) }),
      );
      const id: string = body.campaign_id;
      const [harps, lutes] = body.ad_groups;
      await until(() => offersOf(id).size === 3);

      const first = offersOf(id);
      await call('PATCH', `ad-groups/${harps.id}`, { brand_name: 'Strings' });
      await until(() => offersOf(id).get('harps')?.group?.brandName === 'Strings');
      assert.ok(
        offersOf(id).get('lutes') === first.get('lutes') &&
          offersOf(id).get('drums') === first.get('drums'),
      );

      await call('PATCH', `ads/${lutes.ads[0].id}`, { headline: 'Buy a lute today' });
      await until(() =>
        (offersOf(id).get('lutes')?.creatives ?? []).some(
          (creative) => creative.title === 'Buy a lute today',
        ),
      );
      await call('DELETE', `ad-groups/${harps.id}`);
      await until(() => !offersOf(id).has('harps'));
      await call('POST', 'ad-groups', { campaign_id: id, ...group('flutes') });
      await until(() => offersOf(id).has('flutes'));
      await call('DELETE', `ads/${lutes.ads[0].id}`);
      await until(() => !offersOf(id).has('lutes'));
      assert.ok(offersOf(id).get('drums') === first.get('drums'));

      await call('PATCH', `campaigns/${id}`, { daily_budget: 77 });
      await until(() =>
        [...offersOf(id).values()].every(
          (offer) => offer.campaign.dailyBudgetMicros === 77_000_000,
        ),
      );
      assert.deepEqual([...offersOf(id).keys()].sort(), ['drums', 'flutes']);
      await call('PATCH', `campaigns/${id}`, { status: 'paused' });
      await until(() => offersOf(id).size === 0);
    });

    it('ad units of a campaign stay when one of its groups is edited', async () => {
      const call = managing(app, await app.newAdvertiser());
      const { body: unit } = await call('POST', 'ad-units', {
        name: 'Unit',
        description: 'Organs',
        landing_page: 'https://shop.example/',
        static_ad_text: 'Pipe organs.',
        static_cta: 'See',
      });
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({ status: 'active', ad_groups: [group('organs')], ad_unit_ids: [unit.id] }),
      );
      const id: string = body.campaign_id;
      await until(() => offersOf(id).size === 2);
      await call('PATCH', `ad-groups/${body.ad_groups[0].id}`, { brand_name: 'Pipes' });
      await until(() => offersOf(id).get('organs')?.group?.brandName === 'Pipes');
      assert.equal(offersOf(id).size, 2);
      await app.serving.inventory.sweep();
      assert.equal(offersOf(id).size, 2);
      await app.db.query(`delete from campaign_ad_units where campaign_id = $1`, [id]);
      await app.serving.inventory.sweep();
      assert.deepEqual([...offersOf(id).keys()], ['organs']);
    });

    it('changes nobody told of are found by the sweep', async () => {
      const call = managing(app, await app.newAdvertiser());
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({ status: 'active', ad_groups: ['violas', 'cellos', 'basses'].map(group) }),
      );
      const other = (
        await call(
          'POST',
          'campaigns',
          campaignBody({ status: 'active', ad_groups: [group('gongs')] }),
        )
      ).body.campaign_id;
      const id: string = body.campaign_id;
      const [violas, cellos, basses] = body.ad_groups;
      await until(() => offersOf(id).size === 3 && offersOf(other).size === 1);
      await app.db.query(`update ad_groups set status = 'archived' where id = $1`, [violas.id]);
      await app.db.query(`update ad_groups set brand_name = 'Quiet' where id = $1`, [cellos.id]);
      await app.db.query(`update campaigns set status = 'paused' where id = $1`, [other]);
      await app.serving.inventory.sweep();
      assert.deepEqual([...offersOf(id).keys()].sort(), ['basses', 'cellos']);
      assert.equal(offersOf(id).get('cellos')?.group?.brandName, 'Quiet');
      assert.equal(offersOf(other).size, 0);
      await app.db.query(`update ad_groups set status = 'active' where id = $1`, [violas.id]);
      await app.db.query(`update campaigns set status = 'active' where id = $1`, [other]);
      await app.db.query(`update ads set status = 'archived' where ad_group_id = $1`, [basses.id]);
      await app.serving.inventory.sweep();
      assert.deepEqual([...offersOf(id).keys()].sort(), ['cellos', 'violas']);
      assert.equal(offersOf(other).size, 1);
    });
  });
}
