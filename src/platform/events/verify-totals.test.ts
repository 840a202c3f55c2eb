import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { testEngines } from '../../../test/support/test-database.js';
import type { Database } from '../db/db.js';
import { sweepBudgets } from '../budgets/read-budgets.js';
import { createMintId } from '../ids.js';
import type { EventKind, EventRecord } from './event.js';
import { ingestEvents } from './ingest-events.js';
import { createPartitions, dropPartitionsBefore, partitionName } from './partitions.js';
import { totalTables } from './total-tables.js';
import { rebuildTotals, verifyTotals } from './verify-totals.js';

const mintId = createMintId();
const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 1, 10);
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

for (const engine of testEngines()) {
  describe(`totals on the ${engine.name} engine`, () => {
    let db: Database;
    before(async () => {
      db = await engine.open();
    });
    after(() => db.close());

    /** Served ads of 40 days, with their beacons, conversions and pixel events. */
    async function storeHistory(): Promise<void> {
      const ids = {
        publisherId: mintId(start),
        advertiserId: mintId(start),
        campaignId: mintId(start),
        adGroupId: mintId(start),
        adId: mintId(start),
      };
      for (let day = 0; day < 40; day += 1) {
        const at = start + day * dayMs;
        await createPartitions(db).ensure([dayOf(at)]);
        const id = mintId(at);
        const make = (kind: EventKind, more: Partial<EventRecord> = {}): EventRecord => ({
          ...ids,
          id,
          kind,
          at,
          placement: 'below_response',
          ...more,
        });
        const money = { spendMicros: 1000 + day, revenueMicros: 700 };
        await db.transaction((tx) =>
          ingestEvents(tx, [
            make('request', { id: mintId(at), userId: 'u' }),
            make('win', { userId: 'u', country: 'DE', device: 'mobile' }),
          ]),
        );
        await db.transaction((tx) =>
          ingestEvents(tx, [
            make('impression', money),
            make('viewable'),
            make('disclosed'),
            make('click', { invalid: day % 7 === 0 ? 'bot' : null }),
            make('conversion', {
              id: mintId(at),
              attribution: 'click',
              valueMicros: 5,
              data: { event_type: 'purchase' },
            }),
            make('pixel', {
              id: mintId(at),
              data: { event_type: 'page_view', domain: 'c.example' },
            }),
          ]),
        );
        if (day % 5 === 0)
          await db.transaction((tx) =>
            ingestEvents(tx, [
              make('impression_reversal', {
                spendMicros: -money.spendMicros,
                revenueMicros: -money.revenueMicros,
              }),
            ]),
          );
      }
    }

    it('agree with the raw events; a tampered one of any table is found and repaired', async () => {
      await storeHistory();
      assert.equal((await verifyTotals(db)).isClean, true);
      for (const total of totalTables) {
        const [entry = ''] = total.sums;
        const column = entry.split(' as ').at(-1) ?? '';
        await db.query(
          `update ${total.table}
           set ${column} = ${column} + 1
           where ctid = (select min(ctid) from ${total.table})`,
        );
        const report = await verifyTotals(db);
        assert.equal(report.isClean, false, total.table);
        assert.deepEqual(
          report.tables
            .filter((table) => table.differences > 0)
            .map((table) => [table.table, table.differences]),
          [[total.table, 1]],
        );
        await rebuildTotals(db);
        assert.equal((await verifyTotals(db)).isClean, true, total.table);
      }
    });

    it('are rebuilt around what users are called, which no event tells', async () => {
      await db.query(`update publisher_users set name_sealed = 'sealed' where user_id = 'u'`);
      await rebuildTotals(db);
      assert.deepEqual(
        await db.query(
          `select user_id, name_sealed from publisher_users where name_sealed is not null`,
        ),
        [{ user_id: 'u', name_sealed: 'sealed' }],
      );
    });

    it('that are missing, or belong to nothing, are found and repaired', async () => {
      await db.query(`delete from campaign_totals where bucket < $1`, [new Date(start + dayMs)]);
      await db.query(
        `insert into publisher_totals (publisher_id, bucket, requests) values ($1, $2, 9)`,
        [mintId(start), new Date(start)],
      );
      const report = await verifyTotals(db);
      assert.deepEqual(
        report.tables.filter((table) => table.differences > 0).map((table) => table.table),
        ['campaign_totals', 'publisher_totals'],
      );
      await rebuildTotals(db);
      assert.equal((await verifyTotals(db)).isClean, true);
    });

    it('of what budgets spent are checked like the others, and what is held stays', async () => {
      const [at, campaignId, advertiserId] = [start + 39 * dayMs, mintId(start), mintId(start)];
      const ad = {
        at,
        publisherId: mintId(start),
        advertiserId,
        campaignId,
        adGroupId: mintId(start),
        adId: mintId(start),
        spendMicros: 700,
        revenueMicros: 400,
        budgetDay: dayOf(at),
      };
      await db.transaction((tx) =>
        ingestEvents(tx, [
          { ...ad, id: mintId(at), kind: 'impression' },
          { ...ad, id: mintId(at), kind: 'click' },
        ]),
      );
      await db.query(`update budgets set held_micros = 90 where scope_id = $1`, [campaignId]);
      const budgets = () =>
        db.query(
          `select scope_id, day, spent_micros, held_micros
           from budgets
           where scope_id in ($1, $2)
           order by day, scope_id`,
          [campaignId, advertiserId],
        );
      const before = await budgets();
      assert.equal((await verifyTotals(db)).isClean, true);
      for (const tamper of [
        `update budgets set spent_micros = spent_micros + 1 where scope_id = $1`,
        `update budgets set spent_micros = 0 where scope_id = $1`,
        `insert into budgets (scope_id, day, spent_micros) values ($1, date '2026-02-08', 5)`,
      ]) {
        for (const scope of [campaignId, advertiserId]) {
          await db.query(tamper, [scope]);
          assert.deepEqual(
            (await verifyTotals(db)).tables
              .filter((table) => table.differences > 0)
              .map((table) => [table.table, table.differences]),
            [['budgets', 1]],
          );
          await rebuildTotals(db);
          assert.equal((await verifyTotals(db)).isClean, true);
          await db.query(`delete from budgets where scope_id = $1 and day = date '2026-02-08'`, [
            scope,
          ]);
        }
      }
      assert.deepEqual(await budgets(), before);
    });

    it('of budgets are missed unless they were swept, whatever day it is', async () => {
      const differences = async () =>
        (await verifyTotals(db)).tables.find(({ table }) => table === 'budgets')?.differences;
      await sweepBudgets(db, start + 50 * dayMs);
      assert.equal(await differences(), 0);
      await db.query(`delete from budgets where day = $1`, [dayOf(start + 39 * dayMs)]);
      assert.equal(await differences(), 2);
      await rebuildTotals(db);
      assert.equal(await differences(), 0);
      await sweepBudgets(db, start + 90 * dayMs);
      assert.deepEqual(
        await db.query(`select 1 from budgets where day = $1`, [dayOf(start + 39 * dayMs)]),
        [],
      );
      assert.equal(await differences(), 0);
    });

    it('outlive their raw events, are still checked where those exist, and survive a rebuild', async () => {
      const sums = () =>
        db.query(
          `select sum(impressions)::bigint as impressions, sum(clicks)::bigint as clicks,
             sum(conversions)::bigint as conversions, sum(spend_micros)::bigint as spend
           from campaign_totals`,
        );
      const users = () =>
        db.query(`select requests, ads_served, impressions, clicks from publisher_users`);
      const [before, usersBefore] = [await sums(), await users()];
      const firstKept = dayOf(start + 20 * dayMs);
      assert.deepEqual(
        await dropPartitionsBefore(db, firstKept),
        Array.from({ length: 20 }, (_, day) => partitionName(dayOf(start + day * dayMs))),
      );
      assert.deepEqual(await dropPartitionsBefore(db, firstKept), []);
      assert.deepEqual(await sums(), before);
      assert.equal((await verifyTotals(db)).isClean, true);
      await rebuildTotals(db);
      assert.deepEqual(await sums(), before);
      assert.deepEqual(await users(), usersBefore);
      await db.query(`update campaign_totals set clicks = clicks + 1 where bucket >= $1`, [
        new Date(start + 35 * dayMs),
      ]);
      assert.equal((await verifyTotals(db)).isClean, false);
      await rebuildTotals(db);
      assert.deepEqual(await sums(), before);
    });
  });
}
