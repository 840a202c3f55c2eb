// Child process of the durability tests: commits one row after the other and says so, until it is
// killed.
import { openEmbeddedDatabase } from '../../src/platform/db/open-embedded-database.js';

const [dir = '', template = '', from = '0'] = process.argv.slice(2);
try {
  const db = await openEmbeddedDatabase(dir, {
    template,
    checkpointEveryMs: 200,
    vacuumEveryMs: 300,
  });
  await db.script('create table if not exists acknowledged (id integer primary key, filler text)');
  for (let id = Number(from); ; id += 1) {
    await db.transaction(async (tx) => {
      await tx.query('insert into acknowledged values ($1, $2)', [id, 'x'.repeat(500)]);
    });
    process.stdout.write(`${id}\n`);
  }
} catch (error) {
  process.stdout.write(
    `${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`,
  );
  process.exitCode = 1;
}
