import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickModel, createClickModel } from '../../../domain/decision/click-model.js';
import { announce, channels } from '../../../platform/channels.js';
import type { Database } from '../../../platform/db/db.js';
import { silentLog } from '../../../platform/log.js';
import { type TestEngine, testEngines } from '../../../../test/support/test-database.js';
import { addClickCounts } from '../queries.js';
import { createLearning } from './learning.js';

const adId = '018f0000-0000-7000-8000-000000000001';
const counted = (clicks: number) => ({
  adId,
  topic: 'Hotels',
  impressions: 100,
  clicks,
  conversions: 0,
});

/** A node that knows of ten clicks; while `isDown`, it cannot read counts. */
async function openNode(context: TestContext, engine: TestEngine) {
  const db = await engine.open();
  const state = { isDown: false, refused: 0 };
  const failing: Database = {
    ...db,
    async query(text, values) {
      if (!state.isDown || !text.includes('from click_counts')) return db.query(text, values);
      state.refused += 1;
      throw new Error('the database is down');
    },
  };
  await addClickCounts(db, [counted(10)]);
  const model = createClickModel();
  const learning = await createLearning(failing, model, silentLog, { resyncMs: 20 });
  context.after(async () => {
    await learning.close();
    await db.close();
  });
  return { db, state, model, learning };
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!isSo() && Date.now() < deadline) await sleep(5);
}

async function knows(model: ClickModel, clicks: number): Promise<void> {
  await until(() => model.clicksLearned() === clicks);
  assert.equal(model.clicksLearned(), clicks);
}

for (const engine of testEngines())
  describe(`what a node learned, ${engine.name}`, () => {
    it('is what all nodes counted, and no more once some of it is taken back', async (context) => {
      const { db, model, learning } = await openNode(context, engine);
      assert.equal(model.clicksLearned(), 10);
      await db.transaction((tx) => learning.unlearn(tx, [{ ...counted(4), impressions: 0 }]));
      await knows(model, 6);
    });

    it('is read again, all of it, when news may have been missed', async (context) => {
      const { db, model } = await openNode(context, engine);
      await addClickCounts(db, [counted(5)]);
      await announce(db, channels.lessons, null);
      await knows(model, 15);
    });

    it('is looked at later where looking failed', async (context) => {
      const { db, state, model, learning } = await openNode(context, engine);
      state.isDown = true;
      await db.transaction((tx) => learning.unlearn(tx, [{ ...counted(4), impressions: 0 }]));
      await until(() => state.refused >= 2);
      assert.equal(model.clicksLearned(), 10);
      state.isDown = false;
      await knows(model, 6);
    });

    it('is saved at the end with what only this node saw', async (context) => {
      const { db, learning } = await openNode(context, engine);
      learning.observe(adId, 'clicks');
      await learning.close();
      const [row] = await db.query<{ clicks: number }>(
        `select sum(clicks) as clicks from click_counts where ad_id = $1`,
        [adId],
      );
      assert.equal(Number(row?.clicks), 11);
    });
  });
