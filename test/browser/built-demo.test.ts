// What a stranger finds who starts the built server with its demo, in a real browser.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { DemoAccounts } from '../../src/cli/seed-demo.js';
import { browserMissing, launchBrowser } from '../support/browser.js';
import { type Role, seriousFindings, userAgent } from '../support/dashboard-site.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';

describe(
  'the built server and its demo in a browser',
  {
    skip: browserMissing() ?? false,
    timeout: 1_200_000,
  },
  () => {
    let server: ServerProcess;
    let browser: Browser;
    let base = '';
    let logins: DemoAccounts['logins'];
    before(async () => {
      [server, browser] = await Promise.all([startServerProcess({ DEMO: '1' }), launchBrowser()]);
      base = server.address;
      // Written by the server just now.
      ({ logins } = JSON.parse(
        readFileSync(join(server.dataDir, 'demo.json'), 'utf8'),
      ) as DemoAccounts);
    });
    after(async () => {
      await browser?.close();
      server?.kill('SIGTERM');
      await server?.ended;
      if (server !== undefined) rmSync(server.dataDir, { recursive: true, force: true });
    });

    const visitor = async (): Promise<BrowserContext> =>
      browser.newContext({ userAgent, locale: 'en-US', timezoneId: 'UTC', acceptDownloads: true });
    const signedIn = async (role: Role): Promise<Page> => {
      const login = logins.find((one) => one.role === role);
      const page = await (await visitor()).newPage();
      await page.goto(`${base}/app/sign-in`);
      await page.getByLabel('E-mail').fill(login?.email ?? '');
      await page.getByLabel('Password').fill(login?.password ?? '');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL(new RegExp(`/app/${role}`));
      return page;
    };
    /** What a link downloads. */
    const saved = async (page: Page, click: () => Promise<void>): Promise<Buffer> => {
      const coming = page.waitForEvent('download');
      await click();
      return readFileSync(await (await coming).path());
    };

    it('an invoice and a statement are saved as PDF documents', async () => {
      const advertiser = await signedIn('advertiser');
      await advertiser.getByRole('link', { name: 'Billing' }).click();
      const invoice = advertiser.getByRole('link', { name: 'PDF' }).first();
      const bill = await saved(advertiser, () => invoice.click());
      assert.equal(bill.subarray(0, 5).toString(), '%PDF-');
      assert.ok(bill.includes('Helvetica-Bold'), 'its fonts are in it');
      const publisher = await signedIn('publisher');
      await publisher.getByRole('link', { name: 'Earnings and payouts' }).click();
      const statement = publisher.getByRole('link', { name: /^Statement .* as PDF$/ }).first();
      const paper = await saved(publisher, () => statement.click());
      assert.equal(paper.subarray(0, 5).toString(), '%PDF-');
    });

    it('agents read the docs: llms.txt leads to every page as Markdown', async () => {
      const page = await (await visitor()).newPage();
      await page.goto(`${base}/docs`);
      await page.getByRole('main').getByRole('link', { name: 'llms.txt' }).click();
      const index = await page.locator('body').innerText();
      const listed = [...index.matchAll(/\]\((\/docs\/[^)]+\.md)\)/g)].map(
        ([, path]) => path ?? '',
      );
      assert.ok(listed.length > 8, index);
      for (const path of listed) {
        const answer = await page.request.get(`${base}${path}`);
        assert.equal(answer.status(), 200, path);
        assert.match(answer.headers()['content-type'] ?? '', /^text\/markdown/);
        assert.match(await answer.text(), /^# /, path);
      }
      await page.goto(`${base}/docs`);
      await page
        .getByRole('main')
        .getByRole('heading', { name: 'Operators', exact: true })
        .waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Run it', exact: true }).click();
      const title = await page.getByRole('heading', { level: 1 }).innerText();
      const link = page.getByRole('link', { name: 'This page as Markdown' });
      const markdown = await page.request.get(`${base}${(await link.getAttribute('href')) ?? ''}`);
      assert.ok((await markdown.text()).startsWith(`# ${title}`));
    });

    it('accounts are as old as their history, and a baseline says what it would fill', async () => {
      const operator = await signedIn('operator');
      await operator.getByRole('link', { name: 'Accounts' }).click();
      const lastYear = String(new Date(Date.now() - 365 * 86_400_000).getUTCFullYear());
      for (const name of ['Demo Advertiser', 'Demo Assistant', 'Trail Notes'])
        await operator
          .getByRole('row', { name: new RegExp(name) })
          .first()
          .getByText(lastYear)
          .waitFor();
      const publisher = await signedIn('publisher');
      await publisher.getByRole('link', { name: 'Controls' }).click();
      const said = publisher.getByText(/Of your last [\d,]+ requests with a candidate/);
      await said.waitFor();
      const share = Number(/(\d+)%/.exec(await said.innerText())?.[1]);
      assert.ok(share > 50 && share < 100, await said.innerText());
    });

    it('a click on an ad of the playground ends on a page of the demo', async () => {
      const context = await visitor();
      const page = await context.newPage();
      await page.goto(`${base}/app/playground`);
      await page.getByLabel('Message').fill('Which mattress should I buy? Mine hurts my back');
      await page.getByRole('button', { name: 'Send' }).click();
      const ad = page.getByRole('complementary', { name: /^Sponsored/ }).first();
      await ad.waitFor();
      const opened = context.waitForEvent('page');
      await ad.getByRole('link').last().click();
      const landing = await opened;
      await landing.getByRole('heading', { level: 1 }).waitFor();
      assert.match(landing.url(), /\/demo-sites\/[^?]+\?.*grclid=/);
      assert.deepEqual(await seriousFindings(landing), [], landing.url());
    });

    it('an operator reads the settings, secrets apart, and what searches did not find', async () => {
      const page = await (await visitor()).newPage();
      await page.goto(`${base}/app/playground`);
      await page.getByRole('tab', { name: 'Developer tools' }).click();
      await page.getByLabel('What does your project need?').fill('a horoscope for my goldfish');
      await page.getByRole('button', { name: 'Search tools' }).click();
      await page.getByText('No good match.').waitFor();

      const operator = await signedIn('operator');
      await operator.getByRole('link', { name: 'Settings' }).click();
      await operator.getByRole('searchbox', { name: 'Find a setting' }).fill('DATA_DIR');
      const row = operator.getByRole('row', { name: /DATA_DIR/ }).first();
      await row.getByText(server.dataDir).waitFor();
      await row.getByText('changed').waitFor();
      await operator.getByRole('searchbox', { name: 'Find a setting' }).fill('nothing of the kind');
      await operator.getByText('No setting matches that.').waitFor();

      await operator.getByRole('link', { name: 'Catalog' }).click();
      const gaps = operator.getByRole('region', {
        name: 'Searches without a good answer',
        exact: true,
      });
      await gaps.getByText('a horoscope for my goldfish').waitFor();
      const csv = await saved(operator, () =>
        gaps.getByRole('button', { name: 'Search gaps as CSV' }).click(),
      );
      assert.match(csv.toString(), /^query,answer,.*\r\n(?:.*\r\n)*a horoscope for my goldfish,/);
    });
  },
);
