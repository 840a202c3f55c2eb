import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { testEngines } from '../../../test/support/test-database.js';
import type { Database } from '../db/db.js';
import { createMintId } from '../ids.js';
import { creditDay } from '../../domain/billing/paying-scopes.js';
import type { EventRecord } from '../events/event.js';
import { ingestEvents } from '../events/ingest-events.js';
import { createPartitions } from '../events/partitions.js';
import { verifyTotals } from '../events/verify-totals.js';

const mintId = createMintId();
const now = Date.UTC(2026, 4, 5, 12);
const day = '2026-05-05';

for (const engine of testEngines()) {
  describe(`charges that no hold covers, on the ${engine.name} engine`, () => {
    let db: Database;
    before(async () => {
      db = await engine.open();
      await createPartitions(db).ensure([day]);
    });
    after(() => db.close());

    async function newCampaign(options: {
      campaign: number;
      group?: number | null;
      credit?: number | null;
    }) {
      const ids = {
        advertiserId: mintId(now),
        campaignId: mintId(now),
        adGroupId: mintId(now),
        publisherId: mintId(now),
      };
      await db.query(
        `insert into advertisers (id, name, email, billing_enabled, credit_micros)
         values ($1, 'A', $2, $3, $4)`,
        [
          ids.advertiserId,
          `${ids.advertiserId}@test.example`,
          options.credit == null,
          options.credit ?? 0,
        ],
      );
      await db.query(
        `insert into campaigns (id, advertiser_id, name, landing_page, daily_budget_micros)
         values ($1, $2, 'C', 'https://c.example', $3)`,
        [ids.campaignId, ids.advertiserId, options.campaign],
      );
      await db.query(
        `insert into ad_groups (id, campaign_id, advertiser_id, name, daily_budget_micros)
         values ($1, $2, $3, 'G', $4)`,
        [ids.adGroupId, ids.campaignId, ids.advertiserId, options.group ?? null],
      );
      const click = (spendMicros: number, more: Partial<EventRecord> = {}): EventRecord => ({
        id: mintId(now),
        kind: 'click',
        at: now,
        ...ids,
        spendMicros,
        revenueMicros: Math.floor(spendMicros * 0.7),
        budgetDay: day,
        claimsBudget: true,
        ...more,
      });
      const spent = async (scopeId: string, onDay = day): Promise<number> =>
        (
          await db.query<{ spent: number }>(
            `select spent_micros as spent from budgets where scope_id = $1 and day = $2`,
            [scopeId, onDay],
          )
        )[0]?.spent ?? 0;
      const clicks = () =>
        db.query(
          `select sum(clicks)::bigint as clicks, sum(spend_micros)::bigint as spend
           from campaign_totals
           where campaign_id = $1`,
          [ids.campaignId],
        );
      return { ...ids, click, spent, clicks };
    }
    const store = (events: readonly EventRecord[]) =>
      db.transaction((tx) => ingestEvents(tx, events));

    it('are made as long as there is room and forgiven, but counted, when there is none', async () => {
      const campaign = await newCampaign({ campaign: 1000 });
      await store([
        campaign.click(400),
        campaign.click(400),
        campaign.click(400),
        campaign.click(200),
      ]);
      assert.equal(await campaign.spent(campaign.campaignId), 1000);
      assert.deepEqual(await campaign.clicks(), [{ clicks: 4, spend: 1000 }]);
      const unbilled = await db.query(
        `select unbilled, spend_micros as spend, revenue_micros as revenue
         from events
         where campaign_id = $1 and unbilled is not null`,
        [campaign.campaignId],
      );
      assert.deepEqual(unbilled, [{ unbilled: 'budget_exhausted', spend: 0, revenue: 0 }]);
    });

    it('count what other nodes hold as gone', async () => {
      const campaign = await newCampaign({ campaign: 1000 });
      await db.query(`insert into budgets (scope_id, day, held_micros) values ($1, $2, 700)`, [
        campaign.campaignId,
        day,
      ]);
      await store([campaign.click(400)]);
      assert.equal(await campaign.spent(campaign.campaignId), 0);
      await store([campaign.click(300)]);
      assert.equal(await campaign.spent(campaign.campaignId), 300);
    });

    it('need room in the group and in the credit as well, and take from all or none', async () => {
      const group = await newCampaign({ campaign: 1000, group: 300 });
      await store([group.click(200), group.click(200)]);
      assert.deepEqual(
        [await group.spent(group.campaignId), await group.spent(group.adGroupId)],
        [200, 200],
      );
      const prepaid = await newCampaign({ campaign: 1000, credit: 500 });
      await store([prepaid.click(300), prepaid.click(300), prepaid.click(200)]);
      assert.deepEqual(
        [
          await prepaid.spent(prepaid.campaignId),
          await prepaid.spent(prepaid.advertiserId, creditDay),
        ],
        [500, 500],
      );
    });

    it('are made once for a click that is stored twice, in one batch or in two', async () => {
      const campaign = await newCampaign({ campaign: 10_000 });
      const click = campaign.click(400);
      await store([click, click]);
      await store([click]);
      assert.equal(await campaign.spent(campaign.campaignId), 400);
      assert.equal(await campaign.spent(campaign.advertiserId, creditDay), 400);
      assert.deepEqual(await campaign.clicks(), [{ clicks: 1, spend: 400 }]);
    });

    it('never pass the budget, however many come at once', async () => {
      const campaign = await newCampaign({ campaign: 1000 });
      await Promise.all(Array.from({ length: 12 }, () => store([campaign.click(150)])));
      assert.equal(await campaign.spent(campaign.campaignId), 900);
      assert.deepEqual(await campaign.clicks(), [{ clicks: 12, spend: 900 }]);
      assert.equal((await verifyTotals(db)).isClean, true);
    });
  });
}
