import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { insertFinding, saveEvidence } from '../../src/surfaces/traffic-quality/finding-queries.js';
import { browserMissing, launchBrowser } from '../support/browser.js';
import {
  type DashboardSite,
  seriousFindings,
  startDashboardSite,
} from '../support/dashboard-site.js';
import { insertLiveCampaign } from '../support/live-campaign.js';
import { campaignBody, managing } from '../support/managed-campaign.js';

const focused = (page: Page): Promise<string> =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  ) as Promise<string>;

describe(
  'the dashboards when something goes wrong or would',
  { skip: browserMissing() ?? false, timeout: 1_200_000 },
  () => {
    let site: DashboardSite;
    let browser: Browser;
    let operator: Page;
    let advertiser: Page;
    let campaignId = '';

    before(async () => {
      [site, browser] = await Promise.all([startDashboardSite(), launchBrowser()]);
      campaignId = (await insertLiveCampaign(site.app, site.advertiser.id, { context: 'tents' }))
        .campaignId;
      operator = await (await site.signedIn(browser, 'operator')).newPage();
      advertiser = await (await site.signedIn(browser, 'advertiser')).newPage();
    });
    after(async () => {
      await browser?.close();
      await site?.close();
    });

    it('a list that could not be loaded does not claim to be empty', async () => {
      const failing = /\/(invoices|ledger)\?/;
      await advertiser.route(failing, (route) => route.fulfill({ status: 500, body: '{}' }));
      await advertiser.goto(`${site.base}/app/advertiser/billing`);
      await advertiser.getByText('Something failed on the server.').first().waitFor();
      assert.equal(await advertiser.getByText('No invoices yet.').count(), 0);
      assert.equal(await advertiser.getByText('No entries yet.').count(), 0);
      await advertiser.unroute(failing);
      await advertiser
        .getByRole('region', { name: 'Invoices' })
        .getByRole('button', { name: 'Try again' })
        .click();
      await advertiser.getByText('No invoices yet.').waitFor();
    });

    it('a live page that cannot be refreshed says since when it is old, and keeps what it showed', async () => {
      await operator.goto(`${site.base}/app/operator/health`);
      await operator.getByText('live', { exact: true }).waitFor();
      await operator.route('**/operator/nodes', (route) => route.abort());
      await operator.getByText(/Not up to date since \d/).waitFor();
      await operator.getByText('live', { exact: true }).waitFor();
      assert.deepEqual(await seriousFindings(operator), []);
      await operator.unroute('**/operator/nodes');
      await operator.getByRole('button', { name: 'Try again' }).click();
      await operator.getByText(/Not up to date/).waitFor({ state: 'detached' });
    });

    it('an ended session leads to sign-in and back to the same page', async () => {
      const page = await (await site.signedIn(browser, 'advertiser')).newPage();
      await page.goto(`${site.base}/app/advertiser/campaigns/${campaignId}`);
      await page.getByRole('heading', { level: 1, name: 'Test campaign' }).waitFor();
      await page.context().clearCookies();
      // Others may be refused before it: it still says why, not that a password is wrong.
      const ended = page.getByText(
        'Your session has ended. Sign in to pick up where you left off.',
      );
      await page.route(`**/campaigns/${campaignId}`, async (route) => {
        if (route.request().method() === 'PATCH') await ended.waitFor();
        await route.continue();
      });
      const refused = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.getByRole('button', { name: /CSV/ }).first().click();
      await (await refused).finished();
      await ended.waitFor();
      await page.getByLabel('E-mail').fill(site.logins.advertiser.email);
      await page.getByLabel('Password').fill(site.logins.advertiser.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { level: 1, name: 'Test campaign' }).waitFor();
      assert.equal(new URL(page.url()).pathname, `/app/advertiser/campaigns/${campaignId}`);
    });

    it('blocking asks first, and a publisher nobody approved still waits after being unblocked', async () => {
      await site.app.db.query(`update publishers set status = 'pending' where id = $1`, [
        site.publisher.id,
      ]);
      await operator.goto(`${site.base}/app/operator/accounts`);
      const block = operator.getByRole('button', { name: 'Block Trail Assistant' });
      await block.click();
      await operator.getByRole('button', { name: 'Cancel' }).click();
      await operator.waitForFunction(
        () => document.activeElement?.getAttribute('aria-label') === 'Block Trail Assistant',
      );
      await block.click();
      await operator.getByRole('button', { name: 'Block', exact: true }).last().click();
      await operator.getByRole('button', { name: 'Unblock Trail Assistant' }).waitFor();
      // It is shown at once; only the answer says that it is stored.
      await operator.getByText('Trail Assistant updated.').waitFor();
      await operator.reload();
      await operator.getByRole('button', { name: 'Unblock Trail Assistant' }).click();
      await operator.getByRole('button', { name: 'Approve Trail Assistant' }).waitFor();
      await operator.getByText('Trail Assistant updated.').waitFor();
      const [row] = await site.app.db.query<{ status: string }>(
        `select status from publishers where id = $1`,
        [site.publisher.id],
      );
      assert.equal(row?.status, 'pending');
    });

    it('switching billing off and billing everybody ask first', async () => {
      await operator.goto(`${site.base}/app/operator/accounts`);
      await operator.getByRole('button', { name: 'Billing off for Camp & Co' }).click();
      await operator.getByText('Its campaigns stop within seconds unless').waitFor();
      await operator.getByRole('button', { name: 'Cancel' }).click();
      await operator.goto(`${site.base}/app/operator/billing`);
      let billed = false;
      operator.on('request', (request) => (billed ||= request.url().endsWith('/billing/run')));
      await operator.getByRole('button', { name: 'Bill what was spent' }).click();
      await operator.getByText('Every advertiser with spend').waitFor();
      assert.equal(billed, false);
      await operator.getByRole('button', { name: 'Bill now' }).click();
      await operator.getByText('0 invoices issued.').waitFor();
    });

    it('a budget that looks like a slip is asked about', async () => {
      await advertiser.goto(`${site.base}/app/advertiser/campaigns`);
      await advertiser.getByRole('button', { name: /^Daily budget of Test campaign/ }).click();
      await advertiser.getByLabel('Daily budget of Test campaign in dollars').fill('1000000000');
      await advertiser.keyboard.press('Enter');
      await advertiser.getByText('Spend up to $1,000,000,000.00 a day?').waitFor();
      await advertiser.getByRole('button', { name: 'Cancel' }).click();
      // The field has made way for its button by then, which has the focus instead.
      await advertiser.waitForFunction(() =>
        document.activeElement
          ?.getAttribute('aria-label')
          ?.startsWith('Daily budget of Test campaign'),
      );
      await advertiser.goto(`${site.base}/app/advertiser/campaigns/${campaignId}`);
      await advertiser.getByRole('button', { name: /^Edit group/ }).click();
      await advertiser.getByLabel('Daily budget in dollars').fill('1000000000');
      await advertiser.getByRole('button', { name: 'Save group' }).click();
      await advertiser.getByText('Spend up to $1,000,000,000.00 a day?').waitFor();
      await advertiser.getByRole('button', { name: 'Cancel' }).click();
      const groups = await site.app.db.query<{ budget: number | null }>(
        `select daily_budget_micros as budget from ad_groups where campaign_id = $1`,
        [campaignId],
      );
      assert.deepEqual(groups, [{ budget: null }]);
      const [row] = await site.app.db.query<{ budget: number }>(
        `select daily_budget_micros as budget from campaigns where id = $1`,
        [campaignId],
      );
      assert.ok((row?.budget ?? 0) < 1e12);
    });

    it('what a form cannot take is said at its field, and the field has the focus', async () => {
      await advertiser.goto(`${site.base}/app/advertiser/campaigns/${campaignId}`);
      await advertiser.getByRole('button', { name: 'Edit settings' }).click();
      const dialog = advertiser.locator('dialog[open]');
      await dialog.getByLabel('Campaign name').fill('');
      await dialog.getByLabel('Daily budget in dollars').fill('-1');
      await dialog.getByLabel('Most you pay per click').fill('0.001');
      await dialog.getByRole('button', { name: 'Save campaign' }).click();
      await dialog.getByText('Give the campaign a name.').waitFor();
      assert.deepEqual(await dialog.locator('.field-error').allInnerTexts(), [
        'Give the campaign a name.',
        'In steps of 0.01.',
        'Enter an amount above zero.',
      ]);
      const name = dialog.getByLabel('Campaign name');
      assert.equal(await name.evaluate((field) => document.activeElement === field), true);
      assert.equal(await name.getAttribute('aria-invalid'), 'true');
      assert.deepEqual(await seriousFindings(advertiser), []);
      await name.fill('Tents');
      await dialog.getByText('Give the campaign a name.').waitFor({ state: 'detached' });
      await advertiser.keyboard.press('Escape');
    });

    it('locking somebody out asks first, and the keyboard stays where it was', async () => {
      await operator.goto(`${site.base}/app/operator/people`);
      await operator.getByLabel('Kind').selectOption('operator');
      await operator.getByLabel('E-mail of its owner').fill('second@test.example');
      await operator.getByRole('button', { name: 'Open and invite' }).press('Enter');
      await operator.getByRole('heading', { name: 'Share this link' }).waitFor();
      await operator.keyboard.press('Escape');
      await operator.waitForFunction(
        () => document.activeElement?.textContent === 'Open and invite',
      );
      await operator.goto(`${site.base}/app/operator/people`);
      const row = operator.getByRole('row', { name: /operator@test\.example/ });
      let changed = false;
      operator.on('request', (request) => (changed ||= request.method() === 'PATCH'));
      await row.getByRole('button', { name: 'Lock out' }).click();
      await operator.getByText('They are signed out everywhere at once').waitFor();
      assert.equal(changed, false);
      await operator.getByRole('button', { name: 'Cancel' }).click();
    });

    it('an address of no campaign has a heading and a way on, and nothing to try again', async () => {
      await advertiser.goto(`${site.base}/app/advertiser/campaigns/${site.app.services.mintId(0)}`);
      await advertiser.getByRole('heading', { level: 1, name: 'Campaign' }).waitFor();
      await advertiser.getByText('It does not exist, or it belongs to another account.').waitFor();
      assert.equal(await advertiser.getByRole('button', { name: 'Try again' }).count(), 0);
      await advertiser.getByRole('main').getByRole('link', { name: 'Campaigns' }).click();
      await advertiser.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor();
    });

    it('every waiting campaign can be reached, and approving keeps the keyboard where it was', async () => {
      for (let index = 0; index < 52; index += 1)
        await managing(site.app, site.advertiser)(
          'POST',
          'campaigns',
          campaignBody({ name: `Waiting ${String(index).padStart(2, '0')}`, status: 'active' }),
        );
      await operator.goto(`${site.base}/app/operator`);
      await operator.getByText('52 waiting, longest first. The first 50 are shown.').waitFor();
      await operator.getByRole('button', { name: 'Load more' }).click();
      await operator.getByRole('button', { name: 'Approve Waiting 51' }).waitFor();
      await operator.getByRole('button', { name: 'Approve Waiting 10' }).focus();
      await operator.keyboard.press('Enter');
      await operator.waitForFunction(
        () => document.activeElement?.getAttribute('aria-label') === 'Approve Waiting 11',
      );
      await operator.getByText('51 waiting, longest first.').waitFor();
      assert.equal(await operator.getByRole('button', { name: /^Approve Waiting/ }).count(), 51);
    });

    it('findings, cancelled orders, holds and earnings say why, and operators decide', async () => {
      await takeBackSomething(site, campaignId);
      await operator.goto(`${site.base}/app/operator/traffic`);
      await operator.getByText('50 % of views were clicked; usual is 3.0 %.').waitFor();
      assert.deepEqual(await seriousFindings(operator), []);
      await operator.goto(`${site.base}/app/operator/billing`);
      await operator.getByRole('button', { name: 'Refuse order 1001' }).click();
      await operator.getByText('Left unchanged.').waitFor();
      await operator.getByRole('button', { name: 'Release Camp & Co' }).click();
      const dialog = operator.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('Paid by wire');
      await dialog.getByRole('button', { name: 'Release', exact: true }).click();
      await operator.getByText('Camp & Co may run again.').waitFor();
      await operator.goto(`${site.base}/app/operator/payouts`);
      await operator.getByRole('button', { name: 'Pay Trail Assistant' }).click();
      await operator.getByText('Only pay it if you know this publisher').waitFor();
      await dialog.getByLabel('Reference').fill('wire 77');
      await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
      await operator.getByText('$4.00 approved for Trail Assistant.').waitFor();
      await operator.getByRole('cell', { name: 'wire 77' }).waitFor();
      assert.deepEqual(await seriousFindings(operator), []);
      const publisher = await (await site.signedIn(browser, 'publisher')).newPage();
      await publisher.goto(`${site.base}/app/publisher/earnings`);
      await publisher.getByText('50 % of views were clicked; usual is 3.0 %.').waitFor();
      await publisher.getByText('orders/cancelled').waitFor();
      await publisher.getByRole('cell', { name: '$4.00' }).first().waitFor();
      await publisher.getByRole('cell', { name: 'wire 77' }).waitFor();
      await publisher.getByText('The operator sends payouts by hand').waitFor();
      const [statement] = await Promise.all([
        publisher.waitForEvent('download'),
        publisher
          .getByRole('link', { name: /^Statement .* as PDF$/ })
          .first()
          .click(),
      ]);
      assert.match(statement.suggestedFilename(), /^statement-\d{4}-\d{2}\.pdf$/);
      assert.equal(await publisher.getByText('1001').count(), 0, 'the order is the shop’s own');
      assert.deepEqual(await seriousFindings(publisher), []);
      await advertiser.goto(`${site.base}/app/advertiser/billing`);
      await advertiser.getByText('50 % of views were clicked; usual is 3.0 %.').waitFor();
      await advertiser.getByRole('cell', { name: '1001' }).first().waitFor();
      assert.deepEqual(await seriousFindings(advertiser), []);
    });

    it('a new page gives its heading the focus', async () => {
      await advertiser.goto(`${site.base}/app/advertiser`);
      await advertiser.getByRole('link', { name: 'Conversions', exact: true }).click();
      await advertiser.getByRole('heading', { level: 1, name: 'Conversions' }).waitFor();
      await advertiser.waitForFunction(() => document.activeElement?.tagName === 'H1');
      assert.equal(await focused(advertiser), 'Conversions');
    });

    it('an address that leads nowhere is a page, and the API reference fits a phone', async () => {
      const phone = await browser.newPage({ viewport: { width: 390, height: 800 } });
      const missing: string[] = [];
      phone.on(
        'response',
        (answer) =>
          void (
            answer.status() >= 400 &&
            answer.request().resourceType() !== 'document' &&
            missing.push(answer.url())
          ),
      );
      for (const path of ['/nope', '/docs/nope']) {
        const answer = await phone.goto(`${site.base}${path}`);
        assert.equal(answer?.status(), 404);
        await phone.getByRole('heading', { name: 'There is no such page' }).waitFor();
        assert.match(
          await phone.evaluate(() => getComputedStyle(document.body).fontFamily),
          /sans-serif/,
          'it looks like a page',
        );
        assert.deepEqual(missing, [], path);
        assert.deepEqual(await seriousFindings(phone), []);
      }
      await phone.goto(`${site.base}/docs/api`);
      await phone.evaluate(() =>
        document.querySelectorAll('details').forEach((one) => (one.open = true)),
      );
      assert.ok((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 390);
      await phone.close();
    });
  },
);

/** What an operator, a publisher and an advertiser have to look at when money is taken back. */
async function takeBackSomething(site: DashboardSite, campaignId: string): Promise<void> {
  const { app, advertiser, publisher } = site;
  const now = app.clock.now;
  const at = new Date(now);
  const earned = now - 20 * 86_400_000;
  await app.services.eventLog.append([
    {
      id: app.services.mintId(earned),
      kind: 'click',
      at: earned,
      publisherId: publisher.id,
      advertiserId: advertiser.id,
      campaignId,
      spendMicros: 5_000_000,
      revenueMicros: 4_000_000,
      budgetDay: new Date(earned).toISOString().slice(0, 10),
    },
  ]);
  await insertFinding(
    app.db,
    {
      id: app.services.mintId(now),
      publisherId: publisher.id,
      rule: 'click_rate',
      foundAt: at,
      fromAt: new Date(now - 86_400_000),
      toAt: at,
      events: 450,
      spendMicros: 15_000_000,
      revenueMicros: 7_500_000,
      details: { rate: 0.5, usual: 0.03 },
    },
    [{ advertiserId: advertiser.id, events: 450, spendMicros: 15_000_000 }],
  );
  await saveEvidence(
    app.db,
    [{ publisherId: publisher.id, isProven: false, conversions: 0, expectedConversions: 3 }],
    at,
  );
  await app.db.query(
    `insert into conversion_reversals (
         conversion_id, advertiser_id, publisher_id, order_id, reason, spend_micros, status,
         requested_at
       )
     values ($1, $2, $3, '1001', 'orders/cancelled', 2000000, 'waiting', $4)`,
    [app.services.mintId(now), advertiser.id, publisher.id, at],
  );
  await app.db.query(
    `insert into payment_holds (reference, advertiser_id, reason, since)
     values ('dispute 1', $1, 'disputed', $2)`,
    [advertiser.id, at],
  );
}
