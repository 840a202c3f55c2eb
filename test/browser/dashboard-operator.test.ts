import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { browserMissing, launchBrowser } from '../support/browser.js';
import { type DashboardSite, startDashboardSite, userAgent } from '../support/dashboard-site.js';
import { insertLiveCampaign } from '../support/live-campaign.js';
import { managing } from '../support/managed-campaign.js';

describe(
  'what operators and publishers do in the dashboards',
  { skip: browserMissing() ?? false, timeout: 1_200_000 },
  () => {
    let site: DashboardSite;
    let browser: Browser;
    let operator: Page;
    let publisher: Page;
    let requestId = '';

    before(async () => {
      [site, browser] = await Promise.all([startDashboardSite(), launchBrowser()]);
      await insertLiveCampaign(site.app, site.advertiser.id, {
        context: 'camping tents for a first trip',
        landingPage: 'https://camp.example/',
      });
      await insertLiveCampaign(site.app, site.advertiser.id, {
        context: 'queues',
        billingModel: 'cpa',
        maxCpaMicros: 4_000_000,
      });
      for (const agent of [userAgent, 'Googlebot/2.1']) {
        const served = await fetch(`${site.base}/api/v1/ad`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${site.publisher.apiKey}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({
            sessionId: agent.slice(0, 20),
            placements: [{ placement: 'below_response', placement_id: 'm' }],
            messages: [{ role: 'user', content: 'camping tents for a first trip' }],
          }),
        });
        requestId = served.headers.get('x-ad-request-id') ?? '';
        const [ad] = (await served.json()) as { impUrl: string }[];
        assert.ok((await fetch(ad?.impUrl ?? '', { headers: { 'user-agent': agent } })).ok);
      }
      await site.app.services.eventLog.drain();
      operator = await (await site.signedIn(browser, 'operator')).newPage();
      publisher = await (await site.signedIn(browser, 'publisher')).newPage();
    });
    after(async () => {
      await browser?.close();
      await site?.close();
    });

    it('a campaign paid by result is tied to a tool, and untied', async () => {
      await operator.goto(`${site.base}/app/operator/catalogue`);
      const card = operator.getByRole('region', { name: 'Campaigns behind tools', exact: true });
      await card.getByLabel('Tool', { exact: true }).selectOption('resend');
      await card.getByLabel('Campaign', { exact: true }).selectOption({ index: 1 });
      await card.getByRole('button', { name: 'Link' }).click();
      await card.getByRole('cell', { name: 'Resend', exact: true }).waitFor();
      assert.deepEqual([...site.app.toolSearch.campaigns.favoured()], ['resend']);
      await card.getByRole('button', { name: 'Unlink Test campaign from Resend' }).click();
      await card.getByText('No tool has a campaign.').waitFor();
      assert.deepEqual([...site.app.toolSearch.campaigns.favoured()], []);
    });

    it('a shop without a secret of its own is confirmed by a person', async () => {
      await managing(site.app, site.advertiser)('POST', 'integrations/shopify', {
        shop_domain: 'camp.myshopify.com',
      });
      await operator.goto(`${site.base}/app/operator/accounts`);
      await operator
        .getByRole('button', { name: 'Confirm camp.myshopify.com of Camp & Co' })
        .click();
      await operator.getByText('camp.myshopify.com is confirmed.').waitFor();
      await operator.getByText('No shop waits.').waitFor();
    });

    it('a share is changed where it stands, a waiting publisher is approved, and a refusal is taken back', async () => {
      await site.app.db.query(`update publishers set status = 'pending' where id = $1`, [
        site.publisher.id,
      ]);
      await operator.goto(`${site.base}/app/operator/accounts`);
      await operator.getByText('1 publisher waits for approval.').waitFor();
      await operator.getByRole('button', { name: 'Approve Trail Assistant' }).click();
      await operator.getByText('Trail Assistant is changed.').waitFor();
      await operator.getByRole('button', { name: /share of Trail Assistant, edit/ }).click();
      await operator.getByLabel('Share of Trail Assistant in per cent').fill('80');
      await Promise.all([
        operator.waitForResponse(/\/operator\/publishers\//),
        operator.keyboard.press('Enter'),
      ]);
      assert.equal(site.app.services.directory.publisher(site.publisher.id)?.revenueShareBps, 8000);
      await operator.route('**/operator/advertisers/*', (route) =>
        route.fulfill({
          status: 503,
          contentType: 'application/json',
          body: '{"detail":"temporarily_unavailable"}',
        }),
      );
      await operator.getByRole('button', { name: 'Block Camp & Co' }).click();
      await operator.getByRole('button', { name: 'Block', exact: true }).last().click();
      await operator.getByText('Nothing was recorded. It is safe to try again.').waitFor();
      await operator.getByRole('button', { name: 'Block Camp & Co' }).waitFor();
    });

    it('invalid traffic is shown by reason, and a refund restates the numbers', async () => {
      await operator.goto(`${site.base}/app/operator/traffic`);
      await operator
        .getByRole('list', { name: 'Filtered events by reason' })
        .getByText('Bot')
        .waitFor();
      await operator.getByLabel('Publisher', { exact: true }).selectOption(site.publisher.id);
      await operator
        .getByLabel('To', { exact: true })
        .fill(new Date(Date.now() + 3_600_000).toISOString().slice(0, 16));
      await operator.getByRole('textbox', { name: 'Reason' }).fill('click farm');
      await operator.getByRole('button', { name: 'Refund', exact: true }).click();
      await operator.getByRole('button', { name: 'Refund all of it' }).click();
      await operator.getByText(/1 events taken back/).waitFor();
      await operator
        .getByRole('region', { name: 'Refunds made', exact: true })
        .getByText('click farm')
        .waitFor();
      await publisher.goto(`${site.base}/app/publisher`);
      await publisher.getByText('Per 1,000 impressions').waitFor();
      assert.match((await publisher.locator('.stats').textContent()) ?? '', /Impressions0/);
    });

    it('a decision is explained by its request id', async () => {
      await operator.goto(`${site.base}/app/operator/decisions`);
      await operator.getByLabel('Request id').fill(requestId);
      await operator.getByRole('button', { name: 'Explain' }).click();
      await operator.getByText(/won with relevance/).waitFor();
      await operator.getByLabel('Request id').fill('nothing');
      await operator.getByRole('button', { name: 'Explain' }).click();
      await operator.getByText('No decision with that id.').waitFor();
    });

    it('the audit trail tells who changed what, and older entries are fetched', async () => {
      await site.app.db.query(
        `insert into audit_log (
             id, at, actor_kind, actor_id, account_id, action, entity, entity_id, before, after
           )
         select gen_random_uuid(), now() - n * interval '1 hour', 'person', 'p', null, 'update',
           'note', n::text, null, '{}'
         from generate_series(1, 150) n`,
      );
      await operator.goto(`${site.base}/app/operator/audit`);
      await operator.getByRole('button', { name: 'Load older entries' }).click();
      // Each entry once, and a row of headings.
      const [known] = await site.app.db.query<{ count: number }>(
        `select count(*) as count from audit_log`,
      );
      await operator.locator(`[aria-rowcount="${(known?.count ?? 0) + 1}"]`).waitFor();
      assert.equal(await operator.getByRole('button', { name: 'Load older entries' }).count(), 0);
      await operator.getByRole('button', { name: /^Show change of traffic/ }).click();
      await operator.locator('dialog').getByText('click farm').waitFor();
    });

    it('nodes and answer times are shown', async () => {
      await operator.goto(`${site.base}/app/operator/health`);
      await operator.getByText('live', { exact: true }).waitFor();
      await operator.getByRole('cell', { name: 'POST /api/v1/ad' }).waitFor();
    });

    it('users are sorted, searched and paged by the server, and only rows in view are drawn', async () => {
      await site.app.db.query(`delete from publisher_users`);
      await site.app.db.query(
        `insert into publisher_users (
             publisher_id, user_id, requests, ads_served, impressions, clicks, revenue_micros,
             first_seen, last_seen
           )
         select $1, 'person-' || lpad(n::text, 4, '0'), n, n, n, 0, n, now(), now()
         from generate_series(1, 450) n`,
        [site.publisher.id],
      );
      await publisher.goto(`${site.base}/app/publisher/users`);
      await publisher.getByText('1–200 of 450').waitFor();
      assert.ok((await publisher.locator('tbody tr').count()) < 120);
      assert.match(
        (await publisher.locator('tbody tr').first().textContent()) ?? '',
        /person-0450/,
      );
      await publisher.getByRole('button', { name: 'Next' }).click();
      await publisher.getByText('201–400 of 450').waitFor();
      await publisher.getByRole('button', { name: /^Requests/ }).click();
      await publisher.getByText('1–200 of 450').waitFor();
      await publisher.getByText('person-0001').waitFor();
      await publisher
        .getByRole('region', { name: 'Users, scrollable' })
        .evaluate((box) => box.scrollTo(0, box.scrollHeight));
      await publisher.getByText('person-0200').waitFor();
      await publisher.getByLabel('Find a user').fill('SON-044');
      await publisher.getByText('1–10 of 10').waitFor();
    });

    it('countries are a map that also says its numbers in words', async () => {
      await publisher.route('**/publisher-dashboard/geography**', (route) =>
        route.fulfill({
          json: {
            countries: [
              ['US', 30],
              ['DE', 3],
              ['AX', 1],
            ].map(([country_code, revenue]) => ({
              country_code,
              impressions: 10,
              clicks: 1,
              ctr: 10,
              revenue,
              cpm: 1,
              cpc: 1,
            })),
            period_days: 30,
          },
        }),
      );
      await publisher.goto(`${site.base}/app/publisher/audience`);
      const map = publisher.getByRole('img', {
        name: /Revenue by country, 3 in all\. United States: \$30\.00, Germany: \$3\.00/,
      });
      await map.waitFor();
      assert.equal(await map.locator('.tile').count(), 185);
      assert.equal(await map.locator('.tile.s5').count(), 1);
      await publisher.getByText('1 not on the map, see the table').waitFor();
      await publisher.getByRole('cell', { name: 'Åland Islands' }).waitFor();
    });
  },
);
