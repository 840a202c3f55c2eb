import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { browserMissing } from '../support/browser.js';
import { openAdvertiserPages } from '../support/advertiser-pages.js';

type Pages = Awaited<ReturnType<typeof openAdvertiserPages>>;

describe(
  'what an advertiser does in the dashboards',
  { skip: browserMissing() ?? false, timeout: 1_200_000 },
  () => {
    let pages: Pages | undefined;
    let site: Pages['site'];
    let page: Pages['page'];
    let sent: Pages['sent'];
    let open: Pages['open'];
    let sound: Pages['sound'];
    let saved: Pages['saved'];
    before(async () => {
      pages = await openAdvertiserPages();
      ({ site, page, sent, open, sound, saved } = pages);
    });
    after(() => pages?.close());

    it('range, zone and comparison are those that were chosen, and the zone is remembered', async () => {
      await open('');
      await page.getByLabel('Range').selectOption('7');
      await page.getByLabel('Time zone').focus();
      const [asked] = await Promise.all([
        page.waitForRequest(/metrics\?.*tz=Asia%2FTokyo/),
        page.getByLabel('Time zone').selectOption('Asia/Tokyo'),
      ]);
      assert.match(asked.url(), /days=7&.*compare=previous/);
      const [alone] = await Promise.all([
        page.waitForRequest(/advertiser-dashboard\/metrics/),
        page.getByLabel('Compare').uncheck(),
      ]);
      assert.doesNotMatch(alone.url(), /compare/);
      await page.reload();
      assert.equal(await page.getByLabel('Time zone').inputValue(), 'Asia/Tokyo');
      assert.equal(await page.getByLabel('Range').inputValue(), '7');
      assert.equal(await page.getByLabel('Compare').isChecked(), false);
      await page.goBack();
      await page.waitForURL(/\?days=7$/);
      assert.equal(await page.getByLabel('Compare').isChecked(), true);
      await page.getByLabel('Time zone').focus();
      await page.getByLabel('Time zone').selectOption('UTC');
    });

    it('an address for alerts is added, tried, and tells how it answered', async () => {
      await open('/alerts');
      await page.getByRole('button', { name: 'Add an address' }).click();
      await page.getByRole('textbox', { name: 'Address' }).fill('https://hooks.example/in');
      await page.getByLabel('Conversion rate fell').uncheck();
      await sound();
      await page.getByRole('button', { name: 'Save address' }).click();
      assert.match((await page.locator('dialog code').first().textContent()) ?? '', /^whsec_/);
      await page.getByRole('button', { name: 'Close' }).click();
      await page
        .getByRole('cell', { name: 'Budget nearly spent, Campaign no longer shown' })
        .waitFor();
      await page.getByRole('button', { name: 'Send a test to https://hooks.example/in' }).click();
      await page.locator('dialog').getByText('delivered').waitFor();
      assert.ok(sent.includes('https://hooks.example/in'));
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('cell', { name: 'Sent by hand to try an address.' }).waitFor();
    });

    it('switching an address off is taken back when the server refuses', async () => {
      await page.route('**/webhooks/*', (route) =>
        route.request().method() === 'PATCH'
          ? route.fulfill({
              status: 503,
              contentType: 'application/json',
              body: '{"detail":"temporarily_unavailable"}',
            })
          : route.continue(),
      );
      await page.getByRole('button', { name: 'Switch off https://hooks.example/in' }).click();
      await page.getByText('Nothing was recorded. It is safe to try again.').waitFor();
      await page.getByRole('button', { name: 'Switch off https://hooks.example/in' }).waitFor();
      await page.unroute('**/webhooks/*');
    });

    it('a shop is connected, and disconnected after a question', async () => {
      await open('/storefronts');
      await page.getByLabel('Shop', { exact: true }).fill('not a shop');
      await page.getByRole('button', { name: 'Connect shop' }).click();
      await page.getByText('Must be the shop’s myshopify.com name').waitFor();
      await page.getByLabel('Shop', { exact: true }).fill('camp');
      await page.getByLabel('Signing secret of its webhooks').fill('a long enough secret');
      await page.getByRole('button', { name: 'Connect shop' }).click();
      await page.getByRole('cell', { name: 'camp.myshopify.com', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Disconnect camp.myshopify.com' }).click();
      await page.locator('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await page.getByText('disconnected', { exact: true }).waitFor();
    });

    it('events of the pixel appear on its page as they come', async () => {
      await open('/pixel');
      await page.getByLabel('Page it will run on').fill('camp.example');
      await page.getByRole('button', { name: 'Create pixel' }).click();
      const id =
        (await page
          .getByRole('row', { name: /Untitled Pixel/ })
          .locator('code')
          .textContent()) ?? '';
      await page.getByText(`gravity('init', '${id}')`).waitFor();
      const answer = await fetch(`${site.base}/track/gr-events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          pixel_id: id,
          visitor_id: 'v1',
          events: [
            { event_type: 'page_view', url: 'https://camp.example/tents', timestamp: Date.now() },
          ],
        }),
      });
      assert.equal(answer.status, 202);
      await page.getByRole('region', { name: 'Live events' }).getByText('page_view').waitFor();
    });

    it('lists are saved as CSV with all their rows', async () => {
      const data = Array.from({ length: 130 }, (_, n) => ({
        event_name: 'Lead',
        event_id: `lead-${n}`,
        event_time: Math.floor(Date.now() / 1000),
        custom_data: { order_id: `=cmd|${n}` },
      }));
      await fetch(`${site.base}/gateway/events`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${site.advertiser.apiKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ data }),
      });
      await open('/conversions');
      const lines = (await saved(page.getByRole('button', { name: 'Conversions as CSV' })))
        .trim()
        .split('\r\n');
      assert.equal(lines.length, 131, 'more than one page of them');
      assert.ok(lines[1]?.includes("'=cmd|"), 'no cell is a formula');
      await open('/campaigns');
      assert.match(
        await saved(page.getByRole('button', { name: 'Campaigns as CSV' })),
        /Test campaign/,
      );
      await open('/exports');
      assert.match(
        await saved(page.getByRole('button', { name: 'Save as CSV' })),
        /^event_id,kind,at,/,
      );
    });

    it('an answer that fails says so and can be asked for again', async () => {
      let fails = true;
      await page.route('**/advertiser-dashboard/leads**', (route) =>
        fails
          ? route.fulfill({
              status: 500,
              contentType: 'application/json',
              body: '{"detail":{"error":"internal"}}',
            })
          : route.continue(),
      );
      await open('/leads');
      await page.getByText('Something failed on the server. Try again in a moment.').waitFor();
      fails = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('No leads yet.').waitFor();
    });
  },
);
