import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { campaignBody } from '../../../test/support/managed-campaign.js';
import { testEngines } from '../../../test/support/test-database.js';
import { openReview } from '../../../test/support/open-review.js';

for (const engine of testEngines()) {
  describe(`the review queue on the ${engine.name} engine`, () => {
    const review = openReview(engine);
    const { signIn, open, queued, decide } = review;

    const statesOf = (body: {
      status: string;
      review_status: string;
      deployment_status: string;
    }) => [body.status, body.review_status, body.deployment_status];

    it('what a landing page says it is about helps conversations to find its ads', async () => {
      const call = await open();
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({ status: 'active', landing_page: 'https://fjord.example/' }),
      );
      await review.app.services.jobs.runDue();
      assert.equal((await decide(body.campaign_id, 'approve')).status, 200);
      await review.app.serving.inventory.refresh(null);
      const offers = Array.from({ length: review.app.serving.inventory.size + 5 }, (_, slot) =>
        review.app.serving.inventory.offer(slot),
      );
      assert.equal(
        offers.find((offer) => offer?.campaign.id === body.campaign_id)?.text.landingTerms,
        'Kayak tours. Paddle the fjord with a guide',
      );
    });

    it('an active campaign waits, is approved with its ads, and every later change of what people see sends it back', async () => {
      const call = await open();
      const { body } = await call('POST', 'campaigns', campaignBody({ status: 'active' }));
      assert.deepEqual(statesOf(body), ['active', 'pending_review', 'pending_review']);
      assert.ok(body.submitted_for_review_at !== null && body.reviewed_at === null);
      assert.equal(body.ad_groups[0].ads[0].review_status, 'pending');
      const entry = await queued(body.campaign_id);
      assert.equal(entry.previews[0].title, 'Light running shoes');
      assert.equal(entry.previews[0].url, 'https://shop.example/spring');
      const decided = await decide(body.campaign_id, 'approve', {
        submitted_for_review_at: entry.submitted_for_review_at,
      });
      assert.equal(decided.status, 200, JSON.stringify(decided.body));
      assert.deepEqual(statesOf(decided.body), ['active', 'approved', 'deployed']);
      assert.equal(await queued(body.campaign_id), undefined);
      const [group] = body.ad_groups;
      assert.equal(
        (await call('GET', `ad-groups/${group.id}`)).body.ads[0].review_status,
        'approved',
      );

      const path = `campaigns/${body.campaign_id}`;
      const silent: [string, unknown][] = [
        [
          path,
          {
            daily_budget: 30,
            name: 'Other',
            allowed_countries: ['US'],
            utm_params: { utm_source: 'b' },
            max_cpc: 1,
            end_time: '2040-01-01',
          },
        ],
        [
          `ad-groups/${group.id}`,
          { name: 'x', context: 'trail running shoes', daily_budget: 5, status: 'paused' },
        ],
        [`ads/${group.ads[0].id}`, { name: 'x', status: 'paused' }],
        [path, { status: 'active' }],
      ];
      for (const [target, payload] of silent) {
        assert.equal((await call('PATCH', target, payload)).status, 200);
        assert.equal(
          (await call('GET', path)).body.review_status,
          'approved',
          JSON.stringify(payload),
        );
      }
      const seen: [string, unknown][] = [
        [path, { landing_page: 'https://shop.example/other' }],
        [path, { custom_favicon_url: 'https://shop.example/x.png' }],
        [path, { utm_params: { to: 'elsewhere' } }],
        [
          path,
          {
            lead_form_config: {
              title: 'Hi',
              fields: [{ name: 'a', label: 'A', type: 'text', required: false }],
            },
          },
        ],
        [`ad-groups/${group.id}`, { brand_name: 'Shop Two' }],
        [`ad-groups/${group.id}`, { landing_page: 'https://shop.example/group' }],
        [`ad-groups/${group.id}`, { ads: [{ id: group.ads[0].id }, { headline: 'Second' }] }],
        ...['headline', 'copy', 'cta', 'description'].map((name): [string, unknown] => [
          `ads/${group.ads[0].id}`,
          { [name]: `New ${name}` },
        ]),
        [`ads/${group.ads[0].id}`, { image_url: 'https://shop.example/i.png' }],
        [`ads/${group.ads[0].id}`, { landing_page: 'https://shop.example/ad' }],
      ];
      for (const [target, payload] of seen) {
        review.app.clock.now += 1000;
        assert.equal((await call('PATCH', target, payload)).status, 200);
        const state = (await call('GET', path)).body;
        assert.deepEqual(
          statesOf(state),
          ['active', 'pending_review', 'pending_review'],
          JSON.stringify(payload),
        );
        assert.equal(
          Date.parse(`${state.submitted_for_review_at}Z`),
          Math.floor(review.app.clock.now / 1000) * 1000,
        );
        assert.equal((await decide(body.campaign_id, 'approve')).status, 200);
      }
    });

    it('a rejection says why, keeps the campaign off the air, and an edit or activation hands it in again', async () => {
      const call = await open();
      const { body } = await call('POST', 'campaigns', campaignBody({ status: 'active' }));
      assert.equal((await decide(body.campaign_id, 'reject', {})).status, 422);
      const rejected = await decide(body.campaign_id, 'reject', { notes: 'Show the price.' });
      assert.deepEqual(statesOf(rejected.body), ['active', 'rejected', 'not_deployed']);
      const shown = (await call('GET', `campaigns/${body.campaign_id}`)).body;
      assert.equal(shown.review_notes, 'Show the price.');
      const [group] = body.ad_groups;
      assert.equal(
        (await call('GET', `ad-groups/${group.id}`)).body.ads[0].review_status,
        'rejected',
      );
      await call('PATCH', `ads/${group.ads[0].id}`, { copy: 'From 49 dollars.' });
      const again = (await call('GET', `campaigns/${body.campaign_id}`)).body;
      assert.deepEqual(
        [again.review_status, again.review_notes, again.reviewed_at],
        ['pending_review', null, null],
      );
      await decide(body.campaign_id, 'reject', { notes: 'Still not.' });
      assert.equal(
        (await call('PATCH', `campaigns/${body.campaign_id}`, { status: 'active' })).body
          .review_status,
        'pending_review',
      );
      assert.equal(
        (await call('GET', `ad-groups/${group.id}`)).body.ads[0].review_status,
        'pending',
      );
      assert.deepEqual(
        statesOf((await call('PATCH', `campaigns/${body.campaign_id}`, { status: 'draft' })).body),
        ['draft', 'not_submitted', 'not_deployed'],
      );
      assert.equal((await decide(body.campaign_id, 'approve')).status, 409);
    });

    it('nobody approves a version they have not seen', async () => {
      const call = await open();
      const { body } = await call('POST', 'campaigns', campaignBody({ status: 'active' }));
      const entry = await queued(body.campaign_id);
      review.app.clock.now += 5000;
      await call('PATCH', `campaigns/${body.campaign_id}`, {
        landing_page: 'https://evil.example/',
      });
      assert.equal(
        (
          await decide(body.campaign_id, 'approve', {
            submitted_for_review_at: entry.submitted_for_review_at,
          })
        ).status,
        409,
      );
      assert.equal(
        (await decide(body.campaign_id, 'approve', { submitted_for_review_at: 'yesterday' }))
          .status,
        422,
      );
    });

    it('the queue shows what the checks found, pages included', async () => {
      const call = await open();
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({
          status: 'active',
          landing_page: 'https://shop.example/missing',
          ad_groups: [
            {
              name: 'G',
              group_type: 'manual',
              ads: [
                { headline: 'Miracle cure', landing_page: 'https://shop.example/dead' },
                { headline: 'Fine', landing_page: 'https://shop.example/moved' },
              ],
            },
          ],
        }),
      );
      assert.match(body.review_notes, /Held for a person/);
      await review.app.services.jobs.runDue();
      const entry = await queued(body.campaign_id);
      const problems = entry.pages.map(
        (page: { url: string; problem: string | null }) => `${page.url.slice(21)} ${page.problem}`,
      );
      assert.deepEqual(problems, [
        'dead Nothing answers at this address',
        'missing The page answers 404',
        'moved The page redirects to another site',
      ]);
      assert.equal(entry.findings.length, 3);
      const bad = entry.previews.find(
        (preview: { title: string }) => preview.title === 'Miracle cure',
      );
      assert.deepEqual(
        bad.findings.map(
          (finding: { rule: string; level: string }) => `${finding.level} ${finding.rule}`,
        ),
        ['block health_claim'],
      );
    });

    it('only operators get in', async () => {
      assert.equal((await review.app.http.inject({ url: '/operator/review' })).statusCode, 401);
      const account = await review.app.newAdvertiser();
      assert.equal(
        (
          await review.app.http.inject({
            url: '/operator/review',
            headers: { 'x-api-key': account.apiKey },
          })
        ).statusCode,
        401,
      );
      const advertiser = await signIn('advertiser', account.id);
      assert.equal((await advertiser('GET', '/operator/review')).status, 403);
      assert.equal((await decide('nonsense', 'approve')).status, 404);
      assert.equal((await decide(account.id, 'approve')).status, 404);
    });
  });
}
