import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser } from 'playwright-core';
import { createOutbound } from '../../src/platform/outbound/guarded-fetch.js';
import { browserMissing, launchBrowser } from '../support/browser.js';
import { type DashboardSite, startDashboardSite, userAgent } from '../support/dashboard-site.js';
import { insertLiveCampaign } from '../support/live-campaign.js';

const email = 'Ada.Buyer@Example.com';

function listen(server: Server): Promise<string> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  ); // a TCP server has a port
}

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => resolve(body));
  });
}

describe(
  'from a chat to a purchase in a real browser',
  { skip: browserMissing() ?? false, timeout: 1_200_000 },
  () => {
    let site: DashboardSite;
    let browser: Browser;
    let service = '';
    let shop = '';
    let chat = '';
    let pixelId = '';
    let publisherKey = '';
    let advertiserKey = '';
    const intake: { results: { status: string; attributed: boolean }[] }[] = [];

    const html = (response: ServerResponse, content: string): void =>
      void response
        .setHeader('content-type', 'text/html')
        .end(`<!doctype html><title>Test</title>${content}`);
    const pixel = (): string =>
      `<script>window.gravity=window.gravity||function(){(gravity.q=gravity.q||[]).push(arguments)};gravity('init','${pixelId}')</script><script async src="${service}/pixel.js"></script>`;

    /**
     * The assistant: asks for an ad on its own server and shows it as a link, its impression as an
     * image.
     */
    const chatServer = createServer(async (_request, response) => {
      const answer = await fetch(`${service}/api/v1/ad`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${publisherKey}`,
          'content-type': 'application/json',
          'user-agent': userAgent,
        },
        body: JSON.stringify({
          messages: [
            { role: 'user', content: 'where can I buy a waterproof hiking tent for two?' },
          ],
          sessionId: 'chat-1',
          placements: [{ placement: 'below_response', placement_id: 'main' }],
        }),
      });
      assert.equal(answer.status, 200);
      const [ad] = (await answer.json()) as { adText: string; impUrl: string; clickUrl: string }[]; // the contract of the ad endpoint
      html(
        response,
        `<p>${ad?.adText}</p><img src="${ad?.impUrl}"><a id="ad" href="${ad?.clickUrl}">Open</a>`,
      );
    });

    /**
     * The shop: a landing page with a form, then a page whose purchase goes to the shop's server
     * and on to the intake.
     */
    const shopServer = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://shop');
      if (pathname === '/buy') {
        // what the page below sends
        const page = JSON.parse(await bodyOf(request)) as { user_data: object };
        const event = {
          event_name: 'Purchase',
          event_id: 'order-77',
          event_time: Math.floor(Date.now() / 1000),
          action_source: 'website',
          ...page,
          user_data: { ...page.user_data, em: [email] },
          custom_data: { value: 129.5, currency: 'USD', order_id: 'order-77' },
        };
        const answer = await fetch(`${service}/gateway/events?api_key=${advertiserKey}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ data: [event] }),
        });
        intake.push((await answer.json()) as (typeof intake)[number]); // the contract of the intake
        return void response.end('{}');
      }
      if (pathname === '/cart')
        return html(
          response,
          `${pixel()}<button id="buy" onclick="gravity('track','Purchase',{event_id:'order-77',value:129.5});fetch('/buy',{method:'POST',body:JSON.stringify(gravityPixel.getCAPIData())}).then(()=>document.title='bought')">Buy</button>`,
        );
      html(
        response,
        `${pixel()}<form action="/cart"><input name="q" value="tent"><button id="go">Go on</button></form>`,
      );
    });

    before(async () => {
      [shop, chat] = [await listen(shopServer), await listen(chatServer)];
      site = await startDashboardSite({
        outbound: createOutbound({ allow: [new URL(shop).host] }),
      });
      service = site.base;
      advertiserKey = site.advertiser.apiKey;
      publisherKey = site.publisher.apiKey;
      campaign = await insertLiveCampaign(site.app, site.advertiser.id, {
        context: 'waterproof hiking tents for two people',
        landingPage: `${shop}/landing?ref=ad`,
        maxCpmMicros: 8_000_000,
      });
      pixelId = (
        await (
          await report('pixels', {
            method: 'POST',
            body: JSON.stringify({ url: `${shop}/landing` }),
          })
        ).json()
      ).id;
      browser = await launchBrowser();
    });
    after(async () => {
      await browser?.close();
      await site?.close();
      shopServer.close();
      chatServer.close();
    });
    let campaign: { campaignId: string; adGroupId: string };

    const report = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${service}/advertiser-dashboard/${path}`, {
        ...init,
        headers: { 'x-api-key': advertiserKey, 'content-type': 'application/json' },
      });
    const until = async <T>(find: () => Promise<T | undefined>): Promise<T> => {
      for (;;) {
        const found = await find();
        if (found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };

    it('somebody sees why, hides the advertiser without an account, and gets none of its ads', async () => {
      const ask = (sessionId: string) =>
        fetch(`${service}/api/v1/ad`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${publisherKey}`,
            'content-type': 'application/json',
            'user-agent': userAgent,
          },
          body: JSON.stringify({
            messages: [
              { role: 'user', content: 'where can I buy a waterproof hiking tent for two?' },
            ],
            sessionId,
            user: { id: 'reader' },
            locale: 'de-DE',
            placements: [{ placement: 'below_response', placement_id: 'main' }],
          }),
        });
      const [ad] = (await (await ask('c1')).json()) as { choicesUrl: string; campaignId: string }[]; // the contract of the ad endpoint
      assert.equal(ad?.campaignId, campaign.campaignId);
      const page = await (
        await browser.newContext({ userAgent, javaScriptEnabled: false })
      ).newPage();
      await page.goto(ad.choicesUrl);
      await page.getByRole('heading', { name: 'Über diese Anzeige' }).waitFor();
      await page.getByRole('heading', { name: 'Warum diese Anzeige' }).waitFor();
      await page.getByRole('button', { name: /^Diesen Werbenden ausblenden/ }).click();
      await page.getByText('Gespeichert. Es gilt ab sofort.').waitFor();
      const without = await ask('c2');
      assert.ok(
        without.status === 204 ||
          ((await without.json()) as { campaignId: string }[]).every(
            (one) => one.campaignId !== campaign.campaignId,
          ),
      );
      await page.getByRole('button', { name: 'Rückgängig' }).click();
      await page.getByRole('button', { name: /^Diesen Werbenden ausblenden/ }).waitFor();
      const again = (await (await ask('c3')).json()) as { campaignId: string }[]; // as above
      assert.equal(again[0]?.campaignId, campaign.campaignId);
      await page.getByRole('button', { name: 'Löschen, was über mich aufbewahrt wird' }).click();
      await page.getByText('Gelöscht.').waitFor();
      await page.getByText('Es wird nichts aufbewahrt, das auf Sie hinweist.').waitFor();
      await page.close();
    });

    it('credits the purchase once, to the campaign and ad group that were clicked', async () => {
      const page = await (await browser.newContext({ userAgent })).newPage();
      await page.goto(chat, { waitUntil: 'load' });
      await page.waitForTimeout(300);
      await page.click('#ad');
      await page.waitForURL(`${shop}/landing**`);
      assert.match(page.url(), /ref=ad&grclid=[\w-]{22}$/);
      await page.waitForFunction('window.gravityPixel !== undefined');
      await page.click('#go');
      await page.waitForURL(`${shop}/cart**`);
      await page.waitForFunction('window.gravityPixel !== undefined');
      await page.click('#buy');
      await page.waitForFunction(`document.title === 'bought'`);
      const types = await until(async () => {
        const { event_types } = await (await report('events/analytics')).json();
        return event_types.length >= 3 ? event_types : undefined;
      });
      await page.close();

      assert.deepEqual(
        types
          .map((row: { event_type: string; total: number }) => `${row.event_type} ${row.total}`)
          .sort(),
        ['Purchase 1', 'form_submit 1', 'page_view 2'],
      );
      const { conversions, total_conversions } = await (await report('conversions')).json();
      assert.equal(total_conversions, 1);
      const [only] = conversions;
      assert.deepEqual(
        [
          only.event_type,
          only.value_cents,
          only.campaign_id,
          only.ad_group_id,
          only.is_attributed,
          only.attribution,
        ],
        ['Purchase', 12950, campaign.campaignId, campaign.adGroupId, true, 'click'],
      );
      assert.equal(intake.length, 1);
      assert.ok(['ok', 'duplicate'].includes(intake[0]?.results[0]?.status ?? ''));
      const metrics = await (await report('metrics')).json();
      assert.deepEqual(
        [
          metrics.total_impressions,
          metrics.total_clicks,
          metrics.total_conversions,
          metrics.total_revenue,
        ],
        [1, 1, 1, 129.5],
      );
      const groups = await (await report('ad-group-metrics')).json();
      assert.equal(
        groups.ad_groups.find(
          (group: { ad_group_id: string }) => group.ad_group_id === campaign.adGroupId,
        ).total_conversions,
        1,
      );
    });

    it('shows the same purchase once to an assistant and in the dashboard', async () => {
      const { conversions } = await (await report('conversions')).json();
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${service}/mcp`), {
          requestInit: { headers: { 'x-api-key': advertiserKey } },
        }),
      );
      const told = await client.callTool({ name: 'advertiser_get_conversions', arguments: {} });
      assert.deepEqual(
        (told.structuredContent as { conversions: unknown }).conversions,
        conversions,
      ); // the output schema of the tool
      await client.close();

      const page = await (await site.signedIn(browser, 'advertiser')).newPage();
      await page.goto(`${service}/app/advertiser/conversions`);
      const row = page.getByRole('row', { name: /Purchase/ });
      await row.getByText('$129.50').waitFor();
      assert.equal(await row.count(), 1);
      const [{ name: campaignName }] = (await (await report('campaigns')).json()).campaigns;
      const [{ name: groupName }] = await (await report('ad-groups')).json();
      await row.getByRole('link', { name: campaignName }).waitFor();
      await row.getByRole('cell', { name: groupName, exact: true }).waitFor();
      assert.match(await row.innerText(), /click/i);
      await page.close();
    });

    it('finds the script on the page in the background', async () => {
      await site.app.services.jobs.runDue();
      assert.equal((await (await report('pixels')).json())[0].is_functional, true);
    });

    it('attributes nothing to a visitor who came by no ad', async () => {
      const page = await (await browser.newContext({ userAgent })).newPage();
      await page.goto(`${shop}/cart`);
      await page.waitForFunction('window.gravityPixel !== undefined');
      const data = await page.evaluate('gravityPixel.getCAPIData()');
      assert.deepEqual((data as { user_data: object }).user_data, {
        click_id: null,
        visitor_id: null,
        session_id: null,
        client_user_agent: null,
      }); // the contract of the pixel
      await page.close();
    });
  },
);
