import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Server as McpServer } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { browserMissing, launchBrowser } from '../support/browser.js';
import { insertLiveCampaign } from '../support/live-campaign.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { openEmbeddedTestDatabase } from '../support/test-database.js';

type Service = { baseUrl: string; apiKey: string };
const example = (path: string): Promise<Record<string, unknown>> =>
  import(new URL(`../../../examples/${path}`, import.meta.url).href) as Promise<
    Record<string, unknown>
  >; // a module's exports
// a TCP server has a port
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Links carry the server's own address, so it must be known before the server is built. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const port = portOf(probe);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

describe('the examples against a running server', { timeout: 1_200_000 }, () => {
  let app: TestApp;
  let service: Service;
  let campaignId = '';

  before(async () => {
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    app = await buildTestApp(await openEmbeddedTestDatabase(), {
      environment: { PUBLIC_API_URL: baseUrl },
    });
    await app.http.listen({ port, host: '127.0.0.1' });
    service = { baseUrl, apiKey: (await app.newPublisher()).apiKey };
    const advertiser = await app.newAdvertiser();
    ({ campaignId } = await insertLiveCampaign(app, advertiser.id, {
      context: 'lightweight tents for two people, camping and hiking',
      landingPage: 'https://tents.example/two',
      maxCpmMicros: 8_000_000,
    }));
  });
  after(() => app.close());
  const totals = async () =>
    (
      await app.db.query<{ impressions: number; clicks: number }>(
        'select coalesce(sum(impressions), 0)::bigint as impressions, coalesce(sum(clicks), 0)::bigint as clicks from campaign_totals where campaign_id = $1',
        [campaignId],
      )
    )[0];

  test('the terminal chat prints answer and ad and counts the impression', async () => {
    const { chat } = (await example('terminal-chat/chat.mjs')) as {
      chat(options: object): Promise<void>;
    }; // the example's export
    let printed = '';
    await chat({
      ...service,
      questions: ['Which lightweight tent for two people should I take camping?', ''],
      write: (text: string) => {
        printed += text;
      },
      wordDelayMs: 0,
    });
    assert.match(printed, /full fly and two doors[\s\S]*Sponsored[\s\S]*\/track\/click\?p=/);
    assert.equal((await totals())?.impressions, 1);
  });

  test(
    'the web chat streams an answer, shows the ad and tracks it under its own domain',
    { skip: browserMissing() ?? false },
    async () => {
      const { createChat } = (await example('express-chat/server.mjs')) as {
        createChat(service: Service): {
          listen(port: number, host: string, ready: () => void): Server;
        };
      }; // the example's export
      const server = await new Promise<Server>((resolve) => {
        const listening = createChat(service).listen(0, '127.0.0.1', () => resolve(listening));
      });
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage({
          userAgent:
            'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
        });
        const elsewhere: string[] = [];
        page.on(
          'request',
          (request) =>
            new URL(request.url()).port !== String(portOf(server)) && elsewhere.push(request.url()),
        );
        const seen = page.waitForResponse(
          (response) => response.url().includes('/t/ack') && response.ok(),
        );
        const viewed = page.waitForRequest((request) =>
          request.url().endsWith('/t/track/viewable'),
        );
        await page.goto(`http://127.0.0.1:${portOf(server)}/`);
        await page
          .getByLabel('Your question')
          .fill('Which lightweight tent for two people should I take camping?');
        await page.getByRole('button', { name: 'Ask' }).click();
        await seen;
        assert.match(
          (await page.locator('#conversation').textContent()) ?? '',
          /full fly and two doors/,
        );
        assert.equal((await totals())?.impressions, 2);
        await viewed;
        app.clock.now += 5000;
        const href = await page.getByRole('link', { name: 'Go' }).getAttribute('href');
        assert.match(href ?? '', new RegExp(`^http://127.0.0.1:${portOf(server)}/t/track/click`));
        const click = await fetch(href ?? '', {
          redirect: 'manual',
          headers: { 'user-agent': await page.evaluate(() => navigator.userAgent) },
        });
        assert.match(
          click.headers.get('location') ?? '',
          /^https:\/\/tents\.example\/two\?grclid=/,
        );
        assert.equal((await totals())?.clicks, 1);
        assert.deepEqual(elsewhere, []);
      } finally {
        await browser.close();
        server.close();
        server.closeAllConnections();
      }
    },
  );
});

describe('the shopping agent', { timeout: 1_200_000 }, () => {
  type Rpc = {
    id: string;
    params: {
      name: string;
      arguments: Record<string, unknown> & { checkout?: Record<string, unknown> };
    };
  };
  const calls: Rpc['params'][] = [];
  const attribution = {
    referring_domain: 'index.example',
    click_id_tag: 'grclid',
    click_id_value: 'abc',
  };
  let refuse = false;
  /**
   * A merchant, which is somebody else's server: answers like the protocol says, once as JSON and
   * once as a stream.
   */
  const merchant = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const { id, params } = JSON.parse(text) as Rpc; // the example under test sends JSON-RPC
      calls.push(params);
      if (refuse) return response.writeHead(401).end();
      const status =
        params.name === 'complete_checkout'
          ? 'completed'
          : params.name === 'update_checkout'
            ? 'ready_for_complete'
            : 'requires_escalation';
      const checkout = {
        id: 'chk_1',
        status,
        currency: 'USD',
        line_items: [{ id: 'li_1', quantity: 1, item: { id: 'gid://item/1' } }],
        totals: [{ type: 'total', amount: 12_900 }],
        attribution,
        ...(status === 'completed' ? { order: { id: 'ord_9' } } : {}),
      };
      const message = JSON.stringify({
        jsonrpc: '2.0',
        id,
        result: {
          structuredContent: checkout,
          content: [{ type: 'text', text: JSON.stringify(checkout) }],
        },
      });
      if (params.name === 'update_checkout')
        return response
          .setHeader('content-type', 'text/event-stream')
          .end(`event: message\ndata: ${message}\n\n`);
      return response.setHeader('content-type', 'application/json').end(message);
    });
  });
  /** The index as an MCP server that finds one product. */
  const index = createServer((request, response) => {
    const server = new McpServer({ name: 'index', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      assert.deepEqual(
        [params.name, params.arguments?.['vertical']],
        ['svc_index_search', 'consumer'],
      );
      const checkout = {
        protocol: 'ucp',
        endpoint: `http://127.0.0.1:${portOf(merchant)}/mcp`,
        item_id: 'gid://item/1',
        agent_profile: 'https://index.example/agent.json',
        continue_url: 'https://m.example/cart',
        attribution,
      };
      const product = {
        name: 'Tent',
        merchant: 'Camp',
        price: 129,
        currency: 'USD',
        click_url: 'https://index.example/go/abc',
        checkout,
      };
      const found = { products: [product], recommendation: product, reasoning: 'Fits two.' };
      return { structuredContent: found, content: [{ type: 'text', text: JSON.stringify(found) }] };
    });
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    void server.connect(transport).then(() => transport.handleRequest(request, response));
  });
  before(() =>
    Promise.all(
      [merchant, index].map(
        (server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)),
      ),
    ),
  );
  after(() => {
    for (const server of [merchant, index]) {
      server.close();
      server.closeAllConnections();
    }
  });
  const run = async (agrees: boolean) => {
    const { shop } = (await example('agent-shopper/shop.mjs')) as {
      shop(service: Service, query: string, options: object): Promise<{ status: string }>;
    }; // the example's export
    calls.length = 0;
    let printed = '';
    let total = '';
    const person = {
      buyer: { email: 'a@b.c' },
      address: { id: 'home' },
      payment: { instruments: [] },
    };
    const result = await shop(
      { baseUrl: `http://127.0.0.1:${portOf(index)}`, apiKey: 'k' },
      'a tent',
      {
        confirm: (_product: unknown, asked: string) => {
          total = asked;
          return agrees;
        },
        write: (text: string) => {
          printed += text;
        },
        person,
      },
    );
    return { status: result.status, printed, total };
  };

  test('it searches, opens a checkout with the attribution unchanged, asks with the total, and pays', async () => {
    const { status, printed, total } = await run(true);
    assert.deepEqual([status, total], ['completed', '$129.00']);
    assert.match(printed, /order ord_9/);
    assert.deepEqual(
      calls.map((call) => call.name),
      ['create_checkout', 'update_checkout', 'complete_checkout'],
    );
    assert.deepEqual(calls[0]?.arguments['meta'], {
      'ucp-agent': { profile: 'https://index.example/agent.json' },
    });
    assert.deepEqual(calls[0]?.arguments.checkout?.['attribution'], attribution);
    assert.match(JSON.stringify(calls[2]?.arguments['meta']), /idempotency-key/);
  });

  test('without the person’s yes nothing is charged', async () => {
    assert.equal((await run(false)).status, 'declined');
    assert.ok(!calls.some((call) => call.name === 'complete_checkout'));
  });

  test('a merchant that refuses leaves the tracked link', async () => {
    refuse = true;
    const { status, printed } = await run(true);
    assert.equal(status, 'link');
    assert.match(printed, /index\.example\/go\/abc/);
  });
});
