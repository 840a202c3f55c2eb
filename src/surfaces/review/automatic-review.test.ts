import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { campaignBody, managing } from '../../../test/support/managed-campaign.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';

for (const engine of testEngines()) {
  describe(`automatic review on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    it('a created active campaign is served at once, and an edit is seen at once', async () => {
      const call = managing(app, await app.newAdvertiser());
      const publisher = await app.newPublisher();
      const group = {
        name: 'Orchids',
        group_type: 'manual',
        context: 'orchid fertiliser for tropical houseplants',
        brand_name: 'Bloom',
        ads: [
          {
            headline: 'Feed your orchids',
            copy: 'Fertiliser for tropical houseplants.',
            cta: 'Shop',
          },
        ],
      };
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({
          status: 'active',
          landing_page: 'https://bloom.example/',
          max_cpm: 8,
          ad_groups: [group],
        }),
      );
      assert.equal(body.deployment_status, 'deployed', JSON.stringify(body));
      const pause = () => new Promise((resolve) => setTimeout(resolve, 25));
      let session = 0;
      const ask = async (title: string): Promise<string | undefined> => {
        for (let attempt = 0; attempt < 400; attempt += 1) {
          await app.serving.balance();
          const answer = await app.http.inject({
            method: 'POST',
            url: '/api/v1/ad',
            headers: { authorization: `Bearer ${publisher.apiKey}` },
            payload: {
              messages: [
                { role: 'user', content: 'best fertiliser for tropical orchid houseplants?' },
              ],
              sessionId: `s${(session += 1)}`,
              placements: [{ placement: 'below_response', placement_id: 'main' }],
            },
          });
          if (answer.statusCode === 200 && answer.json()[0].title === title) return title;
          await pause();
        }
        return undefined;
      };
      assert.equal(await ask('Feed your orchids'), 'Feed your orchids');
      await call('PATCH', `ads/${body.ad_groups[0].ads[0].id}`, { headline: 'Happy orchids' });
      assert.equal(await ask('Happy orchids'), 'Happy orchids');
      await call('PATCH', `campaigns/${body.campaign_id}`, { status: 'paused' });
      for (
        let attempt = 0;
        attempt < 400 && app.serving.inventory.campaign(body.campaign_id) !== undefined;
        attempt += 1
      )
        await pause();
      assert.equal(app.serving.inventory.campaign(body.campaign_id), undefined);
    });

    it('what a check stops waits for a person and says why', async () => {
      const call = managing(app, await app.newAdvertiser());
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({
          status: 'active',
          ad_groups: [
            {
              name: 'G',
              group_type: 'manual',
              ads: [{ name: 'Pill', headline: 'This pill cures cancer' }],
            },
          ],
        }),
      );
      assert.deepEqual(
        [body.review_status, body.deployment_status, body.review_notes],
        [
          'pending_review',
          'pending_review',
          'Held for a person to look at. Pill (headline): Promises to cure or reverse an illness.',
        ],
      );
      await call('PATCH', `ads/${body.ad_groups[0].ads[0].id}`, { headline: 'Vitamins' });
      assert.deepEqual(
        [
          (await call('GET', `campaigns/${body.campaign_id}`)).body.review_status,
          (await call('GET', `campaigns/${body.campaign_id}`)).body.review_notes,
        ],
        ['approved', null],
      );
    });
  });
}
