import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';
import { runFuzz } from './run-fuzz.js';

/** A share of what `npm run fuzz` sends, the same requests every time. */
const count = 1000;

for (const engine of testEngines()) {
  describe(`requests nobody would write (${engine.name})`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    it(`${count} of them over the whole API break nothing`, async () => {
      const { failures, byStatus } = await runFuzz(app, { seed: 20_261_116, count });
      assert.deepEqual(failures, []);
      assert.ok(byStatus.size > 5, 'they reach many answers');
    });
  });
}
