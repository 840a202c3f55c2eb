import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { insertLiveCampaign } from '../../../../test/support/live-campaign.js';
import { managing } from '../../../../test/support/managed-campaign.js';
import { type OperatorCall, signInOperator } from '../../../../test/support/sign-in-operator.js';
import { startStripeServer, type StripeServer } from '../../../../test/support/stripe-server.js';
import { buildTestApp, type TestApp } from '../../../../test/support/test-app.js';
import { testEngines } from '../../../../test/support/test-database.js';
import { verifyLedger } from '../ledger/verify-ledger.js';

const webhookSecret = 'whsec_test';
const secretKey = 'sk_test_1';

for (const engine of testEngines()) {
  describe(`payments through Stripe on the ${engine.name} engine`, () => {
    let app: TestApp;
    let stripe: StripeServer;
    let operator: OperatorCall;
    before(async () => {
      stripe = await startStripeServer(secretKey);
      app = await buildTestApp(await engine.open(), {
        environment: {
          STRIPE_SECRET_KEY: secretKey,
          STRIPE_WEBHOOK_SECRET: webhookSecret,
          STRIPE_API_URL: stripe.url,
        },
      });
      operator = await signInOperator(app);
    });
    after(async () => {
      await app.close();
      stripe.close();
    });

    /** An account that owes $12.34 and a bit. */
    async function billed() {
      const account = await app.newAdvertiser();
      const ids = await insertLiveCampaign(app, account.id, { context: `things of ${account.id}` });
      const publisher = await app.newPublisher();
      const at = app.clock.now;
      await app.services.eventLog.append([
        {
          id: app.services.mintId(at),
          kind: 'impression',
          at,
          advertiserId: account.id,
          publisherId: publisher.id,
          ...ids,
          spendMicros: 12_345_678,
          revenueMicros: 8_000_000,
          budgetDay: new Date(at).toISOString().slice(0, 10),
        },
      ]);
      const call = managing(app, account);
      const [{ id: invoiceId }] = (
        await operator('POST', '/operator/billing/run', { advertiser_id: account.id })
      ).body.invoices;
      const invoice = async () => (await call('GET', `invoices/${invoiceId}`)).body;
      const credit = async () => (await call('GET', 'billing')).body.credits_dollars;
      const payments = async () =>
        (await call('GET', 'ledger')).body.entries.filter(
          (entry: { kind: string }) => entry.kind === 'payment',
        ).length;
      const asked = () => stripe.invoices.filter((one) => one.metadata['invoice_id'] === invoiceId);
      const paid = (cents: number, more: Record<string, unknown> = {}) => ({
        type: 'invoice.paid',
        data: {
          object: {
            object: 'invoice',
            id: asked()[0]?.id ?? 'in_x',
            amount_paid: cents,
            metadata: { invoice_id: invoiceId },
            ...more,
          },
        },
      });
      return { ...account, call, invoiceId, invoice, credit, payments, asked, paid };
    }
    const tell = async (
      event: Record<string, unknown>,
      secret = webhookSecret,
      age = 0,
    ): Promise<number> => {
      const { payload, signature } = stripe.sign(event, { secret, at: app.clock.now - age * 1000 });
      return (
        await app.http.inject({
          method: 'POST',
          url: '/webhooks/stripe',
          headers: { 'content-type': 'application/json', 'stripe-signature': signature },
          payload,
        })
      ).statusCode;
    };

    it('asks for what is due in cents, each step under a key of its own', async () => {
      const { id, invoiceId, invoice, asked } = await billed();
      assert.equal((await invoice()).payment_url, null);
      const before = stripe.calls.length;
      await app.services.jobs.runDue();
      const [wanted] = asked();
      assert.deepEqual(
        asked().map(({ status, amount_due: amount }) => [status, amount]),
        [['open', 1234]],
      );
      assert.equal((await invoice()).payment_url, `https://pay.example/${wanted?.id}`);
      assert.deepEqual(
        stripe.calls.slice(before).map((call) => call.key),
        [`customer-${id}`, `invoice-${invoiceId}`, `item-${invoiceId}`, `finalize-${invoiceId}`],
      );
      assert.equal(
        stripe.customers.filter((customer) => customer.id === wanted?.customer).length,
        1,
      );
    });

    for (const how of ['cut', '500'] as const) {
      it(`an answer that is lost (${how}) is asked for again and nothing is charged twice`, async () => {
        const { asked, invoice } = await billed();
        const customers = stripe.customers.length;
        // More than the library repeats by itself: the job fails and runs again.
        stripe.loseAnswers(5, how);
        for (let run = 0; run < 4; run += 1) {
          await app.services.jobs.runDue();
          app.clock.now += 3_600_000;
        }
        assert.deepEqual(
          asked().map(({ status, amount_due: amount }) => [status, amount]),
          [['open', 1234]],
        );
        assert.equal(stripe.customers.length, customers + 1);
        assert.equal((await invoice()).payment_url, `https://pay.example/${asked()[0]?.id}`);
      });
    }

    it('an unsigned, wrongly signed, changed or old message is refused', async () => {
      const { invoice, paid } = await billed();
      const { payload, signature } = stripe.sign(paid(1234), {
        secret: webhookSecret,
        at: app.clock.now,
      });
      const post = async (body: string, headers: Record<string, string>) =>
        (
          await app.http.inject({
            method: 'POST',
            url: '/webhooks/stripe',
            headers: { 'content-type': 'application/json', ...headers },
            payload: body,
          })
        ).statusCode;
      assert.equal(await post(payload, {}), 401);
      assert.equal(await post(`${payload} `, { 'stripe-signature': signature }), 401);
      assert.equal(await tell(paid(1234), 'whsec_other'), 401);
      assert.equal(await tell(paid(1234), webhookSecret, 400), 401);
      assert.equal((await invoice()).status, 'open');
      assert.equal(await post(payload, { 'stripe-signature': signature }), 200);
      assert.equal((await invoice()).status, 'paid');
    });

    it('a payment in full closes the invoice once, in whatever order and however often it is told', async () => {
      const { invoice, paid, asked, payments, credit } = await billed();
      assert.equal(await tell(paid(1000)), 200);
      assert.equal(
        await tell(paid(1234, { metadata: { invoice_id: app.services.mintId(0) } })),
        200,
      );
      assert.equal((await invoice()).status, 'open');
      // Paid is told before anything else of the invoice, and before our own job asked for it.
      assert.deepEqual(
        await Promise.all([tell(paid(1234)), tell(paid(1234)), tell(paid(1234))]),
        [200, 200, 200],
      );
      for (const type of [
        'invoice.created',
        'invoice.finalized',
        'invoice.payment_failed',
        'invoice.sent',
        'invoice.updated',
      ])
        assert.equal(await tell({ ...paid(0), type }), 200);
      assert.deepEqual(
        [(await invoice()).status, await payments(), await credit()],
        ['paid', 1, 0],
      );
      await app.services.jobs.runDue();
      assert.deepEqual(asked(), []);
      assert.deepEqual((await verifyLedger(app.db)).differences, []);
    });

    it('a voided invoice is no longer asked for; money that comes all the same is credit', async () => {
      const { invoiceId, invoice, asked, paid, credit } = await billed();
      await app.services.jobs.runDue();
      assert.equal(
        (
          await operator('POST', `/operator/invoices/${invoiceId}/void`, {
            reason: 'Wrong account',
          })
        ).body.status,
        'void',
      );
      await app.services.jobs.runDue();
      assert.deepEqual(
        asked().map((one) => one.status),
        ['void'],
      );
      assert.deepEqual([await tell(paid(1234)), await tell(paid(1234))], [200, 200]);
      assert.deepEqual([(await invoice()).status, await credit()], ['void', 12.34]);
      assert.deepEqual((await verifyLedger(app.db)).differences, []);
    });

    it('bought credit is granted once, when it is paid, whichever of its messages comes first', async () => {
      const { id, call, credit } = await billed();
      const buy = (headers: Record<string, string> = {}) =>
        call('POST', 'credits', { amount_dollars: 25 }, headers);
      assert.equal((await call('GET', 'billing')).body.credit_for_sale, true);
      const { body } = await buy({ 'idempotency-key': 'one' });
      assert.deepEqual((await buy({ 'idempotency-key': 'one' })).body, body);
      const session = stripe.sessions.find(
        (one) => body.payment_url === `https://pay.example/${one.id}`,
      );
      assert.deepEqual([session?.amount, session?.metadata], [2500, { advertiser_id: id }]);
      const told = (type: string, more: Record<string, unknown> = {}) =>
        tell({
          type,
          data: {
            object: {
              object: 'checkout.session',
              id: session?.id,
              payment_status: 'paid',
              currency: 'usd',
              amount_total: 2500,
              metadata: { advertiser_id: id },
              ...more,
            },
          },
        });
      assert.equal(await told('checkout.session.completed', { payment_status: 'unpaid' }), 200);
      assert.equal(await credit(), 0);
      assert.deepEqual(
        [
          await told('checkout.session.async_payment_succeeded'),
          await told('checkout.session.completed'),
          await told('checkout.session.async_payment_succeeded'),
        ],
        [200, 200, 200],
      );
      assert.equal(await credit(), 25);
      assert.equal((await buy()).body.payment_url === body.payment_url, false);
      assert.deepEqual((await verifyLedger(app.db)).differences, []);
    });

    const statusOf = async (account: Awaited<ReturnType<typeof billed>>) =>
      (await account.call('GET', 'campaigns')).body.campaigns.map(
        (campaign: { status: string }) => campaign.status,
      );
    const entriesOf = async (account: Awaited<ReturnType<typeof billed>>) =>
      (await account.call('GET', 'ledger')).body.entries
        .filter(
          (entry: { kind: string; reason: string }) =>
            ['adjustment', 'notice'].includes(entry.kind) && !entry.reason.startsWith('Rounded'),
        )
        .map((entry: { amount_dollars: number; reason: string }) => [
          entry.reason.replace(/ \d+/, ''),
          entry.amount_dollars,
        ]);
    const about = (type: string, object: Record<string, unknown>) =>
      tell({ type, data: { object: { currency: 'usd', metadata: {}, ...object } } });

    it('a disputed payment takes its credit and stops the campaigns until it is won', async () => {
      const account = await billed();
      await tell(account.paid(1234, { payment_intent: 'pi_1' }));
      const dispute = { id: 'dp_1', charge: 'ch_1', payment_intent: 'pi_1', amount: 1234 };
      for (let repeat = 0; repeat < 2; repeat += 1)
        assert.equal(await about('charge.dispute.created', dispute), 200);
      assert.deepEqual(
        [await account.credit(), await statusOf(account), await entriesOf(account)],
        [-12.34, ['paused'], [['Payment disputed', -12.34]]],
      );
      const [{ campaign_id: campaignId }] = (await account.call('GET', 'campaigns')).body.campaigns;
      assert.equal(
        (await account.call('PATCH', `campaigns/${campaignId}`, { status: 'active' })).status,
        402,
      );
      await about('charge.dispute.closed', { ...dispute, status: 'lost' });
      assert.deepEqual(await statusOf(account), ['paused']);
      for (const type of ['charge.dispute.funds_reinstated', 'charge.dispute.closed'])
        await about(type, { ...dispute, status: 'won' });
      assert.deepEqual([await account.credit(), await statusOf(account)], [0, ['active']]);
      assert.deepEqual((await verifyLedger(app.db)).differences, []);
    });

    it('a dispute of a payment nobody told us the name of is found by its payer', async () => {
      const account = await billed();
      await app.services.jobs.runDue();
      const customer = account.asked()[0]?.customer ?? '';
      // Invoices no longer name the payment they were paid by.
      await tell(account.paid(1234));
      stripe.intents.push({ id: 'pi_nameless', customer, metadata: {} });
      const dispute = { id: 'dp_2', charge: 'ch_2', payment_intent: 'pi_nameless', amount: 1234 };
      stripe.loseAnswers(3, '500');
      assert.equal(await about('charge.dispute.created', dispute), 503);
      assert.equal(await about('charge.dispute.created', dispute), 200);
      await about('charge.dispute.closed', { ...dispute, status: 'lost' });
      assert.deepEqual(
        [await account.credit(), await statusOf(account), await entriesOf(account)],
        [
          -12.34,
          ['paused'],
          [
            ['Dispute lost', 0],
            ['Payment disputed', -12.34],
          ],
        ],
      );
      const stranger = { ...dispute, id: 'dp_3', payment_intent: 'pi_of_somebody_else' };
      assert.equal(await about('charge.dispute.created', stranger), 200);
    });

    it('the end of a dispute told before its beginning, and a question that takes nothing, leave the money', async () => {
      const account = await billed();
      await tell(account.paid(1234, { payment_intent: 'pi_4' }));
      const dispute = { charge: 'ch_4', payment_intent: 'pi_4', amount: 1234 };
      const won = { ...dispute, id: 'dp_4', status: 'won' };
      for (const type of ['funds_reinstated', 'closed', 'created', 'funds_withdrawn', 'closed'])
        await about(`charge.dispute.${type}`, won);
      assert.deepEqual([await account.credit(), await statusOf(account)], [0, ['active']]);

      const question = { ...dispute, id: 'dp_5', status: 'warning_needs_response' };
      for (let repeat = 0; repeat < 2; repeat += 1) await about('charge.dispute.created', question);
      assert.deepEqual([await account.credit(), await statusOf(account)], [0, ['paused']]);
      await about('charge.dispute.closed', { ...question, status: 'warning_closed' });
      await about('charge.dispute.created', question);
      assert.deepEqual([await account.credit(), await statusOf(account)], [0, ['active']]);
      // Settled first, asked later.
      const early = { ...question, id: 'dp_6' };
      await about('charge.dispute.closed', { ...early, status: 'warning_closed' });
      await about('charge.dispute.created', early);
      assert.deepEqual(await statusOf(account), ['active']);
      // A question that became a dispute.
      const grown = { ...question, id: 'dp_7' };
      await about('charge.dispute.created', grown);
      await about('charge.dispute.funds_withdrawn', { ...grown, status: 'needs_response' });
      await about('charge.dispute.closed', { ...grown, status: 'warning_closed' });
      assert.deepEqual([await account.credit(), await statusOf(account)], [-12.34, ['paused']]);
      assert.deepEqual((await verifyLedger(app.db)).differences, []);
    });

    it('an invoice that is taken back stops nobody any longer', async () => {
      const account = await billed();
      await tell({ ...account.paid(0), type: 'invoice.payment_failed' });
      assert.deepEqual(await statusOf(account), ['paused']);
      await operator('POST', `/operator/invoices/${account.invoiceId}/void`, { reason: 'Wrong' });
      assert.deepEqual(await statusOf(account), ['active']);
    });

    it('a refunded purchase of credit takes the credit, part by part and once', async () => {
      const account = await billed();
      await about('checkout.session.completed', {
        id: 'cs_9',
        payment_status: 'paid',
        amount_total: 5000,
        payment_intent: 'pi_9',
        metadata: { advertiser_id: account.id },
      });
      assert.equal(await account.credit(), 50);
      const charge = { id: 'ch_9', payment_intent: 'pi_9' };
      for (const cents of [1000, 1000, 3000])
        await about('charge.refunded', { ...charge, amount_refunded: cents });
      assert.deepEqual([await account.credit(), (await entriesOf(account)).length], [20, 2]);
      assert.equal(await about('charge.refunded', { id: 'ch_x', amount_refunded: 100 }), 200);
      assert.deepEqual((await verifyLedger(app.db)).differences, []);
    });

    it('a refund that leaves nothing stops the campaigns until money comes or an operator lets them run', async () => {
      const buy = (account: Awaited<ReturnType<typeof billed>>, session: string, cents: number) =>
        about('checkout.session.completed', {
          id: `cs_${session}`,
          payment_status: 'paid',
          amount_total: cents,
          payment_intent: `pi_${session}`,
          metadata: { advertiser_id: account.id },
        });
      const refund = (session: string, cents: number) =>
        about('charge.refunded', {
          id: `ch_${session}`,
          payment_intent: `pi_${session}`,
          amount_refunded: cents,
        });
      const account = await billed();
      await tell(account.paid(1234));
      await buy(account, 'r1', 2000);
      await operator('PATCH', `/operator/advertisers/${account.id}`, { billing_enabled: false });
      await refund('r1', 500);
      assert.deepEqual(await statusOf(account), ['active']);
      for (let repeat = 0; repeat < 2; repeat += 1) await refund('r1', 2000);
      assert.deepEqual(await statusOf(account), ['paused']);
      const holds = async () => (await account.call('GET', 'payment-holds')).body.holds;
      assert.deepEqual(
        (await holds()).map((hold: { reason: string }) => hold.reason),
        ['refunded'],
      );
      await buy(account, 'r2', 1000);
      assert.deepEqual([await statusOf(account), await holds()], [['active'], []]);

      await refund('r2', 1000);
      const listed = (await operator('GET', '/operator/payment-holds')).body.holds.filter(
        (hold: { advertiser_id: string }) => hold.advertiser_id === account.id,
      );
      assert.deepEqual(
        listed.map((hold: { reason: string }) => hold.reason),
        ['refunded'],
      );
      const release = (reason: string) =>
        operator('POST', '/operator/payment-holds/release', {
          reference: listed[0].reference,
          reason,
        });
      assert.equal((await release(' ')).status, 422);
      assert.equal((await release('They pay by wire.')).status, 200);
      assert.equal((await release('They pay by wire.')).status, 404);
      assert.deepEqual([await statusOf(account), await holds()], [['active'], []]);
      const [newest] = (await account.call('GET', 'ledger')).body.entries;
      assert.equal(newest.reason, 'Hold released: They pay by wire.');
      assert.deepEqual((await verifyLedger(app.db)).differences, []);
    });

    it('a failed payment stops the campaigns until the invoice is paid, a late one too', async () => {
      const failed = await billed();
      for (let repeat = 0; repeat < 2; repeat += 1)
        await tell({ ...failed.paid(0), type: 'invoice.payment_failed' });
      assert.deepEqual(
        [await statusOf(failed), await entriesOf(failed)],
        [['paused'], [['Invoice: payment failed', 0]]],
      );
      await tell(failed.paid(1234));
      assert.deepEqual(await statusOf(failed), ['active']);
      const late = await billed();
      app.clock.now += 22 * 86_400_000;
      await app.services.jobs.enqueue(app.db, 'overdue-invoices', 'now', {});
      await app.services.jobs.runDue();
      assert.deepEqual(
        [await statusOf(late), await entriesOf(late)],
        [['paused'], [['Invoice: payment overdue', 0]]],
      );
      await tell(late.paid(1234));
      assert.deepEqual(await statusOf(late), ['active']);
      assert.deepEqual((await verifyLedger(app.db)).differences, []);
    });
  });
}

describe('without Stripe', () => {
  it('its webhook is refused and credit cannot be bought', async () => {
    const [engine] = testEngines();
    assert.ok(engine !== undefined);
    const app = await buildTestApp(await engine.open());
    assert.equal(
      (
        await app.http.inject({
          method: 'POST',
          url: '/webhooks/stripe',
          headers: { 'stripe-signature': 't=1,v1=00' },
          payload: '{}',
        })
      ).statusCode,
      401,
    );
    assert.equal(
      (await managing(app, await app.newAdvertiser())('POST', 'credits', { amount_dollars: 10 }))
        .status,
      409,
    );
    await app.close();
  });
});
