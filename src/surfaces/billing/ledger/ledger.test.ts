import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type OperatorCall, signInOperator } from '../../../../test/support/sign-in-operator.js';
import { buildTestApp, type TestApp } from '../../../../test/support/test-app.js';
import { testEngines } from '../../../../test/support/test-database.js';
import { openPayingAccount } from '../../../../test/support/paying-account.js';

for (const engine of testEngines()) {
  describe(`the ledger on the ${engine.name} engine`, () => {
    let app: TestApp;
    let operator: OperatorCall;
    before(async () => {
      app = await buildTestApp(await engine.open(), { now: Date.parse('2026-11-15T12:00:00Z') });
      operator = await signInOperator(app);
    });
    after(() => app.close());
    const newAccount = (options: { billingEnabled?: boolean } = {}) =>
      openPayingAccount(app, operator, options);

    it('ledger and invoices cannot be changed', async () => {
      const account = await newAccount();
      await account.grant(1);
      await account.spend(20_000);
      await account.run();
      for (const statement of [
        'update ledger_entries set amount_micros = 1',
        'delete from ledger_entries',
        'update invoices set due_micros = 0',
        'delete from invoices',
      ])
        await assert.rejects(app.db.query(statement), /append-only/);
    });

    it('the ledger is paged newest first, and a foreign cursor is refused', async () => {
      const account = await newAccount();
      for (let n = 1; n <= 5; n += 1) {
        app.clock.now += 1;
        await account.grant(n);
      }
      const first = (await account.call('GET', 'ledger?limit=3')).body;
      const second = (await account.call('GET', `ledger?limit=3&cursor=${first.next_cursor}`)).body;
      assert.deepEqual(
        [...first.entries, ...second.entries].map((entry) => entry.amount_dollars),
        [5, 4, 3, 2, 1],
      );
      assert.deepEqual(
        [
          second.has_more,
          second.next_cursor,
          (await account.call('GET', 'ledger?cursor=x')).status,
        ],
        [false, null, 400],
      );
    });
  });
}
