import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import type { Db } from '../../platform/db/db.js';
import { type AskedRequest, insertAskedRequests } from '../serving/learning/asked-queries.js';
import { createAskedRequests, forecastDaysBack } from './asked-requests.js';

const hourMs = 3_600_000;

for (const engine of testEngines()) {
  describe(`what was asked lately on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => (app = await buildTestApp(await engine.open())));
    after(() => app.close());

    it('is read ahead, so that a forecast only reads what came since', async () => {
      const newest = Math.floor(app.clock.now / hourMs) * hourMs;
      const row = (hoursAgo: number): AskedRequest => ({
        hour: new Date(newest - hoursAgo * hourMs),
        modelId: 'm',
        country: null,
        device: null,
        topic: '',
        signs: new Uint8Array([1]),
        reach: 1,
        need: 1,
        never: 0,
        trade: null,
        shift: 0,
        minRelevance: 0,
        floorCpmMicros: 0,
        places: 1,
        advertiserIds: [],
        scores: [],
        weight: 1,
      });
      const lastHour = forecastDaysBack * 24 - 1;
      await insertAskedRequests(app.db, [row(lastHour), row(100), row(1), row(0)]);
      let statements = 0;
      const db: Pick<Db, 'query'> = {
        query(...asked: Parameters<Db['query']>) {
          statements += 1;
          return app.db.query(...asked);
        },
      };
      // Only queries are asked of it.
      const asked = createAskedRequests(db as Db, () => app.clock.now);
      const begun = asked.readAhead('m');
      const rows = await asked.recent('m');
      await begun;
      assert.equal(rows.length, 4, 'who asks meanwhile gets everything');

      const ahead = createAskedRequests(db as Db, () => app.clock.now);
      await ahead.readAhead('m');
      statements = 0;
      await insertAskedRequests(app.db, [row(0)]);
      assert.equal((await ahead.recent('m')).length, 5, 'and what came since');
      assert.equal(statements, 1);
      assert.equal((await ahead.recent('m')).length, 5);
      assert.equal(statements, 1, 'what was read a moment ago stands');
      await ahead.close();
    });
  });
}
