import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { browserMissing, launchBrowser } from '../support/browser.js';
import { type DashboardSite, type Role, startDashboardSite } from '../support/dashboard-site.js';
import { campaignBody, managing, unitBody } from '../support/managed-campaign.js';

const attack = `<img src=x onerror="window.broken=1"><script>window.broken=1</script>"'>`;
const paths: Record<Role, readonly string[]> = {
  advertiser: [
    '/advertiser',
    '/advertiser/campaigns',
    '/advertiser/campaigns/new',
    '/advertiser/campaigns/:campaign',
    '/advertiser/conversions',
    '/advertiser/pixel',
    '/advertiser/server-side',
    '/advertiser/storefronts',
    '/advertiser/leads',
    '/advertiser/ad-units',
    '/advertiser/alerts',
    '/advertiser/exports',
    '/advertiser/billing',
    '/keys',
  ],
  publisher: [
    '/publisher',
    '/publisher/earnings',
    '/publisher/audience',
    '/publisher/users',
    '/publisher/controls',
    '/publisher/feedback',
    '/publisher/alerts',
    '/publisher/exports',
    '/publisher/integrate',
    '/playground',
  ],
  operator: [
    '/operator',
    '/operator/accounts',
    '/operator/traffic',
    '/operator/billing',
    '/operator/catalog',
    '/operator/decisions',
    '/operator/health',
    '/operator/audit',
  ],
};
/** Buttons that open a form. */
const openers = /^(Add|New|Edit|Draft|Reject|Daily budget of|\d+% share)/;

describe(
  'script in every text field of the dashboards',
  { skip: browserMissing() ?? false, timeout: 1_200_000 },
  () => {
    let site: DashboardSite;
    let browser: Browser;
    let campaign = '';
    const underWay = new WeakMap<Page, Set<Request>>();

    before(async () => {
      [site, browser] = await Promise.all([
        startDashboardSite({
          outbound: async (url) => ({ url, status: 200, headers: {}, body: Buffer.alloc(0) }),
        }),
        launchBrowser(),
      ]);
      const call = managing(site.app, site.advertiser);
      campaign = String(
        (
          await call(
            'POST',
            'campaigns',
            campaignBody({
              status: 'active',
              lead_form_config: {
                title: 'Form',
                fields: [{ name: 'a', label: 'A', type: 'text' }],
              },
            }),
          )
        ).body.campaign_id,
      );
      const unit = await call('POST', 'ad-units', unitBody);
      await call('POST', `campaigns/${campaign}/ad-units`, { ad_unit_ids: [unit.body.id] });
    });
    after(async () => {
      await browser?.close();
      await site?.close();
    });

    /**
     * Fills every field that takes text with script, in a form that reads as well-formed where one
     * is asked for.
     */
    async function fill(scope: Page | Locator): Promise<number> {
      let filled = 0;
      for (const field of await scope
        .locator(
          'input:visible:not([type=checkbox], [type=range], [type=number], [type=date], [type=datetime-local], :disabled), textarea:visible',
        )
        .all()) {
        const isAddress = (await field.getAttribute('inputmode')) === 'url';
        const isNumber = (await field.getAttribute('inputmode')) === 'decimal';
        await field.fill(isNumber ? '7' : isAddress ? `https://x.example/?q=${attack}` : attack);
        filled += 1;
      }
      for (const choice of await scope.locator('form select:visible').all())
        if ((await choice.locator('option').count()) > 1) await choice.selectOption({ index: 1 });
      return filled;
    }

    /** Until nothing is on its way any more, and what came is drawn. */
    async function answered(page: Page): Promise<void> {
      for (let looks = 0, quiet = 0; looks < 600 && quiet < 2; looks += 1) {
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
        quiet = underWay.get(page)?.size === 0 ? quiet + 1 : 0;
      }
    }

    /** Until the page stands with all it loads, scripts of its parts too: a form may come last. */
    async function settle(page: Page): Promise<void> {
      await page.locator('h1, .empty-title').first().waitFor();
      do {
        await page.locator('.loading').first().waitFor({ state: 'detached' });
        await answered(page);
      } while ((await page.locator('.loading').count()) > 0);
    }

    async function submitAll(page: Page, scope: Page | Locator): Promise<number> {
      let filled = 0;
      const forms = await scope.locator('form:visible').count();
      for (let n = 0; n < forms; n += 1) {
        const form = scope.locator('form:visible').nth(n);
        if ((await form.count()) === 0) break;
        filled += await fill(form);
        const button = form.locator('button:not([type=button])').first();
        if ((await button.count()) === 0 || (await button.isDisabled())) continue;
        await button.click({ timeout: 2000 }).catch(() => undefined);
        await answered(page);
      }
      return filled;
    }

    for (const role of ['advertiser', 'publisher', 'operator'] as const) {
      it(`what the ${role} types is shown as it was typed, never run`, async () => {
        const context = await site.signedIn(browser, role);
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on(
          'console',
          (message) =>
            void (
              /Content Security Policy/.test(message.text()) && complaints.push(message.text())
            ),
        );
        page.on('dialog', (dialog) => {
          complaints.push(dialog.message());
          void dialog.dismiss();
        });
        const asked = new Set<Request>();
        underWay.set(page, asked);
        page.on('request', (request) => asked.add(request));
        page.on('requestfinished', (request) => asked.delete(request));
        page.on('requestfailed', (request) => asked.delete(request));
        let filled = 0;
        for (const path of paths[role]) {
          const address = `${site.base}/app${path.replace(':campaign', campaign)}`;
          await page.goto(address);
          await settle(page);
          filled += await fill(page);
          filled += await submitAll(page, page);
          // Typed into a search, it leaves nothing in the list to open.
          await page.goto(address);
          await settle(page);
          const names = await page
            .getByRole('button', { name: openers })
            .evaluateAll((buttons) =>
              buttons.map(
                (button) => button.getAttribute('aria-label') ?? button.textContent ?? '',
              ),
            );
          for (const name of new Set(names)) {
            await page.goto(address);
            await settle(page);
            const opener = page.getByRole('button', { name, exact: true }).first();
            if ((await opener.count()) === 0) continue;
            await opener.click();
            // A dialog opens a frame after it is drawn, and frames may be slow.
            await answered(page);
            const dialog = page.locator('dialog[open]');
            await page.locator('form:visible, dialog[open]').first().waitFor();
            filled += await submitAll(page, (await dialog.count()) > 0 ? dialog : page);
          }
          assert.equal(await page.evaluate('window.broken'), undefined, path);
        }
        // What was stored comes back on every page, of this role and of those it concerns.
        for (const path of paths[role]) {
          await page.goto(`${site.base}/app${path.replace(':campaign', campaign)}`);
          await settle(page);
          assert.equal(await page.evaluate('window.broken'), undefined, `${path}, afterwards`);
          assert.equal(await page.locator('img[src="x"]').count(), 0, path);
        }
        assert.deepEqual(complaints, []);
        assert.ok(
          filled >= { advertiser: 50, publisher: 5, operator: 12 }[role],
          `only ${filled} fields were found`,
        );
        await context.close();
      });
    }
  },
);
