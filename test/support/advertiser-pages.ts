import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { launchBrowser } from './browser.js';
import { seriousFindings, startDashboardSite } from './dashboard-site.js';
import { insertLiveCampaign } from './live-campaign.js';

/** An advertiser with a live campaign who is signed in, and what its server sent to others. */
export async function openAdvertiserPages() {
  const sent: string[] = [];
  const outbound = async (url: string) => (
    sent.push(url),
    { url, status: 200, headers: {}, body: Buffer.alloc(0) }
  );
  const [site, browser] = await Promise.all([startDashboardSite({ outbound }), launchBrowser()]);
  const { campaignId } = await insertLiveCampaign(site.app, site.advertiser.id, {
    context: 'camping tents for a first trip',
    landingPage: 'https://camp.example/',
  });
  const page = await (await site.signedIn(browser, 'advertiser')).newPage();
  return {
    site,
    page,
    campaignId,
    sent,
    open: (path: string) => page.goto(`${site.base}/app/advertiser${path}`),
    sound: async (): Promise<void> => assert.deepEqual(await seriousFindings(page), []),
    async saved(button: ReturnType<Page['getByRole']>): Promise<string> {
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      return readFileSync(await download.path(), 'utf8');
    },
    async close(): Promise<void> {
      await browser.close();
      await site.close();
    },
  };
}
