import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { browserMissing, launchBrowser } from '../support/browser.js';
import {
  type DashboardSite,
  seriousFindings,
  startDashboardSite,
  userAgent,
} from '../support/dashboard-site.js';
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

    /** Asks for an ad and tells that it was seen. */
    async function seeAd(agent: string): Promise<void> {
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
      for (const agent of [userAgent, 'Googlebot/2.1']) await seeAd(agent);
      await site.app.services.eventLog.drain();
      operator = await (await site.signedIn(browser, 'operator')).newPage();
      publisher = await (await site.signedIn(browser, 'publisher')).newPage();
    });
    after(async () => {
      await browser?.close();
      await site?.close();
    });

    it('a publisher that is not approved is told so on every page, and sees a test ad', async () => {
      const status = async (to: string): Promise<void> => {
        await site.app.db.query(`update publishers set status = $2 where id = $1`, [
          site.publisher.id,
          to,
        ]);
        await site.app.services.directory.refresh();
      };
      await status('pending');
      await publisher.clock.install();
      for (const path of ['', '/earnings', '/integrate']) {
        await publisher.goto(`${site.base}/app/publisher${path}`);
        await publisher.getByText('Your account is not approved yet.').waitFor();
      }
      assert.deepEqual(await seriousFindings(publisher), []);
      await publisher.getByRole('button', { name: 'Show me a test ad' }).click();
      await publisher.getByRole('complementary').getByText('Sponsored').waitFor();
      await status('approved');
      // Nobody loads the page again: it asks.
      await publisher.clock.fastForward(11_000);
      await publisher
        .getByText('Your account is not approved yet.')
        .waitFor({ state: 'detached', timeout: 10_000 });
    });

    it('a first step is ticked while the page stands open, and the numbers beside it are of now', async () => {
      const billing = async (on: boolean): Promise<void> => {
        await site.app.db.query(`update advertisers set billing_enabled = $2 where id = $1`, [
          site.advertiser.id,
          on,
        ]);
        await site.app.services.directory.refresh();
      };
      await billing(false);
      const context = await site.signedIn(browser, 'advertiser');
      const page = await context.newPage();
      await page.clock.install();
      await page.goto(`${site.base}/app/advertiser`);
      const steps = page.getByRole('region', { name: 'Getting started' });
      await steps.getByRole('link', { name: 'Have billing enabled, or credit' }).waitFor();
      const impressions = (count: number) =>
        page.locator('.stats div', { hasText: 'Impressions' }).getByText(String(count), {
          exact: true,
        });
      await impressions(1).waitFor();
      await billing(true);
      await seeAd(userAgent);
      await site.app.services.eventLog.drain();
      await page.clock.fastForward(6000);
      await steps.getByText('Have billing enabled, or credit (done)').waitFor();
      await impressions(2).waitFor();
      await context.close();
    });

    it('an edit is turned down alone, and the approved version goes on', async () => {
      const { campaignId } = await insertLiveCampaign(site.app, site.advertiser.id, {
        context: 'sailing boats',
      });
      await managing(site.app, site.advertiser)('PATCH', `campaigns/${campaignId}`, {
        landing_page: 'https://camp.example/other',
      });
      await operator.goto(`${site.base}/app/operator`);
      await operator.getByText('The version approved before is shown until you decide.').waitFor();
      await operator.getByRole('button', { name: 'Reject Test campaign' }).click();
      await operator.getByLabel('What must change').fill('The page is empty.');
      await operator.getByRole('button', { name: 'Reject campaign' }).click();
      await operator.getByText('Nothing is waiting for review.').waitFor();
      // Nothing is left beside it: the heading of the page, not the menu, has the focus.
      await operator.waitForFunction(() => document.activeElement?.tagName === 'H1');
      await operator.getByText('Test campaign is rejected.').waitFor();
      assert.deepEqual(
        await site.app.db.query(
          `select review_status, shows_approved from campaigns where id = $1`,
          [campaignId],
        ),
        [{ review_status: 'rejected', shows_approved: true }],
      );
    });

    it('the network overview says what earns, what waits, and what is left to set up', async () => {
      await operator.goto(`${site.base}/app/operator/overview`);
      const steps = operator.getByRole('region', { name: 'Getting started' });
      await steps.getByText('Approve a publisher').waitFor();
      await steps.getByRole('link', { name: /second factor/ }).waitFor();
      await operator.getByRole('heading', { name: 'Advertisers that moved most' }).waitFor();
      await operator
        .getByRole('region', { name: 'What waits for you' })
        .getByRole('row', { name: /Payouts to approve \d/ })
        .waitFor();
      assert.deepEqual(await seriousFindings(operator), []);
    });

    it('a network report is broken down, narrowed by a row, and kept in the address', async () => {
      await operator.goto(`${site.base}/app/operator/reports`);
      await operator.getByRole('button', { name: 'Trail Assistant' }).waitFor();
      await operator.getByRole('img', { name: 'Revenue, 14 days' }).first().waitFor();
      assert.deepEqual(await seriousFindings(operator), []);
      await operator.getByRole('button', { name: 'Trail Assistant' }).click();
      await operator.getByText('Publisher: Trail Assistant').waitFor();
      assert.match(operator.url(), /by=day&.*publisher_id=/);
      await operator.getByLabel('Break down by').selectOption('advertiser');
      await operator.getByRole('button', { name: 'Camp & Co' }).waitFor();
      await operator
        .getByText('Requests and fill are counted by publisher, country, device and day only.')
        .waitFor();
      await operator.goBack();
      await operator.getByRole('columnheader', { name: 'Day' }).waitFor();
      await operator.reload();
      await operator.getByText('Publisher: Trail Assistant').waitFor();
      await operator.locator('summary', { hasText: 'Saved views' }).click();
      await operator.getByRole('button', { name: 'Save this view' }).click();
      await operator.getByLabel('Name').fill('Trail by day');
      await operator.getByRole('button', { name: 'Save view' }).click();
      await operator.getByText('Saved as Trail by day.').waitFor();
      await operator.goto(`${site.base}/app/operator/reports`);
      await operator.locator('summary', { hasText: 'Saved views' }).click();
      await operator.getByRole('button', { name: 'Trail by day', exact: true }).click();
      await operator.getByText('Publisher: Trail Assistant').waitFor();
      await operator.locator('summary', { hasText: 'Columns' }).click();
      await operator.getByRole('checkbox', { name: 'To publishers' }).check();
      await operator.getByRole('columnheader', { name: 'To publishers' }).waitFor();
      const [download] = await Promise.all([
        operator.waitForEvent('download'),
        operator.getByRole('button', { name: 'Report by Day as CSV' }).click(),
      ]);
      const [head = '', newest = ''] = readFileSync(await download.path(), 'utf8').split('\r\n');
      assert.match(head, /^Day,Spend,Spend before,To publishers,To publishers before,Margin,/);
      assert.equal(newest.split(',')[0], new Date().toISOString().slice(0, 10));
    });

    it('a report goes down to the ad for operators too', async () => {
      // What no choice offers is as if it was not said.
      const mistyped = 'days=-5&tz=Mars%2FBase&sort=none&columns=none&chart=none';
      await operator.goto(`${site.base}/app/operator/reports?by=campaign&${mistyped}`);
      await operator.locator('tbody .row-name').first().click();
      const groups = operator.getByRole('table', { name: 'Report by ad group' });
      await groups.locator('.row-name').first().click();
      const ads = operator.getByRole('table', { name: 'Report by ad', exact: true });
      await ads.getByRole('columnheader', { name: 'Ad', exact: true }).waitFor();
      await ads.locator('tbody tr').first().waitFor();
      assert.equal(await ads.locator('tbody tr').count(), 1);
    });

    it('days are named as people name them, the last one first, and on a phone only a week', async () => {
      const context = await site.signedIn(browser, 'operator');
      const page = await context.newPage();
      await page.goto(`${site.base}/app/operator/reports?by=day`);
      const rows = page.getByRole('table', { name: 'Report by day' }).locator('tbody tr');
      const inWords = (date: Date, language: string): string =>
        new Intl.DateTimeFormat(language, {
          weekday: 'short',
          year: 'numeric',
          month: 'short',
          day: 'numeric',
          timeZone: 'UTC',
        }).format(date);
      await rows.first().getByText('today so far').waitFor();
      assert.equal(
        await rows.locator('td:first-child').first().innerText(),
        `${inWords(new Date(), 'en')} today so far`,
      );
      await rows.nth(29).waitFor();
      assert.equal(await rows.count(), 30);
      await page.setViewportSize({ width: 390, height: 800 });
      const all = page.getByRole('button', { name: 'Show all 30 rows' });
      await all.waitFor();
      assert.equal(await rows.count(), 7);
      assert.deepEqual(await seriousFindings(page), []);
      await all.click();
      await rows.nth(29).waitFor();
      assert.equal(await rows.count(), 30);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.evaluate(`localStorage.setItem('language', 'de')`);
      await page.reload();
      await page
        .getByRole('cell', { name: inWords(new Date(), 'de') })
        .first()
        .waitFor();
      await context.close();
    });

    it('a few letters lead to a page or an account, and the theme that was chosen stays', async () => {
      await operator.goto(`${site.base}/app/operator/health`);
      await operator.getByRole('button', { name: 'Go to…' }).waitFor();
      await operator.keyboard.press('Control+k');
      const field = operator.getByRole('combobox', { name: /^Go to a page/ });
      // Its script is still on the way: no letter is lost.
      await operator.keyboard.type('audit');
      await operator.getByRole('option', { name: /Audit trail/ }).waitFor();
      assert.equal(await field.inputValue(), 'audit');
      // The same keys close it.
      await operator.keyboard.press('Control+k');
      await field.waitFor({ state: 'detached' });
      await operator.keyboard.press('Control+k');
      await operator.keyboard.type('audit');
      await operator.getByRole('option', { name: /Audit trail/ }).waitFor();
      assert.deepEqual(await seriousFindings(operator), []);
      await operator.keyboard.press('Enter');
      await operator.getByRole('heading', { name: 'Audit trail' }).waitFor();
      await operator.keyboard.press('Control+k');
      await field.fill('camp &');
      const places = operator.getByRole('listbox', { name: 'Places' });
      await places.getByRole('option', { name: /Camp & Co/ }).click();
      await operator.getByText('Advertiser: Camp & Co').waitFor();
      await operator.keyboard.press('Control+k');
      await field.fill('operator/report');
      await places.getByRole('option', { name: /GET \/operator\/report/ }).click();
      await operator.waitForURL(/\/docs\/api#/);
      await operator.goBack();
      const ground = () => operator.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = await ground();
      await operator.getByRole('button', { name: 'Theme: same as system' }).click();
      assert.equal(await ground(), light);
      await operator.getByRole('button', { name: 'Theme: light' }).click();
      assert.notEqual(await ground(), light);
      const dark = await ground();
      await operator.reload();
      await operator.getByRole('button', { name: 'Theme: dark' }).waitFor();
      assert.equal(await ground(), dark);
      await operator.getByRole('button', { name: 'Theme: dark' }).click();
    });

    it('a campaign paid by result is tied to a tool, and untied', async () => {
      await operator.goto(`${site.base}/app/operator/catalog`);
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
      await operator.getByText('No shops are waiting.').waitFor();
    });

    it('a share is changed where it stands, a waiting publisher is approved, and a refusal is taken back', async () => {
      await site.app.db.query(`update publishers set status = 'pending' where id = $1`, [
        site.publisher.id,
      ]);
      await operator.goto(`${site.base}/app/operator/accounts`);
      for (const line of ['Spend, 14 days', 'Revenue, 14 days'])
        await operator.getByRole('img', { name: line }).first().waitFor();
      await operator.getByText('1 publisher is waiting for approval.').waitFor();
      await operator.getByRole('button', { name: 'Approve Trail Assistant' }).click();
      await operator.getByText('Trail Assistant updated.').waitFor();
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
      await operator.getByText(/2 events reversed/).waitFor();
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
      assert.deepEqual(
        await publisher
          .getByRole('list', { name: 'Legend' })
          .getByRole('listitem')
          .allTextContents(),
        ['up to $0.7536', 'from $0.7536', 'from $1.89', 'from $4.75', 'from $11.94'],
      );
      await publisher.getByRole('cell', { name: 'Åland Islands' }).waitFor();
    });
  },
);
