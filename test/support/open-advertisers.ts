import { after, before } from 'node:test';
import { managing } from './managed-campaign.js';
import { buildTestApp, type TestApp } from './test-app.js';
import type { TestEngine } from './test-database.js';

/** An app, and accounts that manage campaigns in it. */
export function openAdvertisers(engine: TestEngine) {
  let app: TestApp;

  before(async () => {
    app = await buildTestApp(await engine.open());
  });

  after(() => app.close());

  const open = async (options = {}) => managing(app, await app.newAdvertiser(options));

  return {
    get app() {
      return app;
    },
    open,
  };
}
