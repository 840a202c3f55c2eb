import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import Stripe from 'stripe';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { managing } from '../../../test/support/managed-campaign.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import type { OpenedAccount } from '../accounts/open-account.js';
import { billSpend } from './bill-spend.js';
import { findInvoice, saveCollection } from './invoice-queries.js';
import { createStripePayments } from './stripe-payments.js';
import { verifyLedger } from './verify-ledger.js';

const webhookSecret = 'whsec_test';

interface Call {
  path: string;
  key: string | null;
  body: URLSearchParams;
}

/** Answers like Stripe as far as the calls made here need it. */
function fakeStripe(): { calls: Call[]; fetch: typeof fetch } {
  const calls: Call[] = [];
  return {
    calls,
    async fetch(input, init) {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      calls.push({ path: pathname, key: new Headers(init?.headers).get('idempotency-key'), body: new URLSearchParams(String(init?.body)) });
      const answers: Record<string, unknown> = {
        '/v1/customers': { id: 'cus_1' },
        '/v1/invoices': { id: 'in_1' },
        '/v1/invoiceitems': { id: 'ii_1' },
        '/v1/invoices/in_1/finalize': { id: 'in_1', hosted_invoice_url: 'https://pay.example/in_1' },
        '/v1/checkout/sessions': { id: 'cs_1', url: 'https://pay.example/cs_1' },
      };
      return Response.json(answers[pathname] ?? {});
    },
  };
}

for (const engine of testEngines()) {
  describe(`payments through Stripe on the ${engine.name} engine`, () => {
    let app: TestApp;
    let account: OpenedAccount;
    let invoiceId: string;
    before(async () => {
      app = await buildTestApp(await engine.open(), { environment: { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: webhookSecret } });
      account = await app.newAdvertiser();
      const ids = await insertLiveCampaign(app, account.id, { context: 'anything' });
      const publisher = await app.newPublisher();
      const at = app.clock.now;
      await app.services.eventLog.append([{ id: app.services.mintId(at), kind: 'impression', at, advertiserId: account.id, publisherId: publisher.id, ...ids, spendMicros: 12_345_678, revenueMicros: 8_000_000, budgetDay: new Date(at).toISOString().slice(0, 10) }]);
      invoiceId = (await billSpend(app.services, account.id, false))?.id ?? '';
    });
    after(() => app.close());

    const tell = async (event: Record<string, unknown>, secret = webhookSecret, age = 0) => {
      const payload = JSON.stringify({ id: 'evt_1', object: 'event', api_version: '2026-10-28.endive', ...event });
      const signature = new Stripe('sk_test_1').webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(app.clock.now / 1000) - age });
      return (await app.http.inject({ method: 'POST', url: '/webhooks/stripe', headers: { 'content-type': 'application/json', 'stripe-signature': signature }, payload })).statusCode;
    };
    const billing = async () => (await managing(app, account)('GET', 'billing')).body;
    const status = async () => (await managing(app, account)('GET', `invoices/${invoiceId}`)).body.status;
    const paid = (cents: number, id = invoiceId) => ({ type: 'invoice.paid', data: { object: { object: 'invoice', id: 'in_1', amount_paid: cents, metadata: { invoice_id: id } } } });
    const bought = (more: Record<string, unknown> = {}) => ({ type: 'checkout.session.completed', data: { object: { object: 'checkout.session', id: 'cs_1', payment_status: 'paid', currency: 'usd', amount_total: 2500, metadata: { advertiser_id: account.id }, ...more } } });

    it('asks for what is due in cents, each step under a key of its own so that a repeat changes nothing', async () => {
      const stripe = fakeStripe();
      const payments = await createStripePayments({ secretKey: 'sk_test_1', webhookSecret, fetch: stripe.fetch });
      const invoice = await findInvoice(app.db, invoiceId, account.id);
      assert.ok(invoice !== null);
      const payer = { advertiserId: account.id, name: 'A', email: 'a@test.example', customer: null };
      const asked = await payments.collect(invoice, payer);
      assert.deepEqual(asked, { reference: 'in_1', customer: 'cus_1', paymentUrl: 'https://pay.example/in_1' });
      assert.deepEqual(stripe.calls.map((call) => call.path), ['/v1/customers', '/v1/invoices', '/v1/invoiceitems', '/v1/invoices/in_1/finalize']);
      assert.deepEqual(stripe.calls.map((call) => call.key), [`customer-${account.id}`, `invoice-${invoiceId}`, `item-${invoiceId}`, `finalize-${invoiceId}`]);
      assert.deepEqual([stripe.calls[2]?.body.get('amount'), stripe.calls[2]?.body.get('currency'), stripe.calls[1]?.body.get('metadata[invoice_id]')], ['1234', 'usd', invoiceId]);
      await payments.collect(invoice, { ...payer, customer: 'cus_1' });
      assert.deepEqual(stripe.calls.slice(4).map((call) => call.key), stripe.calls.slice(1, 4).map((call) => call.key));
      assert.equal(await payments.sellCredit(payer, 25_000_000, { id: 'p1', returnUrl: 'https://platform.example/' }), 'https://pay.example/cs_1');
      assert.equal(stripe.calls.at(-1)?.body.get('line_items[0][price_data][unit_amount]'), '2500');
      await saveCollection(app.db, { invoiceId, provider: 'stripe', reference: 'in_1', paymentUrl: asked?.paymentUrl ?? null, at: new Date(app.clock.now) });
      assert.equal((await managing(app, account)('GET', `invoices/${invoiceId}`)).body.payment_url, 'https://pay.example/in_1');
    });

    it('an unsigned, wrongly signed or old message is refused', async () => {
      assert.equal((await app.http.inject({ method: 'POST', url: '/webhooks/stripe', headers: { 'content-type': 'application/json' }, payload: JSON.stringify(paid(1234)) })).statusCode, 401);
      assert.equal(await tell(paid(1234), 'whsec_other'), 401);
      assert.equal(await tell(paid(1234), webhookSecret, 400), 401);
      assert.equal(await status(), 'open');
    });

    it('a payment in full closes the invoice once; a part of it, or one for another installation, does not', async () => {
      assert.equal(await tell(paid(1000)), 200);
      assert.equal(await tell(paid(1234, app.services.mintId(0))), 200);
      assert.equal(await status(), 'open');
      assert.deepEqual([await tell(paid(1234)), await tell(paid(1234)), await status()], [200, 200, 'paid']);
      assert.equal((await billing()).credits_dollars, 0);
    });

    it('bought credit is granted once, when it is paid', async () => {
      assert.equal(await tell(bought({ payment_status: 'unpaid' })), 200);
      assert.equal((await billing()).credits_dollars, 0);
      assert.deepEqual([await tell(bought()), await tell(bought())], [200, 200]);
      assert.equal((await billing()).credits_dollars, 25);
      assert.deepEqual((await verifyLedger(app.db)).differences, []);
    });
  });
}

describe('without Stripe', () => {
  it('its webhook is refused and credit cannot be bought', async () => {
    const [engine] = testEngines();
    assert.ok(engine !== undefined);
    const app = await buildTestApp(await engine.open());
    assert.equal((await app.http.inject({ method: 'POST', url: '/webhooks/stripe', headers: { 'stripe-signature': 't=1,v1=00' }, payload: '{}' })).statusCode, 401);
    assert.equal((await managing(app, await app.newAdvertiser())('POST', 'credits', { amount_dollars: 10 })).status, 409);
    await app.close();
  });
});
