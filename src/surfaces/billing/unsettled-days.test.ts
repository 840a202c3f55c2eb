import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { testEngines } from '../../../test/support/test-database.js';
import { createRandom } from '../../domain/decision/seeded-random.js';
import type { Database } from '../../platform/db/db.js';
import { createMintId } from '../../platform/ids.js';
import { type CampaignDay, checkUnsettledDays, findUnsettledDays, markBilled } from './queries.js';

const mintId = createMintId();
const start = Date.UTC(2026, 0, 1);
const hourMs = 3_600_000;

for (const engine of testEngines()) {
  describe(`days to be billed on the ${engine.name} engine`, () => {
    let db: Database;
    before(async () => {
      db = await engine.open();
    });
    after(() => db.close());

    it('are found across many pages of hours, each once and whole', async () => {
      const advertiserId = mintId(start);
      const random = createRandom(7);
      const hours = Array.from({ length: 4 }, () => mintId(start)).flatMap((campaignId) =>
        Array.from({ length: 1100 }, (_, hour) => ({
          campaign_id: campaignId,
          bucket: new Date(start + hour * hourMs),
          spend_micros: Math.floor(random() * 1000),
        })),
      );
      await db.query(
        `insert into campaign_hours (advertiser_id, campaign_id, bucket, spend_micros)
         select $1, campaign_id, bucket, spend_micros
         from json_to_recordset($2::json) as h (
             campaign_id uuid, bucket timestamptz, spend_micros bigint
           )`,
        [advertiserId, JSON.stringify(hours)],
      );
      const spent = new Map<string, number>();
      for (const { campaign_id: campaign, bucket, spend_micros: micros } of hours) {
        const key = `${campaign} ${bucket.toISOString().slice(0, 10)}`;
        spent.set(key, (spent.get(key) ?? 0) + micros);
      }
      const keysOf = (days: readonly CampaignDay[]): string[] =>
        days.map((day) => `${day.campaignId} ${day.day} ${day.spentMicros}`);
      const expected = [...spent].map(([key, micros]) => `${key} ${micros}`).sort();

      const found = await findUnsettledDays(db, advertiserId);
      assert.deepEqual(keysOf(found), expected);
      assert.deepEqual(keysOf(await checkUnsettledDays(db, advertiserId, found)), expected);

      const settled = found.filter((_, index) => index % 3 !== 0);
      await markBilled(db, advertiserId, settled);
      const left = found.filter((_, index) => index % 3 === 0);
      assert.deepEqual(keysOf(await findUnsettledDays(db, advertiserId)), keysOf(left));
      assert.deepEqual(
        keysOf(await checkUnsettledDays(db, advertiserId, found)),
        keysOf(left),
        'a day settled meanwhile is not billed again',
      );
    });
  });
}
