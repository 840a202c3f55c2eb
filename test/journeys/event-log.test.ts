import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EventRecord } from '../../src/platform/events/event.js';
import { verifyTotals } from '../../src/platform/events/verify-totals.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';

for (const engine of testEngines()) {
  describe(`event log on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    it('counts an event once however often it is appended', async () => {
      const { eventLog, mintId } = app.services;
      const publisher = await app.newPublisher();
      const advertiser = await app.newAdvertiser();
      const id = mintId(app.clock.now);
      const campaignId = mintId(app.clock.now);
      const shared = {
        id,
        at: app.clock.now,
        publisherId: publisher.id,
        advertiserId: advertiser.id,
        campaignId,
        adId: campaignId,
        placement: 'below_response',
      } as const;
      const win: EventRecord = {
        ...shared,
        kind: 'win',
        userId: 'u1',
        country: 'DE',
        device: 'mobile',
      };
      const impression: EventRecord = {
        ...shared,
        kind: 'impression',
        spendMicros: 5000,
        revenueMicros: 3500,
        budgetDay: '2026-11-15',
      };
      assert.deepEqual(await eventLog.append([win]), ['journalled']);
      let fresh = 0;
      await Promise.all(
        Array.from({ length: 64 }, () =>
          eventLog.append([impression], { onApplied: ([isNew]) => void (fresh += Number(isNew)) }),
        ),
      );
      await eventLog.drain();
      assert.equal(fresh, 1);
      const [row] = await app.db.query(
        `select impressions, spend_micros, revenue_micros
         from campaign_totals
         where campaign_id = $1`,
        [campaignId],
      );
      assert.deepEqual(row, { impressions: 1, spend_micros: 5000, revenue_micros: 3500 });
      const [user] = await app.db.query(
        `select user_id, ads_served, impressions from publisher_users where publisher_id = $1`,
        [publisher.id],
      );
      assert.deepEqual(user, { user_id: 'u1', ads_served: 1, impressions: 1 });
      const [budget] = await app.db.query(`select spent_micros from budgets where scope_id = $1`, [
        campaignId,
      ]);
      assert.deepEqual(budget, { spent_micros: 5000 });
      const report = await verifyTotals(app.db);
      assert.equal(report.isClean, true, JSON.stringify(report));
    });
  });
}
