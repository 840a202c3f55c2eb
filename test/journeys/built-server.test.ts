import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import type { DemoAccounts } from '../../src/cli/seed-demo.js';

type Conversion = { order_id: string; source: string; is_attributed: boolean };

/** Asks until the order is in the advertiser's report: the journal is applied behind the answer. */
async function reportedConversion(base: string, key: string, order = ''): Promise<Conversion> {
  for (;;) {
    const report = await fetch(`${base}/advertiser-dashboard/conversions?limit=5`, {
      headers: { 'x-api-key': key },
    });
    const { conversions } = (await report.json()) as { conversions: Conversion[] };
    const found = conversions.find(({ order_id: id }) => id === order);
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** What `npm start` runs, where packages have lost the files beside their code. */
const main = fileURLToPath(new URL('../../server/main.js', import.meta.url));

interface Purchase {
  id: string;
  status: string;
  order?: { id: string; permalink_url: string };
}

/** What an agent does that has nothing but the address of a product's page. */
async function buyAsAgent(base: string, publisherKey: string): Promise<Purchase> {
  const json = { 'content-type': 'application/json' };
  const found = await fetch(`${base}/shop/search`, {
    method: 'POST',
    headers: { ...json, 'x-api-key': publisherKey },
    body: JSON.stringify({ query: 'hoodie', merchants: ['Harbor & Pine'] }),
  });
  const { products } = (await found.json()) as {
    products: { click_url: string; currency: string; checkout: Record<string, string> }[];
  }; // the contract's shape
  const [product] = products;
  assert.ok(product !== undefined);
  const visit = await fetch(product.click_url, { redirect: 'manual' });
  const { origin } = new URL(visit.headers.get('location') ?? '');
  assert.notEqual(origin, base, 'the shop has an origin of its own');
  const profile = (await (await fetch(`${origin}/.well-known/ucp`)).json()) as {
    ucp: { services: Record<string, { endpoint: string }[]> };
  }; // the protocol's shape
  const endpoint = profile.ucp.services['dev.ucp.shopping']?.[0]?.endpoint ?? '';
  assert.equal(new URL(endpoint).origin, origin);
  assert.equal(endpoint, product.checkout['endpoint']);
  const call = async (name: string, args: object): Promise<Purchase> => {
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: { ...json, accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name,
          arguments: {
            meta: {
              'ucp-agent': { profile: product.checkout['agent_profile'] },
              'idempotency-key': '3f0e7a52-6c57-4a0e-8f0c-0a6b2f7f3a11',
            },
            ...args,
          },
        },
      }),
    });
    return ((await answer.json()) as { result: { structuredContent: Purchase } }).result
      .structuredContent;
  };
  const { id } = await call('create_checkout', {
    checkout: {
      currency: product.currency,
      line_items: [{ quantity: 1, item: { id: product.checkout['item_id'] } }],
      attribution: product.checkout['attribution'],
      buyer: { email: 'ada@example.com' },
      fulfillment: {
        methods: [
          {
            type: 'shipping',
            destinations: [
              { street_address: '1 Example Street', postal_code: '62701', address_country: 'US' },
            ],
          },
        ],
      },
    },
  });
  return call('complete_checkout', {
    id,
    checkout: {
      payment: {
        instruments: [
          {
            id: 'card',
            handler_id: 'demo',
            type: 'card',
            selected: true,
            credential: { type: 'token', token: 'demo' },
          },
        ],
      },
    },
  });
}

describe('the built server', () => {
  it(
    'sends an invoice as a PDF document; an agent buys in the shop beside it',
    {
      timeout: 1_200_000,
    },
    async () => {
      const DATA_DIR = mkdtempSync(join(tmpdir(), 'sidelight-built-'));
      const child = spawn(process.execPath, [main, 'serve'], {
        env: {
          HOST: '127.0.0.1',
          PORT: '0',
          DEMO: '1',
          MATCHING: 'fast',
          LOG_LEVEL: 'silent',
          PATH: process.env['PATH'],
          DATA_DIR,
        },
      });
      try {
        const base = await new Promise<string>((resolve, reject) => {
          let out = '';
          child.stdout.on('data', (part: Buffer) => {
            out += part.toString();
            const address = /ready at (\S+)/.exec(out)?.[1];
            if (address !== undefined) resolve(address);
          });
          child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
        });
        // Written by the server just now.
        const demo = JSON.parse(readFileSync(join(DATA_DIR, 'demo.json'), 'utf8')) as DemoAccounts;
        const session = await fetch(`${base}/session`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: demo.operator.email, password: demo.operator.password }),
        });
        const { csrf_token: token } = (await session.json()) as { csrf_token: string };
        const run = await fetch(`${base}/operator/billing/run`, {
          method: 'POST',
          headers: {
            cookie: session.headers.get('set-cookie')?.split(';')[0] ?? '',
            'x-csrf-token': token,
          },
        });
        const { invoices } = (await run.json()) as { invoices: { id: string }[] };
        assert.ok(invoices[0] !== undefined, 'the demo has spend to bill');
        const pdf = await fetch(`${base}/advertiser-dashboard/invoices/${invoices[0].id}.pdf`, {
          headers: { 'x-api-key': demo.advertiser.api_key },
        });
        assert.equal(pdf.status, 200);
        assert.equal(pdf.headers.get('content-type'), 'application/pdf');
        const document = Buffer.from(await pdf.arrayBuffer());
        assert.equal(document.subarray(0, 5).toString(), '%PDF-');
        assert.ok(document.includes('Helvetica-Bold'));
        const bought = await buyAsAgent(base, demo.publisher.api_key);
        assert.equal(bought.status, 'completed', JSON.stringify(bought));
        assert.equal((await fetch(bought.order?.permalink_url ?? '')).status, 200);
        const sold = await reportedConversion(base, demo.advertiser.api_key, bought.order?.id);
        assert.deepEqual([sold.source, sold.is_attributed], ['storefront', true]);
      } finally {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await ended;
        rmSync(DATA_DIR, { recursive: true, force: true });
      }
    },
  );
});
