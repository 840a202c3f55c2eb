import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { managing } from '../../../test/support/managed-campaign.js';
import { type OperatorCall, signInOperator } from '../../../test/support/sign-in-operator.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';
import { verifyLedger } from './ledger/verify-ledger.js';
import { openPayingAccount } from '../../../test/support/paying-account.js';

const day = 86_400_000;

for (const engine of testEngines()) {
  describe(`billing on the ${engine.name} engine`, () => {
    let app: TestApp;
    let operator: OperatorCall;
    before(async () => {
      app = await buildTestApp(await engine.open(), { now: Date.parse('2026-11-15T12:00:00Z') });
      operator = await signInOperator(app);
    });
    after(() => app.close());
    const newAccount = (options: { billingEnabled?: boolean } = {}) =>
      openPayingAccount(app, operator, options);

    it('a new account has spent, been billed and been granted nothing', async () => {
      const account = await newAccount();
      assert.deepEqual(await account.billing(), {
        total_spend_dollars: 0,
        total_billed_dollars: 0,
        unbilled_dollars: 0,
        credits_dollars: 0,
        billing_enabled: true,
        credit_for_sale: false,
        last_spend_sync_at: null,
        last_billed_at: null,
      });
      assert.deepEqual(await account.run(), []);
    });

    it('spend becomes an invoice; credits pay first, whole cents are due, and the payment closes it once', async () => {
      const account = await newAccount();
      await account.grant(0.5);
      await account.spend(1_234_567);
      assert.equal((await account.billing()).unbilled_dollars, 1.234567);
      const [invoice] = await account.run();
      assert.deepEqual(
        [
          invoice.status,
          invoice.total_dollars,
          invoice.credits_dollars,
          invoice.rounding_dollars,
          invoice.due_dollars,
        ],
        ['open', 1.234567, 0.5, 0.004567, 0.73],
      );
      assert.deepEqual(invoice.lines, [
        {
          campaign_id: account.campaignId,
          campaign_name: 'Test campaign',
          from: '2026-11-15',
          to: '2026-11-15',
          amount_dollars: 1.234567,
        },
      ]);
      const billing = await account.billing();
      assert.deepEqual(
        [
          billing.total_spend_dollars,
          billing.total_billed_dollars,
          billing.unbilled_dollars,
          billing.credits_dollars,
          billing.last_billed_at,
        ],
        [1.234567, 1.234567, 0, 0, '2026-11-15T12:00:00'],
      );
      assert.deepEqual(await account.run(), []);
      for (let times = 0; times < 2; times += 1)
        assert.equal(
          (await operator('POST', `/operator/invoices/${invoice.id}/paid`)).body.status,
          'paid',
        );
      assert.deepEqual(
        (await account.ledger()).map((entry) => [entry.kind, entry.amount_dollars]).sort(),
        [
          ['adjustment', 0.004567],
          ['charge', -1.234567],
          ['credit', 0.5],
          ['payment', 0.73],
        ],
      );
      assert.equal((await account.billing()).credits_dollars, 0);
      assert.deepEqual((await verifyLedger(app.db)).differences, []);
    });

    it('a voided invoice is billed again, and the credit it used with it; the ledger only grows', async () => {
      const account = await newAccount();
      await account.grant(2);
      await account.spend(12_345_678);
      await account.spend(1_000_000, app.clock.now - day);
      const [first] = await account.run();
      assert.deepEqual(
        [
          first.total_dollars,
          first.credits_dollars,
          first.due_dollars,
          (await account.billing()).credits_dollars,
        ],
        [13.345678, 2, 11.34, 0],
      );
      const before = await account.ledger();
      assert.equal((await operator('POST', `/operator/invoices/${first.id}/void`, {})).status, 422);
      const undo = () =>
        operator('POST', `/operator/invoices/${first.id}/void`, { reason: 'Wrong period' });
      assert.deepEqual([(await undo()).body.status, (await undo()).body.status], ['void', 'void']);
      const after = await account.ledger();
      assert.ok(
        before.every((entry) =>
          after.some(
            (other) => other.id === entry.id && other.amount_dollars === entry.amount_dollars,
          ),
        ),
      );
      assert.deepEqual(
        after
          .filter((entry) => !before.some((other) => other.id === entry.id))
          .map((entry) => [entry.kind, entry.amount_dollars])
          .sort(),
        [
          ['adjustment', -0.005678],
          ['void', 13.345678],
        ],
      );
      const billing = await account.billing();
      assert.deepEqual(
        [billing.total_billed_dollars, billing.unbilled_dollars, billing.credits_dollars],
        [0, 13.345678, 2],
      );
      assert.equal((await operator('POST', `/operator/invoices/${first.id}/paid`, {})).status, 409);
      assert.deepEqual(
        (
          await operator('GET', `/operator/invoices?status=void&advertiser_id=${account.id}`)
        ).body.invoices.map((row: { id: string; advertiser_id: string }) => [
          row.id,
          row.advertiser_id,
        ]),
        [[first.id, account.id]],
      );
      assert.deepEqual(
        (await operator('GET', `/operator/invoices?status=open&advertiser_id=${account.id}`)).body
          .invoices,
        [],
      );

      const [second] = await account.run();
      assert.deepEqual(
        [second.number > first.number, second.total_dollars, second.due_dollars],
        [true, 13.345678, 11.34],
      );
      assert.equal(
        (await operator('POST', `/operator/invoices/${second.id}/paid`, {})).status,
        200,
      );
      assert.equal(
        (await operator('POST', `/operator/invoices/${second.id}/void`, { reason: 'Too late' }))
          .status,
        409,
      );
      assert.equal(
        (await operator('POST', `/operator/invoices/${account.id}/void`, { reason: 'None' }))
          .status,
        404,
      );
      assert.deepEqual((await verifyLedger(app.db)).differences, []);
    });

    it('an invoice refunded in part and then voided gives back the rest only', async () => {
      const account = await newAccount();
      const at = app.clock.now - 2 * day;
      await account.spend(4_000_000, at);
      await account.spend(6_000_000);
      const [invoice] = await account.run();
      await account.refund(at - 1000, at + 1000);
      assert.equal((await account.billing()).credits_dollars, 4);
      await operator('POST', `/operator/invoices/${invoice.id}/void`, { reason: 'Wrong' });
      const billing = await account.billing();
      assert.deepEqual(
        [
          billing.total_spend_dollars,
          billing.total_billed_dollars,
          billing.unbilled_dollars,
          billing.credits_dollars,
        ],
        [6, 0, 6, 0],
      );
      const [again] = await account.run();
      assert.equal(again.total_dollars, 6);
      assert.deepEqual((await verifyLedger(app.db)).differences, []);
    });

    it('an invoice is read as JSON and as PDF by its owner only', async () => {
      const account = await newAccount();
      await account.spend(2_000_000);
      const [issued] = await account.run();
      // Only operators are told whose it is.
      const { advertiser_id: whose, advertiser_name: name, ...invoice } = issued;
      assert.equal(whose, account.id);
      assert.match(name, /^Advertiser/);
      assert.deepEqual((await account.call('GET', `invoices/${invoice.id}`)).body, invoice);
      assert.deepEqual((await account.call('GET', 'invoices')).body, {
        invoices: [invoice],
        has_more: false,
        next_cursor: null,
      });
      const pdf = await app.http.inject({
        url: `/advertiser-dashboard/invoices/${invoice.id}.pdf`,
        headers: { 'x-api-key': account.apiKey },
      });
      assert.equal(pdf.headers['content-type'], 'application/pdf');
      assert.ok(
        pdf.rawPayload.subarray(0, 5).toString() === '%PDF-' && pdf.rawPayload.includes('%%EOF'),
      );
      const stranger = managing(app, await app.newAdvertiser());
      for (const path of [
        `invoices/${invoice.id}`,
        `invoices/${invoice.id}.pdf`,
        'invoices/nonsense',
        'invoices/.pdf',
      ])
        assert.deepEqual(
          [(await stranger('GET', path)).status, (await stranger('GET', path)).body],
          [404, { detail: 'not_found' }],
        );
    });

    it('the daily run bills finished months and large sums, and leaves today alone', async () => {
      const account = await newAccount();
      const { billSpend } = await import('./invoices/bill-spend.js');
      await account.spend(7_000_000, app.clock.now - day);
      assert.equal(await billSpend(app.services, account.id, true), null);
      await account.spend(2_000_000, Date.parse('2026-10-31T23:59:00Z'));
      await account.spend(1_000_000);
      assert.equal((await billSpend(app.services, account.id, true))?.totalMicros, 9_000_000);
      await account.spend(600_000_000, app.clock.now - 2 * day);
      assert.equal((await billSpend(app.services, account.id, true))?.totalMicros, 600_000_000);
      assert.equal((await account.billing()).unbilled_dollars, 1);
    });

    it('invoices written at the same time have different numbers and bill nothing twice', async () => {
      const accounts = [await newAccount(), await newAccount(), await newAccount()];
      for (const account of accounts) await account.spend(1_000_000);
      const invoices = (
        await Promise.all([...accounts, ...accounts].map((account) => account.run()))
      ).flat();
      assert.equal(invoices.length, 3);
      assert.equal(new Set(invoices.map((invoice) => invoice.number)).size, 3);
    });

    it('whatever happens in whatever order, spend is billed or unbilled, the ledger adds up, and spend is revenue and fee', async () => {
      const step = fc.oneof(
        fc.record({
          kind: fc.constant('spend' as const),
          micros: fc.integer({ min: 1, max: 3_000_000 }),
          daysAgo: fc.integer({ min: 0, max: 5 }),
        }),
        fc.record({
          kind: fc.constant('grant' as const),
          micros: fc.integer({ min: 1, max: 2_000_000 }),
        }),
        fc.record({
          kind: fc.constant('refund' as const),
          daysAgo: fc.integer({ min: 0, max: 5 }),
        }),
        fc.record({ kind: fc.constant('bill' as const) }),
        fc.record({ kind: fc.constant('pay' as const) }),
        fc.record({ kind: fc.constant('void' as const) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
          const account = await newAccount();
          // The slow, obvious books: live spend for each day, and money in.
          const days = new Map<number, number>();
          let moneyIn = 0;
          const open: { id: string; due_dollars: number; rounding_dollars: number }[] = [];
          for (const one of steps) {
            app.clock.now += 1000;
            if (one.kind === 'spend') {
              await account.spend(one.micros, app.clock.now - one.daysAgo * day);
              days.set(one.daysAgo, (days.get(one.daysAgo) ?? 0) + one.micros);
            } else if (one.kind === 'grant') {
              await account.grant(one.micros / 1_000_000);
              moneyIn += one.micros;
            } else if (one.kind === 'refund') {
              await account.refund(
                app.clock.now - one.daysAgo * day - day / 4,
                app.clock.now - one.daysAgo * day + day / 4,
              );
              days.delete(one.daysAgo);
            } else if (one.kind === 'bill') {
              for (const invoice of await account.run()) {
                moneyIn += Math.round(invoice.rounding_dollars * 1_000_000);
                if (invoice.due_dollars > 0) open.push(invoice);
              }
            } else if (one.kind === 'void') {
              const [invoice] = open;
              if (
                invoice === undefined ||
                (
                  await operator('POST', `/operator/invoices/${invoice.id}/void`, {
                    reason: 'Wrong',
                  })
                ).status === 409
              )
                continue;
              open.shift();
              moneyIn -= Math.round(invoice.rounding_dollars * 1_000_000);
            } else {
              const invoice = open.shift();
              if (invoice === undefined) continue;
              await operator('POST', `/operator/invoices/${invoice.id}/paid`);
              moneyIn += Math.round(invoice.due_dollars * 1_000_000);
            }
            const spent = [...days.values()].reduce((sum, micros) => sum + micros, 0);
            const billing = await account.billing();
            const micros = (dollars: number): number => Math.round(dollars * 1_000_000);
            const owed = open.reduce((sum, invoice) => sum + micros(invoice.due_dollars), 0);
            assert.equal(micros(billing.total_spend_dollars), spent);
            assert.equal(
              micros(billing.total_billed_dollars) + micros(billing.unbilled_dollars),
              spent,
            );
            assert.equal(
              micros(billing.credits_dollars),
              moneyIn - micros(billing.total_billed_dollars) + owed,
            );
            assert.ok(billing.credits_dollars >= 0 && billing.unbilled_dollars >= 0);
          }
          assert.deepEqual((await verifyLedger(app.db)).differences, []);
        }),
        { numRuns: 15 },
      );
      const report = await verifyTotals(app.db);
      assert.equal(report.isClean, true);
      const [sums] = await app.db.query<{ spend: number; revenue: number }>(
        `select (select sum(spend_micros) from campaign_totals)::bigint as spend,
           (select sum(revenue_micros) from publisher_totals)::bigint as revenue`,
      );
      assert.deepEqual([sums?.spend, sums?.revenue], [report.spendMicros, report.revenueMicros]);
    });
  });
}
