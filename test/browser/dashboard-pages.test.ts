import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { browserMissing, launchBrowser } from '../support/browser.js';
import {
  type DashboardSite,
  type Role,
  seriousFindings,
  startDashboardSite,
} from '../support/dashboard-site.js';
import { insertLiveCampaign } from '../support/live-campaign.js';
import { managing } from '../support/managed-campaign.js';

const pages: Record<Role, readonly string[]> = {
  advertiser: [
    '',
    '/campaigns',
    '/campaigns/new',
    '/ad-groups',
    '/ad-groups?of=ads',
    '/reports',
    '/live',
    '/conversions',
    '/pixel',
    '/server-side',
    '/storefronts',
    '/leads',
    '/ad-units',
    '/experiments',
    '/privacy',
    '/alerts',
    '/exports',
    '/billing',
  ]
    .map((path) => `/app/advertiser${path}`)
    .concat('/app/keys', '/app/assistants', '/app/team', '/app/security'),
  publisher: [
    '',
    '/reports',
    '/live',
    '/earnings',
    '/audience',
    '/users',
    '/controls',
    '/feedback',
    '/privacy',
    '/alerts',
    '/exports',
    '/integrate',
  ].map((path) => `/app/publisher${path}`),
  operator: [
    '',
    '/overview',
    '/payouts',
    '/reports',
    '/live',
    '/accounts',
    '/people',
    '/reading',
    '/privacy',
    '/traffic',
    '/billing',
    '/catalog',
    '/decisions',
    '/health',
    '/audit',
    '/settings',
  ].map((path) => `/app/operator${path}`),
};
const open = ['/', '/app/sign-in', '/app/sign-up', '/app/forgot', '/app/playground'];
const attack = `<img src=x onerror="window.broken=1"><script>window.broken=1</script>"'>`;

describe(
  'every page of the dashboards',
  { skip: browserMissing() ?? false, timeout: 1_200_000 },
  () => {
    let site: DashboardSite;
    let browser: Browser;
    let campaign = '';

    before(async () => {
      [site, browser] = await Promise.all([startDashboardSite(), launchBrowser()]);
      const call = managing(site.app, site.advertiser);
      const made = await call('POST', 'campaigns', {
        name: `Campaign ${attack}`,
        landing_page: 'https://camp.example/',
        daily_budget: 20,
        status: 'active',
        ad_groups: [
          {
            name: `Group ${attack}`,
            group_type: 'manual',
            brand_name: `Brand ${attack}`,
            context: `camping tents ${attack}`,
            ads: [
              {
                name: `Ad ${attack}`,
                headline: `H ${attack}`.slice(0, 80),
                copy: `Copy ${attack}`,
                cta: `Go ${attack}`.slice(0, 80),
              },
            ],
          },
        ],
      });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      campaign = String(made.body.campaign_id);
      assert.equal(
        (await call('POST', 'pixels', { url: 'camp.example', name: `Pixel ${attack}` })).status,
        201,
      );
      await insertLiveCampaign(site.app, site.advertiser.id, {
        context: 'camping tents for a first trip',
      });
      await site.app.db.query(
        `update ads set headline = $1, copy = $1, cta = 'Go' where headline = 'A headline'`,
        [`Served ${attack}`.slice(0, 80)],
      );
      await site.app.serving.inventory.refresh(null);
      const ad = async (body: unknown, path: string, headers: Record<string, string>) =>
        site.app.http.inject({
          method: 'POST',
          url: path,
          headers,
          payload: body as Record<string, unknown>,
        });
      const served = await ad(
        {
          sessionId: attack,
          user: { id: `user ${attack}` },
          placements: [{ placement: 'below_response', placement_id: attack }],
          messages: [{ role: 'user', content: 'camping tents for a first trip' }],
        },
        '/api/v1/ad',
        { authorization: `Bearer ${site.publisher.apiKey}` },
      );
      assert.equal(served.statusCode, 200);
      await ad(
        {
          sessionId: 's',
          impUrl: served.json()[0].impUrl,
          sentiment: 'thumbs_down',
          reasons: [attack],
          comment: attack,
        },
        '/ad-feedback',
        { 'x-api-key': site.publisher.apiKey },
      );
      await ad(
        {
          data: [
            {
              event_name: `Custom ${attack}`,
              event_id: attack,
              event_time: Math.floor(Date.now() / 1000),
              event_source_url: 'https://camp.example/',
              custom_data: { order_id: attack, value: 3 },
            },
          ],
        },
        '/gateway/events',
        { authorization: `Bearer ${site.advertiser.apiKey}` },
      );
      await site.app.db.query(`update publishers set name = $1, excluded_topics = array[$1]`, [
        `Publisher ${attack}`,
      ]);
      await site.app.db.query(`update advertisers set name = $1`, [`Advertiser ${attack}`]);
      await site.app.services.directory.refresh();
    });
    after(async () => {
      await browser?.close();
      await site?.close();
    });

    async function settled(page: Page, path: string): Promise<void> {
      await page.goto(`${site.base}${path}`);
      await page.locator('h1, .empty-title').first().waitFor();
      while ((await page.locator('.loading').count()) > 0)
        await page.locator('.loading').first().waitFor({ state: 'detached' });
    }

    /** As a person goes there: within the pages, which load anew only at another desk. */
    async function moved(page: Page, path: string): Promise<void> {
      const before = page.url().slice(site.base.length).split('?')[0];
      if (before === '' || before === path.split('?')[0]) return settled(page, path);
      await page.evaluate((to) => {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        history.pushState(null, '', to);
        dispatchEvent(new PopStateEvent('popstate'));
      }, path);
      // A page that has come gives its heading the focus.
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
      while ((await page.locator('.loading').count()) > 0)
        await page.locator('.loading').first().waitFor({ state: 'detached' });
    }

    for (const role of ['advertiser', 'publisher', 'operator'] as const) {
      it(`text from outside stays text, the policy holds and nothing serious is found for the ${role}`, async () => {
        const context = await site.signedIn(browser, role);
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on(
          'console',
          (message) =>
            void (
              message.type() === 'error' &&
              !/404 \(Not Found\)/.test(message.text()) &&
              complaints.push(message.text())
            ),
        );
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on(
          'request',
          (request) =>
            void (
              request.url().startsWith(site.base) ||
              request.url().startsWith('data:') ||
              complaints.push(`left the server: ${request.url()}`)
            ),
        );
        for (const path of [
          ...pages[role],
          ...(role === 'advertiser' ? [`/app/advertiser/campaigns/${campaign}`] : []),
        ]) {
          await settled(page, path);
          assert.equal(await page.evaluate('window.broken'), undefined, path);
          assert.deepEqual(await seriousFindings(page), [], path);
        }
        assert.deepEqual(complaints, []);
        await context.close();
      });

      it(`the ${role}'s pages fit a phone, in the dark and in German`, async () => {
        const context = await site.signedIn(browser, role, {
          width: 390,
          dark: true,
          german: true,
        });
        const page = await context.newPage();
        await settled(page, `/app/${role}`);
        for (const path of pages[role]) {
          await moved(page, path);
          assert.ok(
            Number(await page.evaluate('document.documentElement.scrollWidth')) <= 390,
            `${path} is wider than the phone`,
          );
          assert.deepEqual(await seriousFindings(page), [], path);
        }
        await page.getByRole('button', { name: 'Menü' }).click();
        const menu = page.locator('nav#menu');
        await menu.getByRole('link', { name: 'Doku' }).waitFor();
        const signs = await menu
          .locator('a path')
          .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')));
        assert.equal(new Set(signs).size, signs.length, 'pages share a sign');
        assert.deepEqual(await seriousFindings(page), []);
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Gehe zu …' }).click();
        await page.getByRole('combobox', { name: /^Zu einer Seite/ }).fill('beri');
        await page.getByRole('option', { name: /Berichte/ }).waitFor();
        await context.close();
      });
    }

    it('a list of thousands comes in pages and is searched on the server', async () => {
      await site.app.db.query(
        `insert into campaigns (id, advertiser_id, name, status, landing_page, daily_budget_micros)
         select gen_random_uuid(), $1, 'Many ' || lpad(n::text, 4, '0'), 'draft',
           'https://camp.example/', 1000000
         from generate_series(1, 2000) n`,
        [site.advertiser.id],
      );
      const context = await site.signedIn(browser, 'advertiser');
      const page = await context.newPage();
      await settled(page, '/app/advertiser/campaigns');
      const rows = page.locator('tbody tr');
      assert.equal(await rows.count(), 50);
      await page.getByRole('button', { name: 'Load more' }).click();
      await rows.nth(99).waitFor();
      await page.getByLabel('Find by name').fill('many 199');
      await rows.nth(10).waitFor({ state: 'detached' });
      await page.getByText('Many 1999').waitFor();
      assert.equal(await rows.count(), 10);
      assert.match(page.url(), /q=many\+199/);
      await page.reload();
      await page.getByText('Many 1990').waitFor();
      await page.getByRole('button', { name: 'Choose all shown' }).click();
      await page.getByRole('button', { name: 'Budget, bid, end…' }).click();
      await page.getByLabel('Per cent', { exact: true }).fill('50');
      await page.getByRole('button', { name: 'Change 10 campaigns' }).click();
      await page.getByText('10 changed.').waitFor();
      const changed = await site.app.db.query<{ name: string }>(
        `select name from campaigns where daily_budget_micros = 1500000 order by name`,
      );
      assert.deepEqual([changed.length, changed[0]?.name], [10, 'Many 1990']);
      await site.app.db.query(`delete from campaigns where name like 'Many %'`);
      await context.close();
    });

    it('the open pages are sound, and an ad full of markup is shown as text', async () => {
      const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
      const page = await context.newPage();
      for (const path of open) {
        await settled(page, path);
        assert.deepEqual(await seriousFindings(page), [], path);
        assert.ok(
          Number(await page.evaluate('document.documentElement.scrollWidth')) <= 390,
          `${path} is wider than the phone`,
        );
      }
      const starter = page.getByRole('button', { name: 'Tell me a joke about penguins' });
      const { width = 0 } = (await starter.boundingBox()) ?? {};
      assert.ok(width > 150, `what can be picked is ${width} wide`);
      await page.getByLabel('Message').fill(`camping tents for a first trip ${attack}`);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('complementary').waitFor();
      await page.getByText(/won with relevance/).waitFor();
      assert.equal(await page.evaluate('window.broken'), undefined);
      assert.deepEqual(await seriousFindings(page), []);
      await context.close();
    });
  },
);
