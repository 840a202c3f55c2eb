import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { browserMissing, launchBrowser } from '../support/browser.js';
import {
  type DashboardSite,
  seriousFindings,
  startDashboardSite,
  userAgent,
} from '../support/dashboard-site.js';
import { insertLiveCampaign } from '../support/live-campaign.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface ShownAd {
  choicesUrl: string;
  impUrl: string;
}

describe(
  'what an end user, a publisher and an advertiser decide in a browser',
  { skip: browserMissing() ?? false, timeout: 1_200_000 },
  () => {
    let site: DashboardSite;
    let browser: Browser;
    let chat = '';
    let script = '';
    const publisher = createServer((request, response) => {
      const isScript = request.url === '/sdk.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(
        isScript
          ? script
          : '<!doctype html><html lang="en"><title>Chat</title><main><h1>Chat</h1><div id="slot"></div></main><script src="/sdk.js"></script></html>',
      );
    });

    before(async () => {
      const [opened, launched, built] = await Promise.all([
        startDashboardSite(),
        launchBrowser(),
        build({
          stdin: {
            contents: `import * as sdk from '@sidelight/sdk/browser'; Object.assign(window, { sdk });`,
            resolveDir: root,
            loader: 'js',
          },
          bundle: true,
          write: false,
          format: 'iife',
          logLevel: 'error',
        }),
      ]);
      [site, browser, script] = [opened, launched, built.outputFiles[0]?.text ?? ''];
      await insertLiveCampaign(site.app, site.advertiser.id, {
        context: 'family tents for camping',
        maxCpmMicros: 5_000_000,
      });
      await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve));
      // A TCP server that listens has an address object.
      chat = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/`;
    });
    after(async () => {
      publisher.close();
      publisher.closeAllConnections();
      await browser?.close();
      await site?.close();
    });

    let turns = 0;
    const ask = (user: string, locale = 'en') =>
      site.app.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${site.publisher.apiKey}` },
        payload: {
          messages: [{ role: 'user', content: 'which family tent is good for camping?' }],
          sessionId: `turn ${(turns += 1)}`,
          user: { id: user },
          locale,
          placements: [{ placement: 'below_response', placement_id: 'main' }],
        },
      });
    const adFor = async (user: string, locale?: string): Promise<ShownAd> => {
      const answer = await ask(user, locale);
      assert.equal(answer.statusCode, 200, answer.body);
      await site.app.services.eventLog.drain();
      return answer.json()[0];
    };

    it('in the ad: why it is there, and hiding it, which holds at once and can be taken back', async () => {
      const ad = await adFor('in the ad');
      const page = await (await browser.newContext({ userAgent })).newPage();
      await page.goto(chat);
      // The bundle put the SDK there.
      await page.evaluate(
        `sdk.renderAd(document.querySelector('#slot'), ${JSON.stringify(ad)}, {})`,
      );
      await page.getByRole('button', { name: 'About this ad' }).click();
      await page.getByText('Shown because it fits what this conversation is about.').waitFor();
      await page.getByRole('button', { name: 'Hide this ad', exact: true }).click();
      await page.getByText('Saved. It holds from now on.').waitFor();
      assert.equal((await ask('in the ad')).statusCode, 204);
      assert.equal((await ask('somebody else')).statusCode, 200);
      await page.getByRole('button', { name: 'Hide this ad ✓' }).click();
      await page.getByRole('button', { name: 'Hide this ad', exact: true }).waitFor();
      assert.equal((await ask('in the ad')).statusCode, 200);
      assert.deepEqual(await seriousFindings(page), []);
      await page.context().close();
    });

    it('behind its link: hiding advertiser and topic, nothing personal, what is kept, a copy, and the end of it', async () => {
      const name = 'behind the link';
      const ad = await adFor(name);
      await site.app.db.query(
        `update events set data = data || '{"topic": "tent"}' where kind = 'win' and data ->> 'session' is not null`,
      );
      const page = await (await browser.newContext({ userAgent, acceptDownloads: true })).newPage();
      await page.goto(ad.choicesUrl);
      assert.deepEqual(await seriousFindings(page), []);
      const toggle = async (button: RegExp, refuses: () => Promise<boolean>): Promise<void> => {
        await page.getByRole('button', { name: button }).click();
        await page.getByText('Saved. It holds from now on.').waitFor();
        assert.equal(await refuses(), true, String(button));
        await page.getByRole('button', { name: 'Undo' }).click();
        await page.getByRole('button', { name: button }).waitFor();
        assert.equal(await refuses(), false, String(button));
      };
      const isRefused = async () => (await ask(name)).statusCode === 204;
      await toggle(/^Hide this ad$/, isRefused);
      await toggle(/^Hide this advertiser/, isRefused);
      await toggle(
        /^No personalised ads/,
        async () => (await ask(name)).headers['privacy-signals'] === 'opted_out',
      );
      await page.getByRole('button', { name: /^Hide this topic: tent/ }).click();
      await page.getByText('Saved. It holds from now on.').waitFor();
      assert.equal((await ask(name)).headers['no-ad-reason'], 'excluded');
      await page.getByText('Ads shown to you').waitFor();
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download a copy of it' }).click();
      assert.equal((await downloading).suggestedFilename(), 'kept.json');
      await page.getByRole('button', { name: 'Delete what is kept about me' }).click();
      const receipt = await page.getByRole('status').textContent();
      assert.match(receipt ?? '', /^Deleted\. Receipt: [0-9a-f-]{36}$/);
      await page.getByText('Nothing is kept that points to you.').waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      const pseudonym = site.app.services.pseudonyms.user(site.publisher.id, name);
      const [left] = await site.app.db.query<{ rows: number }>(
        `select (select count(*) from events where user_id = $1) +
           (select count(*) from publisher_users where user_id = $1) +
           (select count(*) from privacy_choices where subject = $1) as rows`,
        [pseudonym],
      );
      assert.equal(left?.rows, 0);
      await page.context().close();
    });

    it('on a phone, in the dark, from right to left and in every language the page is sound', async () => {
      const context = await browser.newContext({
        userAgent,
        viewport: { width: 360, height: 700 },
        colorScheme: 'dark',
      });
      const page = await context.newPage();
      const { choicesUrl } = await adFor('reads');
      for (const language of ['ar', 'de', 'ja', 'tr']) {
        await page.goto(choicesUrl.replace(/l=\w+/, `l=${language}`));
        assert.equal(await page.locator('html').getAttribute('lang'), language);
        assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 360);
        assert.deepEqual(await seriousFindings(page), [], language);
      }
      await context.close();
    });

    it('a publisher sees and erases what is kept of a user, and has a receipt', async () => {
      await adFor('asks the publisher');
      const context = await site.signedIn(browser, 'publisher');
      const page: Page = await context.newPage();
      page.on('dialog', (dialog) => void dialog.accept());
      await page.goto(`${site.base}/app/publisher/privacy`);
      await page.getByLabel('Which one').fill('asks the publisher');
      await page.getByRole('button', { name: 'Go', exact: true }).click();
      await page.getByText('"ads_served": 1').waitFor();
      await page.getByLabel('Request').selectOption('erase');
      await page.getByRole('button', { name: 'Go', exact: true }).click();
      await page.getByText('"users": 1').waitFor();
      await page.getByRole('cell', { name: 'Erase', exact: true }).first().waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await context.close();
    });

    it('an advertiser begins an experiment, watches it and ends it', async () => {
      const context = await site.signedIn(browser, 'advertiser');
      const page = await context.newPage();
      await page.goto(`${site.base}/app/advertiser/experiments`);
      await page.getByLabel('Name').fill('Do they add anything');
      await page.getByLabel('Shown nothing, percent').fill('50');
      assert.deepEqual(await seriousFindings(page), []);
      await page.getByRole('button', { name: 'Begin' }).click();
      await page.getByRole('heading', { name: 'Do they add anything' }).waitFor();
      await page.getByRole('cell', { name: 'Holdout', exact: true }).waitFor();
      const [made] = await site.app.db.query<{ id: string }>(
        `select campaign_id as id from experiments`,
      );
      await site.app.serving.inventory.refresh([made?.id ?? '']);
      for (let n = 0; n < 12; n += 1) await ask(`in the experiment ${n}`);
      await site.app.services.eventLog.drain();
      await page.reload();
      await page.getByText(/No difference between shown and holdout can be told yet/).waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await page.getByRole('button', { name: 'End it' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
      await page.getByText('It has ended; its result stays.').waitFor();
      await page.goto(`${site.base}/app/advertiser/experiments`);
      await page.getByRole('cell', { name: /ended/ }).waitFor();
      await context.close();
    });
  },
);
