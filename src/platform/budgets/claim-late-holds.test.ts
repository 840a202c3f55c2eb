import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { testEngines } from '../../../test/support/test-database.js';
import type { Database, Db } from '../db/db.js';
import { createMintId } from '../ids.js';
import { silentLog } from '../log.js';
import type { EventRecord } from '../events/event.js';
import { openEventLog } from '../events/open-event-log.js';
import { createPartitions } from '../events/partitions.js';
import { createRecorders } from '../events/recorders.js';

const mintId = createMintId();
const start = Date.UTC(2026, 4, 5, 12);
const day = '2026-05-05';

for (const engine of testEngines()) {
  describe(`events that waited in the spool, on the ${engine.name} engine`, () => {
    let database: Database;
    const folder = mkdtempSync(join(tmpdir(), 'sidelight-late-'));
    before(async () => {
      database = await engine.open();
      await createPartitions(database).ensure([day]);
    });
    after(async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('are paid from the hold of their ad while it is kept, and later only if there is room', async () => {
      const [publisherId, advertiserId, campaignId] = [mintId(start), mintId(start), mintId(start)];
      await database.query(
        `insert into advertisers (id, name, email, billing_enabled)
         values ($1, 'A', 'a@test.example', true)`,
        [advertiserId],
      );
      await database.query(
        `insert into campaigns (id, advertiser_id, name, landing_page, daily_budget_micros)
         values ($1, $2, 'C', 'https://c.example', 1000)`,
        [campaignId, advertiserId],
      );
      await database.query(
        `insert into budgets (scope_id, day, held_micros) values ($1, $2, 900)`,
        [campaignId, day],
      );
      await database.query(
        `insert into budget_holds (node, scope_id, day, held_micros) values (7, $1, $2, 900)`,
        [campaignId, day],
      );
      const click = (spendMicros: number): EventRecord => ({
        id: mintId(start),
        kind: 'click',
        at: start,
        publisherId,
        advertiserId,
        campaignId,
        spendMicros,
        budgetDay: day,
        node: 7,
        holds: { campaign: true, adGroup: false, advertiser: false },
        holdsUntil: start + 1000,
      });
      const budget = async () =>
        (
          await database.query(
            `select b.spent_micros as spent, b.held_micros as held, h.held_micros as kept
             from budgets b
             join budget_holds h
             using (scope_id, day)
             where scope_id = $1`,
            [campaignId],
          )
        )[0];

      let isAway = false;
      let now = start;
      const reached = <T>(work: () => Promise<T>): Promise<T> =>
        isAway ? Promise.reject(new Error('away')) : work();
      const db: Db = {
        ...database,
        query: (text, values) => reached(() => database.query(text, values)),
        transaction: (work) => reached(() => database.transaction(work)),
      };
      const log = await openEventLog(folder, {
        db,
        partitions: createPartitions(db),
        recorders: createRecorders(),
        clock: () => now,
        log: silentLog,
        retryMs: 5,
      });
      log.start();
      const storeAfter = async (ms: number, events: readonly EventRecord[]): Promise<void> => {
        isAway = true;
        for (const event of events) assert.deepEqual(await log.append([event]), ['journalled']);
        now += ms;
        isAway = false;
        await log.drain();
      };
      await storeAfter(1000, [click(300)]);
      assert.deepEqual(await budget(), { spent: 300, held: 600, kept: 600 });
      // Neither spent nor held are 100: the first of the late ones is charged, the second counts
      // unbilled.
      await storeAfter(1, [click(60), click(60)]);
      assert.deepEqual(await budget(), { spent: 360, held: 600, kept: 600 });
      assert.deepEqual(
        await database.query(
          `select unbilled, count(*) as count
           from events
           where campaign_id = $1
           group by 1
           order by 1 nulls first`,
          [campaignId],
        ),
        [
          { unbilled: null, count: 2 },
          { unbilled: 'budget_exhausted', count: 1 },
        ],
      );
      await log.close();
    });
  });
}
