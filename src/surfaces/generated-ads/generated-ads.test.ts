import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { campaignBody, managing } from '../../../test/support/managed-campaign.js';
import {
  landingPages,
  type PageServer,
  startPageServer,
} from '../../../test/support/page-server.js';
import { signInOperator } from '../../../test/support/sign-in-operator.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { wordsKey } from '../../domain/ad-writing/clean-text.js';

interface Ad {
  id: string;
  headline: string;
  copy: string;
  cta: string;
  source: string;
  status: string;
  review_status: string;
  image_url: string | null;
}

for (const engine of testEngines()) {
  describe(`generated ads on the ${engine.name} engine`, () => {
    let app: TestApp;
    let pages: PageServer;
    before(async () => {
      pages = await startPageServer();
      app = await buildTestApp(await engine.open(), { outbound: pages.outbound });
    });
    after(async () => {
      await app.close();
      pages.close();
    });
    const open = async () => managing(app, await app.newAdvertiser());
    const generative = (extra: Record<string, unknown> = {}, group: Record<string, unknown> = {}) =>
      campaignBody({
        status: 'active',
        landing_page: `${pages.url}/nowhere`,
        ad_groups: [
          {
            name: 'Self',
            context: 'People planning a trip to Japan who need travel insurance',
            brand_name: 'Wayfarer Mutual',
            ...group,
          },
        ],
        ...extra,
      });
    const create = async (call: ReturnType<typeof managing>, extra = {}, group = {}) => {
      const { status, body } = await call('POST', 'campaigns', generative(extra, group));
      assert.equal(status, 200, JSON.stringify(body));
      return { campaignId: body.campaign_id as string, groupId: body.ad_groups[0].id as string };
    };
    const adsOf = async (call: ReturnType<typeof managing>, groupId: string): Promise<Ad[]> =>
      (await call('GET', `ad-groups/${groupId}`)).body.ads;

    it('drafts distinct ad units from each of five landing pages', async () => {
      const call = await open();
      const { campaignId } = await create(call);
      for (const name of landingPages) {
        for (const count of [undefined, 1, 5]) {
          const { status, body } = await call('POST', `campaigns/${campaignId}/ad-units/generate`, {
            site_url: `${pages.url}/${name}`,
            ...(count === undefined ? {} : { count }),
          });
          assert.equal(status, 200, JSON.stringify(body));
          assert.equal(body.campaign_id, campaignId);
          assert.equal(body.ad_units.length, count ?? 3);
          assert.equal(
            new Set(body.ad_units.map((unit: { headline: string }) => wordsKey(unit.headline)))
              .size,
            count ?? 3,
          );
          assert.equal(
            new Set(
              body.ad_units.map((unit: { static_ad_text: string }) =>
                wordsKey(unit.static_ad_text),
              ),
            ).size,
            count ?? 3,
          );
          for (const unit of body.ad_units) {
            assert.deepEqual(
              [unit.source, unit.status, unit.review_status, unit.campaign_id],
              ['scraped', 'draft', 'not_submitted', null],
            );
            assert.equal(unit.landing_page, `${pages.url}/${name}`);
            assert.ok(
              unit.favicon_url.startsWith('http') &&
                unit.brand_name !== '' &&
                unit.description !== '' &&
                unit.static_cta !== '',
            );
          }
        }
      }
    });

    it('ads to choose from follow the brief, are new each time, and nothing is stored', async () => {
      const call = await open();
      const brief = {
        landing_page: `${pages.url}/trail-shoes`,
        context: 'Runners who need shoes for wet rock',
        ad_prompt:
          'Mention free returns. Do not mention descents or rubber. Button: "Find your size".',
        brand_name: 'Fellbound',
      };
      const write = async (body: Record<string, unknown>) =>
        (await call('POST', 'ads/write', body)).body;
      const first = await write(brief);
      const textOf = (ad: Ad): string => `${ad.headline} ${ad.copy}`.toLowerCase();
      assert.equal(first.page_read, true);
      assert.equal(first.ads.length, 4);
      assert.match(textOf(first.ads[0]), /free returns/);
      for (const ad of first.ads) {
        assert.doesNotMatch(textOf(ad), /descent|rubber/);
        assert.equal(ad.cta, 'Find your size');
      }
      const second = await write({ ...brief, known: first.ads });
      const keys = [...first.ads, ...second.ads].map(textOf);
      assert.equal(new Set(keys).size, keys.length);
      const alone = await write({ ...brief, landing_page: `${pages.url}/nowhere`, count: 1 });
      assert.deepEqual([alone.ads.length, alone.page_read], [1, false]);
      assert.ok(alone.page_problem !== null);
      assert.equal(
        (await call('POST', 'ads/write', { ...brief, landing_page: 'x:y' })).status,
        422,
      );
      assert.deepEqual((await call('GET', 'bulk/ads')).body, { ads: [], next_cursor: null });
    });

    it('drafts can be linked to the campaign they were made for', async () => {
      const call = await open();
      const { campaignId } = await create(call);
      const { body } = await call('POST', `campaigns/${campaignId}/ad-units/generate`, {
        site_url: `${pages.url}/trail-shoes`,
      });
      const ids = body.ad_units.map((unit: { id: string }) => unit.id);
      const { status, body: linked } = await call('POST', `campaigns/${campaignId}/ad-units`, {
        ad_unit_ids: ids,
      });
      assert.equal(status, 200, JSON.stringify(linked));
      assert.deepEqual(linked.ad_unit_ids, ids);
    });

    it('a page that cannot be read is a 422 that says why', async () => {
      const call = await open();
      const { campaignId } = await create(call);
      const reasons: [string, RegExp][] = [
        [`${pages.url}/picture`, /not a web page/],
        [`${pages.url}/json`, /not a web page/],
        [`${pages.url}/empty`, /nothing/],
        [`${pages.url}/missing`, /answers 404/],
        [`${pages.url}/broken`, /answers 500/],
        [`${pages.url}/huge`, /too large/],
        [`${pages.url}/never`, /too long/],
        [`${pages.url}/inward`, /private/],
        ['http://127.0.0.2/', /private/],
        ['http://169.254.169.254/latest/meta-data', /private/],
        ['http://[::1]/', /private/],
        ['file:///etc/passwd', /Not the address/],
        ['javascript:alert(1)', /Not the address/],
        ['http://', /Not the address/],
      ];
      for (const [url, reason] of reasons) {
        const { status, body } = await call('POST', `campaigns/${campaignId}/ad-units/generate`, {
          site_url: url,
        });
        assert.equal(status, 422, `${url} ${JSON.stringify(body)}`);
        assert.equal(body.detail[0].type, 'page_unreadable');
        assert.match(body.detail[0].msg, reason, url);
      }
      for (const bad of [
        {},
        { site_url: '' },
        { site_url: 5 },
        { site_url: pages.url, count: 0 },
        { site_url: pages.url, count: 6 },
        { site_url: pages.url, count: 2.5 },
        { site_url: pages.url, count: 'x' },
      ]) {
        assert.equal(
          (await call('POST', `campaigns/${campaignId}/ad-units/generate`, bad)).status,
          422,
          JSON.stringify(bad),
        );
      }
    });

    it('of another account’s campaign nothing is read', async () => {
      const { campaignId } = await create(await open());
      const stranger = await open();
      const before = pages.asked.length;
      for (const id of [campaignId, '019a0000-0000-7000-8000-000000000000', 'x']) {
        const { status, body } = await stranger('POST', `campaigns/${id}/ad-units/generate`, {
          site_url: `${pages.url}/trail-shoes`,
        });
        assert.equal(status, 404);
        assert.deepEqual(body, { detail: 'not_found' });
      }
      assert.equal(pages.asked.length, before);
    });

    it('a repeat with the same key makes no second set and reads no page', async () => {
      const call = await open();
      const { campaignId } = await create(call);
      const once = (count = 3) =>
        call(
          'POST',
          `campaigns/${campaignId}/ad-units/generate`,
          { site_url: `${pages.url}/cooking-school`, count },
          { 'idempotency-key': 'again' },
        );
      const first = await once();
      const asked = pages.asked.length;
      assert.deepEqual((await once()).body, first.body);
      assert.equal((await once(2)).status, 409);
      assert.equal(pages.asked.length, asked);
    });

    it('a generative group has approved ads of its own after one round of jobs, page or no page', async () => {
      const call = await open();
      const { campaignId, groupId } = await create(
        call,
        {},
        { context: 'People shopping for a telescope', brand_name: 'Dark Sky Optics' },
      );
      await app.services.jobs.runDue();
      const ads = await adsOf(call, groupId);
      assert.ok(ads.length >= 3 && ads.length <= 5);
      for (const ad of ads)
        assert.deepEqual(
          [ad.source, ad.status, ad.review_status],
          ['generated', 'active', 'approved'],
        );
      assert.equal(new Set(ads.map((ad) => ad.copy)).size, ads.length);
      assert.equal((await call('PATCH', `ads/${ads[0]?.id}`, { headline: 'Mine' })).status, 422);
      assert.equal((await call('DELETE', `ads/${ads[0]?.id}`)).status, 422);
      await app.serving.inventory.refresh([campaignId]);
      const publisher = await app.newPublisher();
      const answer = await app.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${publisher.apiKey}` },
        payload: {
          messages: [{ role: 'user', content: 'Which telescope should I buy to look at planets?' }],
          sessionId: 's',
          placements: [{ placement: 'below_response', placement_id: 'a' }],
        },
      });
      assert.equal(answer.statusCode, 200, answer.body);
      assert.equal(answer.json()[0].campaignId, campaignId);
    });

    it('the first ads do not wait for the page; once it is read they are better and carry its picture', async () => {
      const call = await open();
      const { groupId } = await create(call, { landing_page: `${pages.url}/travel-insurance` });
      const first = pages.asked.length;
      await app.services.jobs.runDue();
      assert.ok(pages.asked.slice(first).includes('/travel-insurance'));
      const ads = await adsOf(call, groupId);
      assert.ok(
        ads.some((ad) => /140 countries|nine languages|30 metres|by the day/.test(ad.copy)),
        JSON.stringify(ads),
      );
      assert.equal(ads[0]?.image_url, 'https://wayfarer-mutual.example/hero.webp');
      const every = await app.db.query<{ status: string }>(
        `select status from ads where ad_group_id = $1`,
        [groupId],
      );
      assert.ok(every.filter((ad) => ad.status === 'archived').length >= 3);
    });

    it('a changed brief brings new ads, the old ones are archived; repeating the job changes nothing', async () => {
      const call = await open();
      const { groupId } = await create(call);
      await app.services.jobs.runDue();
      const before = await adsOf(call, groupId);
      assert.equal(
        (
          await call('PATCH', `ad-groups/${groupId}`, {
            context: 'learning Spanish',
            ad_prompt: 'Highlight lessons with native speakers.',
          })
        ).status,
        200,
      );
      await app.services.jobs.runDue();
      const now = await adsOf(call, groupId);
      assert.match(JSON.stringify(now), /Spanish/);
      assert.match(JSON.stringify(now), /essons with native speakers/);
      assert.ok(
        now.every(
          (ad) => ad.review_status === 'approved' && !before.some((old) => old.id === ad.id),
        ),
      );
      await app.db.transaction((tx) =>
        app.services.jobs.enqueue(tx, 'generate-ads', groupId, { ad_group_id: groupId }),
      );
      await app.services.jobs.runDue();
      assert.deepEqual(await adsOf(call, groupId), now);
    });

    it('ads of a draft wait, and are approved when it goes live', async () => {
      const call = await open();
      const { campaignId, groupId } = await create(call, { status: 'draft' });
      await app.services.jobs.runDue();
      assert.ok((await adsOf(call, groupId)).every((ad) => ad.review_status === 'pending'));
      assert.equal(
        (await call('PATCH', `campaigns/${campaignId}`, { status: 'active' })).status,
        200,
      );
      const ads = await adsOf(call, groupId);
      assert.ok(ads.length >= 3 && ads.every((ad) => ad.review_status === 'approved'));
    });

    it('a page that is down is read once it is up again', async () => {
      const call = await open();
      const { groupId } = await create(call, { landing_page: `${pages.url}/waking` });
      await app.services.jobs.runDue();
      const first = await adsOf(call, groupId);
      pages.wake();
      app.clock.now += 61_000;
      await app.services.jobs.runDue();
      const now = await adsOf(call, groupId);
      assert.ok(
        first.length >= 3 &&
          now.length >= 3 &&
          !now.some((ad) => first.some((old) => old.id === ad.id)),
      );
      assert.match(JSON.stringify(now), /140 countries/);
    });

    it('a new landing page of the campaign brings new ads to the groups that have none of their own', async () => {
      const call = await open();
      const { body } = await call(
        'POST',
        'campaigns',
        generative({
          ad_groups: [
            { name: 'Inherits', context: 'telescopes' },
            {
              name: 'Own page',
              context: 'telescopes',
              landing_page: `${pages.url}/cooking-school`,
            },
          ],
        }),
      );
      await app.services.jobs.runDue();
      const [inherits, own] = body.ad_groups.map((group: { id: string }) => group.id) as [
        string,
        string,
      ];
      const before = { inherits: await adsOf(call, inherits), own: await adsOf(call, own) };
      assert.equal(
        (
          await call('PATCH', `campaigns/${body.campaign_id}`, {
            landing_page: `${pages.url}/travel-insurance`,
          })
        ).status,
        200,
      );
      await app.services.jobs.runDue();
      const now = await adsOf(call, inherits);
      assert.match(JSON.stringify(now), /140 countries|nine languages|30 metres|by the day/);
      assert.ok(
        now.every(
          (ad) =>
            ad.review_status === 'approved' && !before.inherits.some((old) => old.id === ad.id),
        ),
      );
      assert.deepEqual(await adsOf(call, own), before.own);
    });

    it('where people review, approved ads stay on the air until ads of the new brief are approved', async () => {
      const manual = await buildTestApp(await engine.open(), {
        outbound: pages.outbound,
        environment: { REVIEW: 'manual' },
      });
      try {
        const call = managing(manual, await manual.newAdvertiser());
        const operator = await signInOperator(manual);
        const { campaignId, groupId } = await create(
          call,
          {},
          { context: 'People shopping for a telescope' },
        );
        await manual.services.jobs.runDue();
        const first = await adsOf(call, groupId);
        assert.ok(first.length >= 3 && first.every((ad) => ad.review_status === 'pending'));
        await operator('POST', `/operator/review/${campaignId}/approve`);
        const served = async (): Promise<string | undefined> => {
          await manual.serving.inventory.refresh([campaignId]);
          await manual.serving.balance();
          const publisher = await manual.newPublisher();
          const payload = {
            messages: [
              { role: 'user', content: 'Which telescope should I buy to look at planets?' },
            ],
            sessionId: manual.services.mintId(manual.clock.now),
            placements: [{ placement: 'below_response', placement_id: 'a' }],
          };
          const answer = await manual.http.inject({
            method: 'POST',
            url: '/api/v1/ad',
            headers: { authorization: `Bearer ${publisher.apiKey}` },
            payload,
          });
          return answer.statusCode === 200 ? answer.json()[0].adText : undefined;
        };
        const isOf = (ads: Ad[], text: string | undefined): boolean =>
          ads.some((ad) => ad.copy === text);
        assert.ok(isOf(first, await served()));

        for (const ad_prompt of [
          'Mention clear nights in the desert.',
          'Mention lenses ground by hand.',
        ]) {
          assert.equal((await call('PATCH', `ad-groups/${groupId}`, { ad_prompt })).status, 200);
          await manual.services.jobs.runDue();
        }
        const both = await adsOf(call, groupId);
        const waiting = both.filter((ad) => ad.review_status === 'pending');
        assert.deepEqual(
          both.filter((ad) => ad.review_status === 'approved').map((ad) => ad.id),
          first.map((ad) => ad.id),
        );
        assert.ok(
          waiting.length >= 3 &&
            /ground by hand/.test(JSON.stringify(waiting)) &&
            !/desert/.test(JSON.stringify(waiting)),
        );
        assert.equal(
          (await call('GET', `campaigns/${campaignId}`)).body.deployment_status,
          'deployed',
        );
        assert.ok(isOf(first, await served()));

        await operator('POST', `/operator/review/${campaignId}/approve`);
        assert.deepEqual(
          (await adsOf(call, groupId)).map((ad) => [ad.id, ad.review_status]),
          waiting.map((ad) => [ad.id, 'approved']),
        );
        assert.ok(isOf(waiting, await served()));
      } finally {
        await manual.close();
      }
    });

    it('an archived group gets no ads', async () => {
      const call = await open();
      const { groupId } = await create(call);
      assert.equal((await call('DELETE', `ad-groups/${groupId}`)).status, 204);
      await app.services.jobs.runDue();
      assert.equal(
        (await app.db.query(`select 1 as x from ads where ad_group_id = $1`, [groupId])).length,
        0,
      );
    });

    it('an ad clearly below its siblings is replaced by a variant of the winners', async () => {
      const call = await open();
      const { campaignId, groupId } = await create(
        call,
        { landing_page: `${pages.url}/managed-database` },
        { context: 'hosting a PostgreSQL database', brand_name: 'Tidepool' },
      );
      await app.services.jobs.runDue();
      const ads = await adsOf(call, groupId);
      const [loser] = ads;
      const [{ owner } = { owner: '' }] = await app.db.query<{ owner: string }>(
        `select advertiser_id as owner from campaigns where id = $1`,
        [campaignId],
      );
      const bucket = new Date(Math.floor(app.clock.now / 900_000) * 900_000);
      for (const ad of ads) {
        await app.db.query(
          `insert into totals (
               bucket, advertiser_id, campaign_id, ad_group_id, ad_id, publisher_id, placement,
               device, country, impressions, clicks
             )
           values ($1, $2, $3, $4, $5, '00000000-0000-0000-0000-000000000000', '', '', '', 3000, $6)`,
          [bucket, owner, campaignId, groupId, ad.id, ad === loser ? 6 : 90],
        );
      }
      await app.db.query(
        `insert into ad_group_totals (
             advertiser_id, ad_group_id, bucket, campaign_id, impressions, clicks
           )
         values ($1, $2, $3, $4, $5, 276)`,
        [owner, groupId, bucket, campaignId, 3000 * ads.length],
      );
      await app.db.transaction((tx) =>
        app.services.jobs.enqueue(tx, 'replace-losing-ads', 'test', {}),
      );
      await app.services.jobs.runDue();
      const after = await adsOf(call, groupId);
      assert.equal(after.length, ads.length);
      assert.ok(!after.some((ad) => ad.id === loser?.id));
      const [fresh] = after.filter((ad) => !ads.some((old) => old.id === ad.id));
      assert.ok(fresh !== undefined && fresh.review_status === 'approved');
      assert.ok(!ads.some((ad) => ad.headline === fresh.headline && ad.copy === fresh.copy));
    });
  });
}
