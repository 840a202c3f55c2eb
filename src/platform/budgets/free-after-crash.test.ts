import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { testEngines } from '../../../test/support/test-database.js';
import type { Database } from '../db/db.js';
import { createMintId } from '../ids.js';
import { silentLog } from '../log.js';
import { joinNodes, type Node } from '../nodes.js';
import { releaseDeadHolds, returnHolds, matchHolds, takeHolds } from './budget-holds.js';
import type { EventRecord } from '../events/event.js';
import { freeAfterCrash } from './free-after-crash.js';
import { ingestEvents } from '../events/ingest-events.js';
import { createPartitions } from '../events/partitions.js';

const mintId = createMintId();
const now = Date.UTC(2026, 4, 5, 12);
const day = '2026-05-05';
const minute = 60_000;

for (const engine of testEngines()) {
  describe(`what a killed process held, on the ${engine.name} engine`, () => {
    let db: Database;
    let folder: string;
    before(async () => {
      db = await engine.open();
      folder = mkdtempSync(join(tmpdir(), 'sidelight-node-'));
      await createPartitions(db).ensure([day]);
    });
    after(async () => {
      await db.close();
      rmSync(folder, { recursive: true });
    });

    const joinAgain = async (): Promise<Node> => {
      const node = await joinNodes({
        serves: true,
        db,
        clock: () => now,
        log: silentLog,
        file: join(folder, 'node'),
        reuseAfterMs: 40 * minute,
        stats: () => ({}),
      });
      await node.close();
      return node;
    };
    const free = (node: Node, at = now): Promise<void> =>
      freeAfterCrash({
        db,
        clock: () => at,
        log: silentLog,
        eventLog: { drain: async () => undefined },
        node,
        windowMs: 35 * minute,
        clickWindowMs: 2 * minute,
      });

    it('is free for others once it is dead, never for lack of signs of who asks', async () => {
      const scope = mintId(now);
      const held = async () => {
        const [row] = await db.query<{ stored: number; nodes: string }>(
          `select b.held_micros as stored,
             (
               select string_agg(h.node || ':' || h.held_micros, ' ' order by h.node)
               from budget_holds h
               where h.scope_id = b.scope_id
             ) as nodes
           from budgets b
           where b.scope_id = $1`,
          [scope],
        );
        return row;
      };
      await db.query(`insert into budgets (scope_id, day, held_micros) values ($1, $2, 900)`, [
        scope,
        day,
      ]);
      await db.query(
        `insert into budget_holds (node, scope_id, day, held_micros)
         values (29001, $1, $2, 400), (29002, $1, $2, 500)`,
        [scope, day],
      );
      await releaseDeadHolds(db, 29001, new Date(now));
      assert.deepEqual(await held(), { stored: 400, nodes: '29001:400' });
      // What was taken from it meanwhile it gives back without taking from others.
      await returnHolds(db, 29002, [{ scopeId: scope, day, amountMicros: 500 }]);
      assert.deepEqual(await held(), { stored: 400, nodes: '29001:400' });
      await returnHolds(db, 29001, [{ scopeId: scope, day, amountMicros: 600 }]);
      assert.deepEqual(await held(), { stored: 0, nodes: '29001:0' });
    });

    it('is free for its successor, but for what its ads may still cost', async () => {
      const ids = {
        advertiserId: mintId(now),
        campaignId: mintId(now),
        adGroupId: mintId(now),
        publisherId: mintId(now),
      };
      await db.query(
        `insert into advertisers (id, name, email, billing_enabled) values ($1, 'A', $2, true)`,
        [ids.advertiserId, `${ids.advertiserId}@test.example`],
      );
      await db.query(
        `insert into campaigns (id, advertiser_id, name, landing_page, daily_budget_micros)
         values ($1, $2, 'C', 'https://c.example', 3000000)`,
        [ids.campaignId, ids.advertiserId],
      );
      await db.query(
        `insert into ad_groups (id, campaign_id, advertiser_id, name, daily_budget_micros)
         values ($1, $2, $3, 'G', 2000000)`,
        [ids.adGroupId, ids.campaignId, ids.advertiserId],
      );
      const held = async (): Promise<unknown> =>
        (
          await db.query(
            `select (select held_micros from budgets where scope_id = $1) as campaign,
               (select held_micros from budgets where scope_id = $2) as ad_group,
               (select sum(held_micros)::bigint from budget_holds) as nodes`,
            [ids.campaignId, ids.adGroupId],
          )
        )[0];
      const store = (events: readonly EventRecord[]) =>
        db.transaction((tx) => ingestEvents(tx, events));

      const killed = await joinAgain();
      assert.deepEqual(killed.predecessors, []);
      await takeHolds(
        db,
        killed.number,
        [
          { scopeId: ids.campaignId, day, amountMicros: 3_000_000, needMicros: 3_000_000 },
          { scopeId: ids.adGroupId, day, amountMicros: 2_000_000, needMicros: 2_000_000 },
        ],
        1,
      );
      assert.deepEqual(await held(), {
        campaign: 3_000_000,
        ad_group: 2_000_000,
        nodes: 5_000_000,
      });
      const win = (at: number, price: number, charge = 'cpm'): EventRecord => ({
        id: mintId(at),
        kind: 'win',
        at,
        ...ids,
        node: killed.number,
        data: { price_micros: price, charge },
      });
      const paid = win(now - minute, 5000);
      const open = win(now - minute, 7000);
      await store([
        paid,
        open,
        win(now - 40 * minute, 11_000),
        win(now - minute, 13_000, 'cpa'),
        { ...win(now - minute, 17_000), test: true },
      ]);
      await store([
        {
          ...paid,
          kind: 'impression',
          serveId: paid.id,
          spendMicros: 5000,
          revenueMicros: 3500,
          budgetDay: day,
          holds: { campaign: true, adGroup: true, advertiser: false },
        },
      ]);
      assert.deepEqual(await held(), {
        campaign: 2_995_000,
        ad_group: 1_995_000,
        nodes: 4_990_000,
      });

      const next = await joinAgain();
      assert.deepEqual(next.predecessors, [killed.number]);
      await free(next);
      assert.deepEqual(await held(), { campaign: 7000, ad_group: 7000, nodes: 14_000 });
      await store([
        {
          ...open,
          kind: 'impression',
          serveId: open.id,
          spendMicros: 7000,
          revenueMicros: 4900,
          budgetDay: day,
          holds: { campaign: true, adGroup: true, advertiser: false },
        },
      ]);
      assert.deepEqual(await held(), { campaign: 0, ad_group: 0, nodes: 0 });
      assert.deepEqual((await joinAgain()).predecessors, [next.number]);

      // A database that went back is told what was promised, within what nobody else has now.
      const promise = (scopeId: string, amountMicros: number) => ({ scopeId, day, amountMicros });
      await matchHolds(db, next.number, [
        promise(ids.campaignId, 500_000),
        promise(ids.adGroupId, 400_000),
      ]);
      assert.deepEqual(await held(), { campaign: 500_000, ad_group: 400_000, nodes: 900_000 });
      const rest = 3_000_000 - 12_000 - 500_000;
      const asked = { scopeId: ids.campaignId, day, amountMicros: rest, needMicros: rest };
      await takeHolds(db, killed.number, [asked], 1);
      await matchHolds(db, next.number, [promise(ids.campaignId, 600_000)]);
      assert.deepEqual(await held(), {
        campaign: 500_000 + rest,
        ad_group: 0,
        nodes: 500_000 + rest,
      });
      for (const node of [next, killed]) await matchHolds(db, node.number, []);
      assert.deepEqual(await held(), { campaign: 0, ad_group: 0, nodes: 0 });
    });

    it('is kept for clicks only as long as they are paid from it', async () => {
      const ids = { advertiserId: mintId(now), campaignId: mintId(now), publisherId: mintId(now) };
      await db.query(
        `insert into advertisers (id, name, email, billing_enabled) values ($1, 'A', $2, true)`,
        [ids.advertiserId, `${ids.advertiserId}@test.example`],
      );
      await db.query(
        `insert into campaigns (id, advertiser_id, name, landing_page, daily_budget_micros)
         values ($1, $2, 'C', 'https://c.example', 3000000)`,
        [ids.campaignId, ids.advertiserId],
      );
      const held = async () =>
        (
          await db.query<{ held: number }>(
            `select held_micros as held from budgets where scope_id = $1`,
            [ids.campaignId],
          )
        )[0]?.held;
      const killed = await joinAgain();
      await takeHolds(
        db,
        killed.number,
        [{ scopeId: ids.campaignId, day, amountMicros: 3_000_000, needMicros: 3_000_000 }],
        1,
      );
      const win = (at: number, price: number, charge: string): EventRecord => ({
        id: mintId(at),
        kind: 'win',
        at,
        ...ids,
        node: killed.number,
        data: { price_micros: price, charge },
      });
      await db.transaction((tx) =>
        ingestEvents(tx, [
          win(now - minute, 500_000, 'cpc'),
          win(now - 3 * minute, 400_000, 'cpc'),
          win(now - 3 * minute, 7000, 'cpm'),
        ]),
      );
      const next = await joinAgain();
      await free(next);
      assert.equal(await held(), 507_000);
      assert.ok((await joinAgain()).predecessors.includes(killed.number));
      await free(next, now + 2 * minute);
      assert.equal(await held(), 7000);
      assert.ok(!(await joinAgain()).predecessors.includes(killed.number));
    });

    it('stays remembered until it could be freed', async () => {
      const first = await joinAgain();
      const second = await joinAgain();
      await freeAfterCrash({
        db,
        clock: () => now,
        log: silentLog,
        eventLog: { drain: () => Promise.reject(new Error('away')) },
        node: second,
        windowMs: 0,
        clickWindowMs: 0,
      });
      const third = await joinAgain();
      assert.ok(
        third.predecessors.includes(first.number) && third.predecessors.includes(second.number),
      );
    });
  });
}
