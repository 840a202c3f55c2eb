import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { migrationsDir, testEngines } from '../../../test/support/test-database.js';
import { dumpSchema } from './dump-schema.js';

for (const engine of testEngines()) {
  describe(`schema dump, ${engine.name}`, () => {
    it('is current; if this fails, run `node scripts/dump-schema.mjs` and commit the result', async () => {
      const db = await engine.open();
      const actual = await dumpSchema(db);
      await db.close();
      assert.equal(actual, await readFile(join(migrationsDir, 'schema.sql'), 'utf8'));
    });
  });
}
