import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readAdminFile } from '../../src/platform/auth/admin-token.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';
import type { Door } from './callers.js';
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

    function door(): Door {
      const folder = mkdtempSync(join(tmpdir(), 'sidelight-fuzz-'));
      app.services.adminToken.publish(folder, '');
      const adminToken = readAdminFile(folder)?.token ?? '';
      rmSync(folder, { recursive: true, force: true });
      return {
        document: app.http.swagger(),
        adminToken,
        async send({ method, url, payload }, headers) {
          const answer = await app.http.inject({
            // OpenAPI names the methods.
            method: method as 'GET',
            url,
            headers,
            ...(payload === null ? {} : { payload }),
          });
          const cookie = answer.headers['set-cookie'];
          return {
            status: answer.statusCode,
            body: answer.body,
            cookie: cookie === undefined ? null : String(cookie),
          };
        },
      };
    }

    it(`${count} of them over the whole API break nothing`, async () => {
      const { failures, byStatus } = await runFuzz(door(), { seed: 20_261_116, count });
      assert.deepEqual(failures, []);
      assert.ok(byStatus.size > 5, 'they reach many answers');
    });
  });
}
