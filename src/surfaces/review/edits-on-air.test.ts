import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { campaignBody, managing, unitBody } from '../../../test/support/managed-campaign.js';
import { testEngines } from '../../../test/support/test-database.js';
import { reviewGeneratedAds } from '../advertisers/review/review-generated-ads.js';
import { openReview } from '../../../test/support/open-review.js';

for (const engine of testEngines()) {
  describe(`edits of what is on the air on the ${engine.name} engine`, () => {
    const review = openReview(engine);
    const { open, queued, decide } = review;

    describe('an edit of a campaign on the air', () => {
      const shownOf = async (campaignId: string): Promise<string[]> => {
        await review.app.serving.inventory.refresh([campaignId]);
        return Array.from({ length: review.app.serving.inventory.size + 50 }, (_, slot) =>
          review.app.serving.inventory.offer(slot),
        )
          .filter((offer) => offer?.campaign.id === campaignId)
          .flatMap((offer) => offer?.creatives ?? [])
          .map(({ title, brandName, url }) => `${title} | ${brandName} | ${url}`)
          .sort();
      };
      const live = async () => {
        const call = await open();
        const { body } = await call('POST', 'campaigns', campaignBody({ status: 'active' }));
        await decide(body.campaign_id, 'approve');
        const state = async () => {
          const shown = (await call('GET', `campaigns/${body.campaign_id}`)).body;
          return [shown.review_status, shown.delivery.status, shown.delivery.reason];
        };
        return { call, id: body.campaign_id as string, group: body.ad_groups[0], state };
      };
      const first = 'Light running shoes | Shop | https://shop.example/spring';

      it('leaves the approved version on the air until the new one is approved', async () => {
        const { call, id, group, state } = await live();
        assert.deepEqual(await state(), ['approved', 'showing', 'live']);
        const edits: [string, unknown][] = [
          [`ads/${group.ads[0].id}`, { headline: 'Heavy boots' }],
          [`ad-groups/${group.id}`, { brand_name: 'Boots Inc' }],
          [`campaigns/${id}`, { landing_page: 'https://shop.example/boots' }],
        ];
        for (const [path, change] of edits) {
          assert.equal((await call('PATCH', path, change)).status, 200);
          assert.deepEqual(await shownOf(id), [first], path);
          assert.deepEqual(await state(), ['pending_review', 'showing', 'edit_in_review']);
        }
        const entry = await queued(id);
        assert.equal(entry.shows_approved, true);
        assert.equal(entry.previews[0].title, 'Heavy boots');
        await decide(id, 'approve');
        assert.deepEqual(await shownOf(id), [
          'Heavy boots | Boots Inc | https://shop.example/boots',
        ]);
        assert.deepEqual(await state(), ['approved', 'showing', 'live']);
        await call('PATCH', `ads/${group.ads[0].id}`, { headline: 'Third' });
        assert.deepEqual(await shownOf(id), [
          'Heavy boots | Boots Inc | https://shop.example/boots',
        ]);
      });

      it('takes it off the air where that is asked for, and a pause always does', async () => {
        const { call, id, group, state } = await live();
        await call('PATCH', `ads/${group.ads[0].id}`, { headline: 'A', status: 'paused' });
        assert.deepEqual(await shownOf(id), []);
        await call('PATCH', `ads/${group.ads[0].id}`, { status: 'active' });
        assert.deepEqual(await shownOf(id), [first]);
        await call('PATCH', `campaigns/${id}`, { status: 'paused' });
        assert.deepEqual(await shownOf(id), []);
        assert.deepEqual(await state(), ['pending_review', 'paused', 'paused']);
        await call('PATCH', `campaigns/${id}`, { status: 'active' });
        assert.deepEqual(await shownOf(id), [first]);
        await call('PATCH', `ads/${group.ads[0].id}`, {
          headline: 'B',
          while_in_review: 'stop_showing',
        });
        assert.deepEqual(await shownOf(id), []);
        assert.deepEqual(await state(), ['pending_review', 'not_showing', 'in_review']);
        // What was given up is not shown again by the next edit.
        await call('PATCH', `ads/${group.ads[0].id}`, { headline: 'C' });
        assert.deepEqual(await shownOf(id), []);
        assert.deepEqual(
          await review.app.db.query(
            `select entity_id from approved_versions where campaign_id = $1`,
            [id],
          ),
          [],
        );
      });

      it('keeps ads that new ones take the place of, and drops those only taken away', async () => {
        const { call, id, group } = await live();
        await call('PATCH', `ad-groups/${group.id}`, { ads: [{ headline: 'Instead' }] });
        assert.deepEqual(await shownOf(id), [first]);
        await decide(id, 'approve');
        assert.deepEqual(await shownOf(id), ['Instead | Shop | https://shop.example/spring']);
        const ads = (await call('GET', `ad-groups/${group.id}`)).body.ads;
        await call('PATCH', `ads/${ads[0].id}`, { headline: 'Edited' });
        await call('DELETE', `ads/${ads[0].id}`);
        assert.deepEqual(await shownOf(id), []);
      });

      it('may be turned down alone, or with what was approved before', async () => {
        const { call, id, group, state } = await live();
        await call('PATCH', `ads/${group.ads[0].id}`, { headline: 'Worse' });
        const kept = await decide(id, 'reject', { notes: 'No.', keep_showing: true });
        assert.equal(kept.status, 200, JSON.stringify(kept.body));
        assert.deepEqual(await shownOf(id), [first]);
        assert.deepEqual(await state(), ['rejected', 'showing', 'edit_rejected']);
        await call('PATCH', `ads/${group.ads[0].id}`, { headline: 'Better' });
        assert.deepEqual(await shownOf(id), [first]);
        await decide(id, 'reject', { notes: 'Stop it.' });
        assert.deepEqual(await shownOf(id), []);
        assert.deepEqual(await state(), ['rejected', 'not_showing', 'rejected']);
      });

      it('is told before it is saved, and asking saves nothing', async () => {
        const { call, id, group, state } = await live();
        const check = async (body: unknown) => (await call('POST', 'check-edit', body)).body;
        const effect = await check({
          ad_id: group.ads[0].id,
          changes: { headline: 'Later', while_in_review: 'stop_showing' },
        });
        assert.deepEqual(
          [effect.goes_to_review, effect.goes_off_air, effect.keeps_approved],
          [true, true, false],
        );
        assert.match(effect.message, /off the air/);
        const kept = await check({ ad_group_id: group.id, changes: { brand_name: 'Other' } });
        assert.deepEqual([kept.goes_to_review, kept.keeps_approved], [true, true]);
        const silent = await check({ campaign_id: id, changes: { daily_budget: 99 } });
        assert.deepEqual([silent.goes_to_review, silent.goes_off_air], [false, false]);
        assert.deepEqual(await state(), ['approved', 'showing', 'live']);
        assert.equal((await call('GET', `campaigns/${id}`)).body.daily_budget, 25);
        assert.equal((await call('POST', 'check-edit', { changes: {} })).status, 422);
        const wrong = await call('POST', 'check-edit', {
          campaign_id: id,
          changes: { daily_budget: 'much' },
        });
        assert.deepEqual(
          [wrong.status, wrong.body.detail[0].loc],
          [422, ['body', 'changes', 'daily_budget']],
        );
        const others = managing(review.app, await review.app.newAdvertiser());
        assert.equal(
          (await others('POST', 'check-edit', { campaign_id: id, changes: {} })).status,
          404,
        );
      });
    });

    it('newly linked ad units send an approved campaign back; approved ones do not', async () => {
      const call = await open();
      const units = [
        (await call('POST', 'ad-units', unitBody)).body.id,
        (await call('POST', 'ad-units', { ...unitBody, name: 'Two' })).body.id,
      ];
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({ status: 'active', ad_groups: [], ad_unit_ids: [units[0]] }),
      );
      await decide(body.campaign_id, 'approve');
      assert.deepEqual(
        await review.app.db.query(`select status, review_status from ad_units where id = $1`, [
          units[0],
        ]),
        [{ status: 'active', review_status: 'approved' }],
      );
      assert.deepEqual(
        (await call('POST', `campaigns/${body.campaign_id}/ad-units`, { ad_unit_ids: [units[1]] }))
          .body.ad_unit_ids,
        units,
      );
      assert.equal(
        (await call('GET', `campaigns/${body.campaign_id}`)).body.review_status,
        'pending_review',
      );
      assert.equal(
        (
          await review.app.db.query<{ review_status: string }>(
            `select review_status from ad_units where id = $1`,
            [units[1]],
          )
        )[0]?.review_status,
        'pending_review',
      );
      await decide(body.campaign_id, 'reject', { notes: 'Blurry picture' });
      assert.equal(
        (
          await review.app.db.query<{ review_reason: string }>(
            `select review_reason from ad_units where id = $1`,
            [units[1]],
          )
        )[0]?.review_reason,
        'Blurry picture',
      );
      await decide(body.campaign_id, 'approve');
      await call('PUT', `campaigns/${body.campaign_id}/ad-units`, { ad_unit_ids: [units[1]] });
      await decide(body.campaign_id, 'approve');
      assert.deepEqual(
        (await call('PUT', `campaigns/${body.campaign_id}/ad-units`, { ad_unit_ids: [units[0]] }))
          .body.ad_unit_ids,
        [units[0]],
      );
      assert.equal(
        (await call('GET', `campaigns/${body.campaign_id}`)).body.review_status,
        'approved',
      );
    });

    it('ads the service writes wait alone while the campaign stays on the air', async () => {
      const call = await open();
      const { body } = await call('POST', 'campaigns', campaignBody({ status: 'active' }));
      await decide(body.campaign_id, 'approve');
      const [group] = body.ad_groups;
      const write = (headline: string, mode: 'manual' | 'auto') =>
        review.app.db.transaction(async (tx) => {
          await tx.query(
            `insert into ads (
                 id, ad_group_id, campaign_id, advertiser_id, name, headline, copy, source
               )
             values (gen_random_uuid(), $1, $2, $3, 'w', $4, 'Text', 'generated')`,
            [group.id, body.campaign_id, body.user_id, headline],
          );
          await reviewGeneratedAds(
            tx,
            { reviewMode: mode, now: review.app.clock.now },
            { campaignId: body.campaign_id, id: group.id },
          );
        });
      await write('Written shoes', 'manual');
      assert.equal(
        (await call('GET', `campaigns/${body.campaign_id}`)).body.deployment_status,
        'deployed',
      );
      assert.equal((await queued(body.campaign_id)).previews[0].title, 'Written shoes');
      await decide(body.campaign_id, 'approve');
      await write('Cures cancer overnight', 'auto');
      await write('Also fine', 'auto');
      const ads = (await call('GET', `ad-groups/${group.id}`)).body.ads
        .map(
          (ad: { headline: string; review_status: string }) =>
            `${ad.headline}: ${ad.review_status}`,
        )
        .sort();
      assert.deepEqual(ads, [
        'Also fine: approved',
        'Cures cancer overnight: rejected',
        'Light running shoes: approved',
        'Written shoes: approved',
      ]);
    });
  });
}
