import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before } from 'node:test';
import { managing } from './managed-campaign.js';
import { buildTestApp, type TestApp } from './test-app.js';
import type { TestEngine } from './test-database.js';

export const appSecret = 'the secret of the app';

interface Sent {
  shop: string;
  secret: string;
  topic?: string;
  webhookId?: string;
  body: unknown;
  signature?: string;
}

/** An app, and shops that are connected to it and send their orders. */
export function openShops(engine: TestEngine) {
  let app: TestApp;

  let count = 0;

  /** What the front pages of shops show. */
  const pages = new Map<string, string>();

  before(async () => {
    app = await buildTestApp(await engine.open(), {
      environment: { STOREFRONT_WEBHOOK_SECRET: appSecret },
      outbound: async (url) => ({
        url,
        status: 200,
        headers: {},
        body: Buffer.from(pages.get(new URL(url).hostname) ?? '<html></html>'),
      }),
    });
  });

  after(() => app.close());

  const send = async ({
    shop,
    secret,
    topic = 'orders/create',
    webhookId,
    body,
    signature,
  }: Sent) => {
    count += 1;
    // Spaces and a trailing newline: only the bytes as sent have this signature.
    const payload = `${JSON.stringify(body, null, 1)}\n`;
    const headers = {
      'content-type': 'application/json',
      'x-shopify-topic': topic,
      'x-shopify-shop-domain': shop,
      'x-shopify-webhook-id': webhookId ?? `w${count}`,
      'x-shopify-hmac-sha256':
        signature ?? createHmac('sha256', secret).update(payload).digest('base64'),
    };
    const response = await app.http.inject({
      method: 'POST',
      url: '/webhooks/shopify',
      headers,
      payload,
    });
    return [response.statusCode, response.json().status ?? response.json().detail];
  };

  const orderOf = (more: Record<string, unknown> = {}) => {
    count += 1;
    return {
      id: 5_000_000_000_000 + count,
      name: `#${1000 + count}`,
      order_number: 1000 + count,
      created_at: new Date(app.clock.now - 60_000).toISOString(),
      total_price: '59.90',
      currency: 'USD',
      email: `buyer${count}@mail.example`,
      customer: { id: 77_000 + count },
      line_items: [{ variant_id: 11, title: 'Shoes', quantity: 1, price: '59.90' }],
      ...more,
    };
  };

  async function connected(
    secret: string | null = 'a secret of its own',
    { proves = secret !== null } = {},
  ) {
    count += 1;
    const account = await app.newAdvertiser();
    const call = managing(app, account);
    const shop = `shop-${count}.myshopify.com`;
    const { status, body } = await call('POST', 'integrations/shopify', {
      shop_domain: `https://SHOP-${count}.myshopify.com/admin`,
      ...(secret === null ? {} : { webhook_secret: secret }),
    });
    assert.equal(status, 200);
    const prove = async (): Promise<string> => {
      pages.set(shop, `<html><meta name="sidelight" content="${body.challenge}"></html>`);
      return (await call('POST', `integrations/shopify/${body.id}/verify`)).body
        .verification_status;
    };
    if (proves) assert.equal(await prove(), 'verified');
    const row = async () => (await call('GET', 'integrations')).body.shopify[0];
    const conversions = async () => (await call('GET', 'conversions')).body.conversions;
    return {
      ...account,
      call,
      shop,
      secret: secret ?? appSecret,
      connection: body,
      prove,
      row,
      conversions,
    };
  }

  return {
    get app() {
      return app;
    },
    get count() {
      return count;
    },
    send,
    orderOf,
    connected,
  };
}
