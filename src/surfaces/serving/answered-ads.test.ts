import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { testEngines } from '../../../test/support/test-database.js';
import { readRecord } from '../../domain/decision/decision-record.js';
import { openMarket, need } from '../../../test/support/open-market.js';

for (const engine of testEngines()) {
  describe(`which ads are answered on the ${engine.name} engine`, () => {
    const site = openMarket(engine);
    const { ask, market } = site;

    const change = async (
      campaignId: string,
      sql: string,
      values: unknown[] = [],
    ): Promise<void> => {
      await site.app.db.query(sql, values);
      await site.app.serving.inventory.refresh([campaignId]);
    };

    it('every ad says that it is one, whose, who paid and why, in the person’s language', async () => {
      const { key, advertiser, campaignId } = await market();
      const told = async (extra: Record<string, unknown> = {}, headers = {}) => {
        const answer = await ask(key, extra, headers);
        assert.equal(answer.statusCode, 200, answer.body);
        return answer.json()[0].disclosure;
      };
      const english = await told({ locale: 7, device: { locale: 'xx-YY' } });
      const [account] = await site.app.db.query<{ name: string }>(
        `select name from advertisers where id = $1`,
        [advertiser.id],
      );
      assert.deepEqual(english, {
        label: 'Sponsored',
        advertiser: 'shop.example',
        paid_by: account?.name,
        why: 'Shown because it fits what this conversation is about.',
        presentation: 'separate',
      });
      assert.deepEqual(
        [
          (await told({ locale: 'de-CH' })).label,
          (await told({ device: { locale: 'fr_FR' } })).label,
          (await told({ user: { language: 'ja' } })).label,
          (await told({}, { 'accept-language': 'xx, es-MX;q=0.8, de' })).label,
          (await told({ locale: 'pt-BR', device: { locale: 'de' } })).label,
        ],
        ['Anzeige', 'Sponsorisé', '広告', 'Patrocinado', 'Patrocinado'],
      );
      await change(campaignId, `update campaigns set allowed_countries = '{DE}' where id = $1`, [
        campaignId,
      ]);
      assert.match((await told({ device: { country: 'DE' } })).why, /countries or devices\.$/);
      await change(
        campaignId,
        `update campaigns set demographics = '{"interests": ["orchids"]}' where id = $1`,
        [campaignId],
      );
      const personal = await told({ device: { country: 'DE' }, user: { keywords: ['orchids'] } });
      assert.match(personal.why, /chose an audience by details this app passed on\.$/);
      assert.ok(!JSON.stringify(personal).includes('orchids'));
      const test = await told({ testAd: true });
      assert.match(test.why, /^A test ad/);
    });

    it('the whole way an ad is bought by is named, as in sellers.json and ads.txt', async () => {
      const { key, publisher } = await market();
      await site.app.db.query(
        `update publishers set url = 'https://www.chat.example/x' where id = $1`,
        [publisher.id],
      );
      const answer = await ask(key);
      const [node] = answer.json()[0].schain.nodes;
      const { sellers } = (await site.app.http.inject({ url: '/sellers.json' })).json();
      const seller = sellers.find((one: { seller_id: string }) => one.seller_id === node.sid);
      assert.deepEqual(
        [seller.domain, seller.seller_type, node.hp, node.rid, answer.json()[0].schain.complete],
        ['chat.example', 'PUBLISHER', 1, answer.headers['x-ad-request-id'], 1],
      );
      const line = `${node.asi}, ${publisher.id}, DIRECT\n`;
      for (const url of ['/ads.txt', `/ads.txt?seller_id=${publisher.id}`])
        assert.ok((await site.app.http.inject({ url })).body.includes(line), url);
      const pending = await site.app.newPublisher({ status: 'pending' });
      assert.equal(
        (await site.app.http.inject({ url: `/ads.txt?seller_id=${pending.id}` })).statusCode,
        404,
      );
    });

    it('a campaign does not stand where it does not want to, and no more often than it asks', async () => {
      const { key, publisher, campaignId } = await market();
      const set = (column: 'brand_safety' | 'frequency_cap', value: unknown) =>
        change(campaignId, `update campaigns set ${column} = $2::jsonb where id = $1`, [
          campaignId,
          value === null ? null : JSON.stringify(value),
        ]);
      const reason = async (extra: Record<string, unknown> = {}) =>
        (await ask(key, extra)).headers['no-ad-reason'];
      await set('brand_safety', { excluded_publishers: [publisher.id] });
      assert.equal(await reason(), 'excluded');
      // Nobody told what the conversation is about: it may be of that category.
      await set('brand_safety', { excluded_categories: ['286'] });
      assert.equal(await reason(), 'excluded');
      await set('brand_safety', null);
      await set('frequency_cap', { per_session: 1, per_user_day: 2 });
      const fills = async (extra: Record<string, unknown>) =>
        (await ask(key, extra)).statusCode === 200;
      assert.equal(await fills({ sessionId: 'capped' }), true);
      assert.equal(await fills({ sessionId: 'capped' }), false);
      const user = { user: { id: 'often' } };
      assert.deepEqual(
        [await fills(user), await fills(user), await fills(user)],
        [true, true, false],
      );
      // Who may not be counted is not shown what asks to be shown only so often.
      assert.equal(await fills({ regs: { gdpr: 1 } }), false);
      await set('frequency_cap', null);
      assert.equal(await fills({ regs: { gdpr: 1 } }), true);
    });

    it('every ad has what a publisher needs, with fallbacks', async () => {
      const { key, campaignId, adGroupId } = await market({
        landingPage: 'https://www.orchids.example/x',
        leadForm: {
          title: 'Ask',
          fields: [{ name: 'email', label: 'E-mail', type: 'email', required: true }],
        },
      });
      await change(
        campaignId,
        `update ads set headline = null, copy = null where ad_group_id = $1`,
        [adGroupId],
      );
      const answer = await ask(key);
      assert.equal(answer.statusCode, 200);
      const [ad] = answer.json();
      assert.equal(ad.title, 'orchids.example');
      assert.equal(ad.brandName, 'orchids.example');
      assert.equal(ad.url, 'https://www.orchids.example/x');
      assert.equal(ad.campaignId, campaignId);
      assert.equal(ad.placement, 'below_response');
      assert.equal(ad.placement_id, 'main');
      assert.ok(ad.adText.length > 0 && ad.cta.length > 0);
      assert.match(ad.impUrl, /\/ack\?p=[\w-]{1,200}$/);
      assert.match(ad.clickUrl, /\/track\/click\?p=[\w-]{1,200}$/);
      assert.equal(ad.leadForm.title, 'Ask');
    });

    it('feedback is asked for on some ads, with a question and reasons', async () => {
      const { key } = await market();
      const prompts: { question: string; reasons: string[] }[] = [];
      for (let round = 0; round < 40; round += 1) {
        const answer = await ask(key);
        for (const ad of answer.statusCode === 200 ? answer.json() : []) {
          assert.equal('leadForm' in ad, false);
          if ('feedbackPrompt' in ad) prompts.push(ad.feedbackPrompt);
        }
      }
      assert.ok(prompts.length > 0 && prompts.length < 40);
      for (const prompt of prompts)
        assert.ok(prompt.question.length > 0 && prompt.reasons.includes('irrelevant'));
    });

    it('topics the publisher or the request excludes stay out', async () => {
      const { key, publisher } = await market();
      assert.equal((await ask(key, { excludedTopics: ['cars'] })).statusCode, 200);
      assert.equal((await ask(key, { excludedTopics: ['orchid'] })).statusCode, 204);
      await site.app.db.query(`update publishers set excluded_topics = '{orchid}' where id = $1`, [
        publisher.id,
      ]);
      await site.app.services.directory.refresh();
      assert.equal((await ask(key)).statusCode, 204);
    });

    it('nothing is served below the asked-for relevance', async () => {
      const { key } = await market({ context: 'orchid pots' });
      assert.equal((await ask(key, { relevancy: 0 })).statusCode, 200);
      assert.equal((await ask(key, { relevancy: 1 })).statusCode, 204);
    });

    it('a campaign limited to countries is shown only where the country is known to be one of them', async () => {
      const { key } = await market({ allowedCountries: ['DE'] });
      const status = async (
        device: Record<string, unknown> | undefined,
        headers: Record<string, string> = {},
      ) => (await ask(key, device === undefined ? {} : { device }, headers)).statusCode;
      assert.equal(await status({ country: 'de' }), 200);
      assert.equal(await status({ country: 'FR' }), 204);
      assert.equal(await status({ ip: '194.25.0.60' }), 200);
      assert.equal(await status({ ip: '8.8.8.8' }), 204);
      for (const unknown of [
        {},
        { ip: '10.0.0.1' },
        { ip: '127.0.0.1' },
        { ip: 'nonsense' },
        { country: 'Germany' },
        undefined,
      ])
        assert.equal(await status(unknown), 204, JSON.stringify(unknown));
      assert.equal(await status(undefined, { 'x-forwarded-for': '194.25.0.60' }), 200);
    });

    it('devices and demographics are honoured, and unknown people do not meet them', async () => {
      const { key, campaignId } = await market();
      await change(campaignId, `update campaigns set allowed_devices = '{mobile}' where id = $1`, [
        campaignId,
      ]);
      assert.equal((await ask(key, { device: { device_type: 'mobile' } })).statusCode, 200);
      assert.equal((await ask(key, { device: { device_type: 'desktop' } })).statusCode, 204);
      assert.equal(
        (
          await ask(key, {
            device: {
              ua: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
            },
          })
        ).statusCode,
        200,
      );
      await change(
        campaignId,
        `update campaigns
         set allowed_devices = '{}',
           demographics = '{"genders":["female"],"age_ranges":["25-34"],"interests":["plants"]}'
         where id = $1`,
        [campaignId],
      );
      const user = { gender: 'Female', age: '25-34', keywords: ['Plants'] };
      assert.equal((await ask(key, { user })).statusCode, 200);
      for (const other of [
        { ...user, gender: 'male' },
        { ...user, age: '65+' },
        { ...user, keywords: ['cars'] },
        {},
      ])
        assert.equal((await ask(key, { user: other })).statusCode, 204);
    });

    it('an ad stays away from what its group does not want', async () => {
      const { key } = await market({ negativeContext: 'allergy' });
      assert.equal((await ask(key)).statusCode, 200);
      assert.equal(
        (await ask(key, { messages: [{ role: 'user', content: `${need} I have an allergy` }] }))
          .statusCode,
        204,
      );
    });

    it('a campaign is shown to a session only so often', async () => {
      const { key } = await market();
      const statuses: number[] = [];
      for (let round = 0; round < 5; round += 1)
        statuses.push((await ask(key, { sessionId: 'capped' })).statusCode);
      assert.deepEqual(statuses, [200, 200, 200, 204, 204]);
      assert.equal((await ask(key, { sessionId: 'another' })).statusCode, 200);
      site.app.clock.now += 25 * 3_600_000;
      await site.app.serving.balance();
      assert.equal((await ask(key, { sessionId: 'capped' })).statusCode, 200);
    });

    it('a group is served while it gets its first daily budget, and no more when that is too small', async () => {
      const { key, campaignId } = await market();
      await change(
        campaignId,
        `update ad_groups set daily_budget_micros = 1 where campaign_id = $1`,
        [campaignId],
      );
      assert.equal((await ask(key)).statusCode, 200);
      await site.app.serving.balance();
      // Its one microdollar pays for one.
      assert.deepEqual([(await ask(key)).statusCode, (await ask(key)).statusCode], [200, 204]);
      await change(
        campaignId,
        `update ad_groups set daily_budget_micros = null where campaign_id = $1`,
        [campaignId],
      );
      assert.equal((await ask(key)).statusCode, 200);
    });

    it('serving goes on at midnight with the budget of the new day', async () => {
      const { key } = await market();
      const midnight = (Math.floor(site.app.clock.now / 86_400_000) + 1) * 86_400_000;
      site.app.clock.now = midnight - 3000;
      await site.app.serving.balance();
      site.app.clock.now = midnight + 1;
      assert.equal((await ask(key)).statusCode, 200);
    });

    it('several placements have different advertisers, in the order asked for', async () => {
      const publisher = await site.app.newPublisher();
      for (let count = 0; count < 3; count += 1)
        await insertLiveCampaign(site.app, (await site.app.newAdvertiser()).id, {
          context: 'telescopes for amateur astronomers',
          maxCpmMicros: 5_000_000,
        });
      const answer = await ask(publisher.apiKey, {
        messages: [{ role: 'user', content: 'which telescope should an amateur astronomer buy?' }],
        placements: ['top_page', 'below_response', 'right_page', 'left_page', 'bottom_page'].map(
          (placement) => ({ placement, placement_id: placement }),
        ),
      });
      assert.equal(answer.statusCode, 200);
      const ads: { campaignId: string; placement: string; placement_id: string }[] = answer.json();
      assert.equal(ads.length, 3);
      assert.equal(new Set(ads.map((ad) => ad.campaignId)).size, 3);
      assert.deepEqual(
        ads.map((ad) => ad.placement),
        ads.map((ad) => ad.placement_id),
      );
      const order = ['top_page', 'below_response', 'right_page', 'left_page', 'bottom_page'];
      assert.deepEqual(
        ads.map((ad) => ad.placement),
        order.filter((placement) => ads.some((ad) => ad.placement === placement)),
      );
    });

    it('nothing is sold below the floor, nor to a blocked advertiser', async () => {
      const { key, publisher, advertiser } = await market({ maxCpmMicros: 2_000_000 });
      await site.app.db.query(`update publishers set floor_cpm_micros = 2000001 where id = $1`, [
        publisher.id,
      ]);
      await site.app.services.directory.refresh();
      assert.equal((await ask(key)).statusCode, 204);
      await site.app.db.query(`update publishers set floor_cpm_micros = 2000000 where id = $1`, [
        publisher.id,
      ]);
      await site.app.services.directory.refresh();
      assert.equal((await ask(key)).statusCode, 200);
      await site.app.db.query(
        `update publishers set blocked_advertisers = blocked_advertisers || $2::uuid where id = $1`,
        [publisher.id, advertiser.id],
      );
      await site.app.services.directory.refresh();
      assert.equal((await ask(key)).statusCode, 204);
    });

    it('a campaign that is paused, rejected, ended or of a blocked advertiser is served no more', async () => {
      const { key, campaignId, advertiser } = await market();
      for (const [off, on] of [
        [`status = 'paused'`, `status = 'active'`],
        [`review_status = 'rejected'`, `review_status = 'approved'`],
        [`end_time = '2020-01-01'`, `end_time = null`],
        [`is_archived = true`, `is_archived = false`],
      ]) {
        await change(campaignId, `update campaigns set ${off} where id = $1`, [campaignId]);
        assert.equal((await ask(key)).statusCode, 204, off);
        await change(campaignId, `update campaigns set ${on} where id = $1`, [campaignId]);
        await site.app.serving.balance();
        assert.equal((await ask(key)).statusCode, 200, on);
      }
      await change(campaignId, `update advertisers set status = 'blocked' where id = $1`, [
        advertiser.id,
      ]);
      assert.equal((await ask(key)).statusCode, 204);
    });

    it('an operator can see afterwards why an ad was served', async () => {
      const { key, adId } = await market();
      const answer = await ask(key);
      const id = String(answer.headers['x-ad-request-id']);
      const rows = await site.app.db.query<{ kind: string; record: Uint8Array | null }>(
        `select kind, record from events where id = $1 and kind = 'request'
         union all
         select 'of the win', null from events where request_id = $1 and kind = 'win'`,
        [id],
      );
      assert.equal(rows[1]?.kind, 'of the win');
      const { candidates, model, clicksLearned } = readRecord(rows[0]?.record ?? null);
      const won = candidates.find((candidate) => candidate['outcome'] === 'won');
      assert.equal(won?.['ad_id'], adId);
      assert.ok(Number(won?.['price_micros']) > 0);
      assert.equal(model, 'words');
      assert.equal(clicksLearned, 0);
    });
  });
}
