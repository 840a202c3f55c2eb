import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openServerDatabase } from '../../src/platform/db/open-server-database.js';
import { verifyTotals } from '../../src/platform/events/verify-totals.js';
import { verifyLimits } from '../../src/platform/budgets/verify-limits.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { ask, beacon, openTwoNodes } from '../support/two-nodes.js';

describe('two nodes on one database and the money of a budget', () => {
  let nodes: Awaited<ReturnType<typeof openTwoNodes>>;
  let one: TestApp;
  let other: TestApp;
  let url = '';
  before(async () => {
    nodes = await openTwoNodes();
    ({ one, other, url } = nodes);
  });
  after(() => nodes.close());
  const live: typeof nodes.live = (options) => nodes.live(options);
  const totals: typeof nodes.totals = (campaignId) => nodes.totals(campaignId);

  it('count a beacon that reaches both once', async () => {
    const campaign = await live({ context: 'hiking boots for wide feet', maxCpmMicros: 5_000_000 });
    const answer = await ask(one, campaign.key, 'which hiking boots are good for wide feet?');
    assert.equal(answer.statusCode, 200);
    const [ad] = answer.json();
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => beacon(index % 2 === 0 ? one : other, ad.impUrl)),
    );
    assert.deepEqual(
      new Set(answers.map((beaconAnswer) => beaconAnswer.statusCode)),
      new Set([200]),
    );
    for (const node of [one, other]) node.clock.now += 5000;
    await Promise.all([one, other].map((node) => beacon(node, ad.clickUrl)));
    const counted = await totals(campaign.campaignId);
    assert.deepEqual([counted?.impressions, counted?.clicks], [1, 1]);
  });

  it('share a budget and never spend more than all of it', async () => {
    const budget = 6_000;
    const campaign = await live({
      context: 'espresso machines for small kitchens',
      maxCpmMicros: 2_000_000,
      dailyBudgetMicros: budget,
    });
    const shown: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      await Promise.all(
        [one, other].map(async (node) => {
          const answer = await ask(
            node,
            campaign.key,
            'which espresso machine fits a small kitchen?',
          );
          for (const ad of answer.statusCode === 200 ? answer.json() : []) shown.push(ad.impUrl);
        }),
      );
      if (round % 4 === 3) await Promise.all([one, other].map((node) => node.serving.balance()));
    }
    // Each beacon reaches the node that did not serve it as well.
    await Promise.all(shown.flatMap((url) => [beacon(one, url), beacon(other, url)]));
    const counted = await totals(campaign.campaignId);
    assert.equal(counted?.impressions, shown.length);
    assert.ok(
      (counted?.spend ?? 0) > budget / 2 && (counted?.spend ?? 0) <= budget,
      `spent ${counted?.spend}`,
    );
    const [state] = await one.db.query<{ spent: number; held: number }>(
      `select spent_micros as spent, held_micros as held from budgets where scope_id = $1`,
      [campaign.campaignId],
    );
    assert.equal(state?.spent, counted?.spend);
    const { limited, exceeded, unheld } = await verifyLimits(one.db);
    assert.deepEqual([limited > 0, exceeded, unheld], [true, 0, 0]);
    await one.db
      .transaction(async (tx) => {
        await tx.query(`update budgets set held_micros = $2 where scope_id = $1`, [
          campaign.campaignId,
          budget + 1,
        ]);
        const wrong = await verifyLimits(tx);
        assert.deepEqual([wrong.exceeded, wrong.unheld], [1, 1]);
        throw new Error('only tried');
      })
      .catch((error: unknown) => assert.match(String(error), /only tried/));
    assert.ok((state?.spent ?? 0) + (state?.held ?? 0) <= budget);
  });

  it('both serve the last click of a budget that neither holds, and spend no more than it', async () => {
    const budget = 500_000;
    const campaign = await live({
      context: 'violin repair and new strings',
      billingModel: 'cpc',
      maxCpcMicros: budget,
      dailyBudgetMicros: budget,
    });
    const served = async (node: TestApp): Promise<{ impUrl: string; clickUrl: string }> => {
      // The other one is refused it, and the first hears of that.
      for (let tries = 0; tries < 500; tries += 1) {
        for (const each of [one, other]) {
          await each.serving.balance();
          await each.services.sharedCounts.tell();
        }
        const answer = await ask(node, campaign.key, 'who repairs a violin and has new strings?');
        if (answer.statusCode === 200) return answer.json()[0];
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return assert.fail('nobody serves the last click');
    };
    const held = async () =>
      (
        await one.db.query<{ held: number; spent: number }>(
          `select held_micros as held, spent_micros as spent from budgets where scope_id = $1`,
          [campaign.campaignId],
        )
      )[0];
    const ads = [await served(other), await served(one)];
    assert.deepEqual(await held(), { held: 0, spent: 0 });
    for (const ad of ads) await beacon(one, ad.impUrl);
    for (const node of [one, other]) node.clock.now += 5000;
    for (const ad of ads) await beacon(other, ad.clickUrl);
    const counted = await totals(campaign.campaignId);
    assert.equal(counted?.clicks, 2);
    assert.deepEqual(await held(), { held: 0, spent: counted?.spend });
    assert.ok((counted?.spend ?? 0) > 0 && (counted?.spend ?? 0) <= budget);
  });

  it('spend no more than a budget that was lowered while they held more of it', async () => {
    const campaign = await live({
      context: 'telescopes for watching planets',
      maxCpmMicros: 2_000_000,
      dailyBudgetMicros: 1_000_000,
    });
    const show = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        const answer = await ask(
          time % 2 === 0 ? one : other,
          campaign.key,
          'which telescope is good for watching planets?',
        );
        for (const ad of answer.statusCode === 200 ? answer.json() : [])
          await beacon(other, ad.impUrl);
      }
    };
    await show(8);
    const budget = ((await totals(campaign.campaignId))?.spend ?? 0) + 1500;
    await one.db.query(`update campaigns set daily_budget_micros = $2 where id = $1`, [
      campaign.campaignId,
      budget,
    ]);
    for (const node of [one, other]) await node.serving.inventory.refresh([campaign.campaignId]);
    for (const node of [one, other, one, other]) await node.serving.balance();
    await show(20);
    const spend = (await totals(campaign.campaignId))?.spend ?? 0;
    assert.ok(spend > budget - 1500 && spend <= budget, `spent ${spend} of ${budget}`);
  });

  it('free what was kept for a click that came too late to be paid from it', async () => {
    const campaign = await live({
      context: 'kayak tours on calm lakes',
      billingModel: 'cpc',
      maxCpcMicros: 500_000,
    });
    const brief = await buildTestApp(await openServerDatabase(url, { maxConnections: 4 }), {
      now: one.clock.now,
    });
    for (const node of [one, other, brief]) await node.serving.balance();
    const answer = await ask(brief, campaign.key, 'who offers kayak tours on calm lakes?');
    assert.equal(answer.statusCode, 200);
    await beacon(brief, answer.json()[0].impUrl);
    for (const node of [one, other, brief]) node.clock.now += 40_000;
    assert.equal((await beacon(other, answer.json()[0].clickUrl)).statusCode, 302);
    const spent = (await totals(campaign.campaignId))?.spend ?? 0;
    assert.ok(spent > 0);
    for (const node of [one, other, brief]) node.clock.now += 40_000;
    await brief.serving.balance();
    await brief.close();
    const [left] = await one.db.query<{ held: number }>(
      `select coalesce(sum(held_micros), 0)::bigint as held from budget_holds where node = $1`,
      [brief.services.node.number],
    );
    assert.equal(left?.held, 0, 'nothing is held for an ad that was paid from elsewhere');
  });

  it('leave totals of what they spent that agree with the raw events', async () => {
    const report = await verifyTotals(one.db);
    assert.equal(report.isClean, true, JSON.stringify(report));
  });
});
