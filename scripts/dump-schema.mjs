// Writes migrations/schema.sql, the readable result of all migrations. A test fails when it is not
// current.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled('run');
await ensureBuilt();
const root = fileURLToPath(new URL('..', import.meta.url));
const { openEmbeddedDatabase } = await import('../build/src/platform/db/open-embedded-database.js');
const { dumpSchema } = await import('../build/src/platform/db/dump-schema.js');
const { ensureTemplate } = await import('../build/src/platform/db/template.js');

const db = await openEmbeddedDatabase(null, {
  template: await ensureTemplate(`${root}build`, `${root}migrations`),
});
writeFileSync(`${root}migrations/schema.sql`, await dumpSchema(db));
await db.close();
