import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { campaignBody } from '../../../test/support/managed-campaign.js';
import { type OperatorCall, signInOperator } from '../../../test/support/sign-in-operator.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';
import { verifyLedger } from './ledger/verify-ledger.js';
import { openPayingAccount } from '../../../test/support/paying-account.js';

const day = 86_400_000;

for (const engine of testEngines()) {
  describe(`credit on the ${engine.name} engine`, () => {
    let app: TestApp;
    let operator: OperatorCall;
    before(async () => {
      app = await buildTestApp(await engine.open(), { now: Date.parse('2026-11-15T12:00:00Z') });
      operator = await signInOperator(app);
    });
    after(() => app.close());
    const newAccount = (options: { billingEnabled?: boolean } = {}) =>
      openPayingAccount(app, operator, options);

    it('traffic refunded after billing lowers the spend and becomes credit; the invoice stays', async () => {
      const account = await newAccount();
      await account.spend(3_000_000, app.clock.now - 2 * day);
      await account.spend(5_000_000, app.clock.now - day);
      const [invoice] = await account.run();
      await operator('POST', `/operator/invoices/${invoice.id}/paid`);
      const settled = (await account.call('GET', `invoices/${invoice.id}`)).body;
      assert.equal(
        (await account.refund(app.clock.now - 2.5 * day, app.clock.now - 1.5 * day)).body.spend,
        3,
      );
      const billing = await account.billing();
      assert.deepEqual(
        [
          billing.total_spend_dollars,
          billing.total_billed_dollars,
          billing.unbilled_dollars,
          billing.credits_dollars,
        ],
        [5, 5, 0, 3],
      );
      assert.equal((await account.call('GET', 'metrics?days=7')).body.total_spend, 5);
      assert.deepEqual((await account.call('GET', `invoices/${invoice.id}`)).body, settled);
      assert.deepEqual(
        (await account.ledger())
          .filter((entry) => entry.kind === 'refund')
          .map((entry) => entry.amount_dollars),
        [3],
      );
      await account.spend(4_000_000);
      const [next] = await account.run();
      assert.deepEqual([next.total_dollars, next.credits_dollars, next.due_dollars], [4, 3, 1]);
      assert.deepEqual((await verifyLedger(app.db)).differences, []);
      assert.equal((await verifyTotals(app.db)).isClean, true);
    });

    it('traffic refunded before billing is never billed', async () => {
      const account = await newAccount();
      await account.spend(3_000_000, app.clock.now - 2 * day);
      await account.refund(app.clock.now - 3 * day, app.clock.now);
      assert.deepEqual(
        [
          (await account.billing()).total_spend_dollars,
          await account.run(),
          await account.ledger(),
        ],
        [0, [], []],
      );
    });

    it('without billing a campaign is activated only with credit', async () => {
      const account = await newAccount({ billingEnabled: false });
      // Nobody sells it here, and the page does not offer it.
      assert.equal((await account.call('GET', 'billing')).body.credit_for_sale, false);
      assert.equal((await account.call('POST', 'credits', { amount_dollars: 25 })).status, 409);
      assert.equal(
        (await account.call('POST', 'campaigns', campaignBody({ status: 'active' }))).status,
        402,
      );
      const granted = (await account.grant(10)).body;
      assert.equal(
        (await account.call('POST', 'campaigns', campaignBody({ status: 'active' }))).status,
        200,
      );
      assert.equal(
        (await operator('POST', `/operator/credits/${granted.id}/reverse`, { reason: 'Mistake' }))
          .body.amount_dollars,
        -10,
      );
      assert.equal(
        (await operator('POST', `/operator/credits/${granted.id}/reverse`, { reason: 'Mistake' }))
          .status,
        409,
      );
      assert.equal(
        (await account.call('POST', 'campaigns', campaignBody({ status: 'active' }))).status,
        402,
      );
    });

    it('a prepaid account serves until its credit is spent, and again after a refund or more credit', async () => {
      const account = await newAccount({ billingEnabled: false });
      await app.db.query(`update campaigns set status = 'paused' where id <> $1`, [
        account.campaignId,
      ]);
      await app.serving.inventory.refresh(null);
      const publisher = await app.newPublisher();
      let asked = 0;
      const serve = async (): Promise<boolean> => {
        await app.serving.inventory.refresh([account.campaignId]);
        await app.serving.balance();
        asked += 1;
        const payload = {
          messages: [{ role: 'user', content: `things of ${account.id}` }],
          sessionId: `s${asked}`,
          relevancy: 0,
          placements: [{ placement: 'below_response', placement_id: 'main' }],
          device: { ip: `8.8.${asked >> 8}.${asked & 255}` },
        };
        const response = await app.http.inject({
          method: 'POST',
          url: '/api/v1/ad',
          headers: { authorization: `Bearer ${publisher.apiKey}` },
          payload,
        });
        if (response.statusCode !== 200) return false;
        const shown: string = response.json()[0].impUrl;
        await app.http.inject({
          url: shown.slice(shown.indexOf('/', 8)),
          headers: {
            'user-agent':
              'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
            'x-forwarded-for': payload.device.ip,
          },
        });
        app.clock.now += 60_000;
        return true;
      };
      const serveAll = async (): Promise<number> => {
        let served = 0;
        while (served < 200 && (await serve())) served += 1;
        return served;
      };
      assert.equal(await serveAll(), 0);
      const start = app.clock.now;
      await account.grant(0.02);
      const first = await serveAll();
      assert.ok(first > 0 && first < 200, `${first} served`);
      const spent = (await account.billing()).total_spend_dollars;
      assert.ok(spent > 0 && spent <= 0.02, `${spent} spent`);
      await account.refund(start, app.clock.now + 1);
      assert.equal((await account.billing()).total_spend_dollars, 0);
      assert.ok((await serveAll()) > 0);
      await account.grant(0.02);
      assert.ok((await serveAll()) > 0);
      assert.ok((await account.billing()).total_spend_dollars <= 0.04);
      assert.equal((await verifyTotals(app.db)).isClean, true);
    });

    it('the same grant told twice is one grant, and used credit cannot be taken away', async () => {
      const account = await newAccount({ billingEnabled: false });
      const first = (await account.grant(5, { reference: `wire ${account.id}` })).body;
      assert.deepEqual((await account.grant(5, { reference: `wire ${account.id}` })).body, first);
      assert.equal((await account.grant(6, { reference: `wire ${account.id}` })).status, 409);
      await account.spend(4_000_000);
      assert.equal((await account.grant(-2)).status, 409);
      assert.equal((await account.grant(-1)).status, 200);
      assert.equal((await account.grant(0)).status, 422);
      assert.equal(
        (
          await operator('POST', '/operator/credits', {
            advertiser_id: app.services.mintId(0),
            amount_dollars: 1,
            reason: 'x',
          })
        ).status,
        404,
      );
    });
  });
}
