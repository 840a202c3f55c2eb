import assert from 'node:assert/strict';
import { fdatasync, writeSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { EventRecord } from '../../src/platform/events/event.js';
import { verifyTotals } from '../../src/platform/events/verify-totals.js';
import { insertLiveCampaign } from '../support/live-campaign.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';

const browser =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

for (const engine of testEngines()) {
  describe(`event log on the ${engine.name} engine`, () => {
    let app: TestApp;
    const trouble = { full: false, unsynced: false };
    before(async () => {
      app = await buildTestApp(await engine.open(), {
        disk: {
          write(handle, bytes, offset) {
            if (trouble.full) throw Object.assign(new Error('disk full'), { code: 'ENOSPC' });
            return writeSync(handle, bytes, offset);
          },
          sync(handle, done) {
            if (trouble.unsynced) done(Object.assign(new Error('disk broken'), { code: 'EIO' }));
            else fdatasync(handle, done);
          },
        },
      });
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

    it('answers 503 while the disk is full or does not sync, and counts what it acknowledged', async () => {
      const publisher = await app.newPublisher();
      const advertiser = await app.newAdvertiser();
      const { campaignId } = await insertLiveCampaign(app, advertiser.id, {
        context: 'buying a kayak',
        maxCpmMicros: 5_000_000,
      });
      let sessions = 0;
      const ask = async (): Promise<{ status: number; impUrl: string }> => {
        const answer = await app.http.inject({
          method: 'POST',
          url: '/api/v1/ad',
          headers: { authorization: `Bearer ${publisher.apiKey}` },
          payload: {
            messages: [{ role: 'user', content: 'I want to buy a kayak' }],
            sessionId: `s${(sessions += 1)}`,
            placements: [{ placement: 'below_response', placement_id: 'main' }],
            user: { id: `u${sessions}` },
          },
        });
        const impUrl = answer.statusCode === 200 ? answer.json()[0].impUrl : '';
        return { status: answer.statusCode, impUrl };
      };
      const show = async (impUrl: string): Promise<number> => {
        const { pathname, search } = new URL(impUrl);
        const headers = { 'user-agent': browser };
        return (await app.http.inject({ url: pathname + search, headers })).statusCode;
      };
      const ads = [await ask(), await ask(), await ask()];
      assert.deepEqual(
        ads.map(({ status }) => status),
        [200, 200, 200],
      );
      const acknowledged: string[] = [];
      for (const state of ['full', 'unsynced'] as const) {
        trouble[state] = true;
        for (const { impUrl } of ads) {
          const status = await show(impUrl);
          if (status === 200) acknowledged.push(impUrl);
          else assert.equal(status, 503);
        }
        assert.equal((await ask()).status, 503);
        trouble[state] = false;
      }
      assert.deepEqual(acknowledged, []);
      for (const { impUrl } of ads.slice(0, 2)) assert.equal(await show(impUrl), 200);
      const [row] = await app.db.query(
        `select sum(impressions)::bigint as impressions
         from campaign_totals
         where campaign_id = $1`,
        [campaignId],
      );
      assert.deepEqual(row, { impressions: 2 });
      assert.equal((await verifyTotals(app.db)).isClean, true);
    });
  });
}
