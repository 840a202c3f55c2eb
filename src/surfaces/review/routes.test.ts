import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  campaignBody,
  managing,
  type Reply,
  unitBody,
} from '../../../test/support/managed-campaign.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { OutboundError } from '../../platform/outbound/guarded-fetch.js';
import { addPerson } from '../accounts/open-account.js';
import { reviewGeneratedAds } from '../advertisers/review/review-generated-ads.js';

for (const engine of testEngines()) {
  describe(`review on the ${engine.name} engine`, () => {
    let app: TestApp;
    let operator: (method: 'GET' | 'POST', path: string, payload?: unknown) => Promise<Reply>;
    before(async () => {
      app = await buildTestApp(await engine.open(), {
        environment: { REVIEW: 'manual' },
        outbound: async (url) => {
          if (url.includes('missing'))
            return { url, status: 404, headers: {}, body: Buffer.from('') };
          if (url.includes('moved'))
            return {
              url: 'https://other.example/',
              status: 200,
              headers: {},
              body: Buffer.from(''),
            };
          if (url.includes('fjord'))
            return {
              url,
              status: 200,
              headers: { 'content-type': 'text/html' },
              body: Buffer.from(
                '<html><head><title>Kayak tours</title><meta name="description" content="Paddle the fjord with a guide"></head></html>',
              ),
            };
          if (url.includes('dead')) throw new OutboundError('unreachable', 'nothing there');
          return { url, status: 200, headers: {}, body: Buffer.from('<html>') };
        },
      });
      operator = await signIn('operator', null);
    });
    after(() => app.close());

    async function signIn(role: 'operator' | 'advertiser', accountId: string | null) {
      const email = `${role}${Math.random()}@test.example`;
      await app.db.transaction((tx) =>
        addPerson(
          { tx, mintId: app.services.mintId, now: app.clock.now },
          { email, password: 'correct horse', role, accountId },
        ),
      );
      const session = await app.http.inject({
        method: 'POST',
        url: '/session',
        payload: { email, password: 'correct horse' },
      });
      const cookie = String(session.headers['set-cookie']).split(';')[0] ?? '';
      const csrf = session.json().csrf_token;
      return async (method: 'GET' | 'POST', path: string, payload?: unknown): Promise<Reply> => {
        const response = await app.http.inject({
          method,
          url: path,
          headers: { cookie, 'x-csrf-token': csrf },
          ...(payload === undefined ? {} : { payload: payload as Record<string, unknown> }),
        });
        return { status: response.statusCode, body: response.json(), headers: response.headers };
      };
    }
    const open = async () => managing(app, await app.newAdvertiser());
    const queued = async (campaignId: string) =>
      (await operator('GET', '/operator/review?limit=200')).body.campaigns.find(
        (row: { campaign_id: string }) => row.campaign_id === campaignId,
      );
    const decide = (campaignId: string, verdict: 'approve' | 'reject', payload?: unknown) =>
      operator('POST', `/operator/review/${campaignId}/${verdict}`, payload);
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
      await app.services.jobs.runDue();
      assert.equal((await decide(body.campaign_id, 'approve')).status, 200);
      await app.serving.inventory.refresh(null);
      const offers = Array.from({ length: app.serving.inventory.size + 5 }, (_, slot) =>
        app.serving.inventory.offer(slot),
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
        app.clock.now += 1000;
        assert.equal((await call('PATCH', target, payload)).status, 200);
        const state = (await call('GET', path)).body;
        assert.deepEqual(
          statesOf(state),
          ['active', 'pending_review', 'pending_review'],
          JSON.stringify(payload),
        );
        assert.equal(
          Date.parse(`${state.submitted_for_review_at}Z`),
          Math.floor(app.clock.now / 1000) * 1000,
        );
        assert.equal((await decide(body.campaign_id, 'approve')).status, 200);
      }
    });

    describe('an edit of a campaign on the air', () => {
      const shownOf = async (campaignId: string): Promise<string[]> => {
        await app.serving.inventory.refresh([campaignId]);
        return Array.from({ length: app.serving.inventory.size + 50 }, (_, slot) =>
          app.serving.inventory.offer(slot),
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
          await app.db.query(`select entity_id from approved_versions where campaign_id = $1`, [
            id,
          ]),
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
        const others = managing(app, await app.newAdvertiser());
        assert.equal(
          (await others('POST', 'check-edit', { campaign_id: id, changes: {} })).status,
          404,
        );
      });
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
      app.clock.now += 5000;
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
        await app.db.query(`select status, review_status from ad_units where id = $1`, [units[0]]),
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
          await app.db.query<{ review_status: string }>(
            `select review_status from ad_units where id = $1`,
            [units[1]],
          )
        )[0]?.review_status,
        'pending_review',
      );
      await decide(body.campaign_id, 'reject', { notes: 'Blurry picture' });
      assert.equal(
        (
          await app.db.query<{ review_reason: string }>(
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
        app.db.transaction(async (tx) => {
          await tx.query(
            `insert into ads (
                 id, ad_group_id, campaign_id, advertiser_id, name, headline, copy, source
               )
             values (gen_random_uuid(), $1, $2, $3, 'w', $4, 'Text', 'generated')`,
            [group.id, body.campaign_id, body.user_id, headline],
          );
          await reviewGeneratedAds(
            tx,
            { reviewMode: mode, now: app.clock.now },
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
      await app.services.jobs.runDue();
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
      assert.equal((await app.http.inject({ url: '/operator/review' })).statusCode, 401);
      const account = await app.newAdvertiser();
      assert.equal(
        (
          await app.http.inject({
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
