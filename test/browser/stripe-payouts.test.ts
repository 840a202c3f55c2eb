import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { browserMissing, launchBrowser } from '../support/browser.js';
import {
  type DashboardSite,
  seriousFindings,
  startDashboardSite,
} from '../support/dashboard-site.js';
import { insertLiveCampaign } from '../support/live-campaign.js';
import { startStripeServer, type StripeServer } from '../support/stripe-server.js';

describe(
  'payouts by Stripe Connect (simulated), from connecting to paid',
  { skip: browserMissing() ?? false, timeout: 1_200_000 },
  () => {
    let stripe: StripeServer;
    let site: DashboardSite;
    let browser: Browser;

    before(async () => {
      stripe = await startStripeServer('sk_test_1');
      [site, browser] = await Promise.all([
        startDashboardSite({
          environment: {
            PAYOUTS: 'stripe_connect',
            STRIPE_SECRET_KEY: 'sk_test_1',
            STRIPE_WEBHOOK_SECRET: 'whsec_test',
            STRIPE_API_URL: stripe.url,
          },
        }),
        launchBrowser(),
      ]);
      const { app, advertiser, publisher } = site;
      const ids = await insertLiveCampaign(app, advertiser.id, { context: 'copper kettles' });
      // Older than what is held.
      const at = app.clock.now - 15 * 86_400_000;
      await app.services.eventLog.append([
        {
          id: app.services.mintId(at),
          kind: 'impression',
          at,
          advertiserId: advertiser.id,
          publisherId: publisher.id,
          ...ids,
          spendMicros: 20_000_000,
          revenueMicros: 12_340_000,
          budgetDay: new Date(at).toISOString().slice(0, 10),
        },
      ]);
      await app.services.eventLog.drain();
    });
    after(async () => {
      await browser?.close();
      await site?.close();
      stripe?.close();
    });

    it('a publisher connects, an operator approves, and both see it paid', async () => {
      const publisher = await (await site.signedIn(browser, 'publisher')).newPage();
      const operator = await (await site.signedIn(browser, 'operator')).newPage();
      // Stripe's own page: it takes the details and sends people back.
      await publisher.route('https://connect.example/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: 'Your bank account?' }),
      );
      await publisher.goto(`${site.base}/app/publisher/earnings`);
      await publisher.getByRole('button', { name: 'Connect with Stripe' }).click();
      await publisher.waitForURL('https://connect.example/acct_1');
      for (const account of stripe.accounts) account.payouts_enabled = true;
      await publisher.goto(stripe.calls.at(-1)?.body.get('return_url') ?? '');
      await publisher
        .getByText('Approved payouts are sent to your Stripe account at once.')
        .waitFor();
      await publisher.getByText('Nothing has been paid yet.').waitFor();

      await operator.goto(`${site.base}/app/operator/payouts`);
      await operator.getByRole('button', { name: 'Pay Trail Assistant' }).click();
      await operator.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
      await operator.getByText('$12.34 approved for Trail Assistant.').waitFor();
      const paid = { name: /\$12\.34.*tr_1.*paid/i };
      await operator.getByRole('row', paid).waitFor();
      assert.deepEqual(
        stripe.transfers.map(({ amount, destination }) => [amount, destination]),
        [[1234, stripe.accounts[0]?.id]],
      );
      assert.deepEqual(await seriousFindings(operator), []);

      await publisher.reload();
      await publisher.getByRole('row', { name: /tr_1 Paid \$12\.34/i }).waitFor();
      assert.deepEqual(await seriousFindings(publisher), []);
    });
  },
);
