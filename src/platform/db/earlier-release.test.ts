import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { openServerTestDatabase } from '../../../test/support/test-database.js';
import type { Database } from './db.js';

/** Written by `scripts/record-release.mjs`. */
interface Recorded {
  newest_migration: string;
  statements: string[];
}

// From build/src/platform/db.
const file = new URL('../../../../test/fixtures/earlier-release.json', import.meta.url);
const earlier = JSON.parse(readFileSync(file, 'utf8')) as Recorded;

describe(`the release of ${earlier.newest_migration}, beside this one`, () => {
  let db: Database;
  before(async () => {
    db = (await openServerTestDatabase()).database;
  });
  after(() => db.close());

  /** Planned with this schema and not run; what does not fit is refused by the planner. */
  async function refused(naming = ''): Promise<string[]> {
    const wrong: string[] = [];
    for (const statement of earlier.statements.filter((one) => one.includes(naming)))
      await db
        .script(`explain (generic_plan) ${statement}`)
        .catch((error: unknown) => wrong.push(`${String(error)}: ${statement.slice(0, 200)}`));
    return wrong;
  }

  it('finds everything that its statements name in the schema of this one', async () => {
    assert.ok(earlier.statements.length > 200);
    assert.deepEqual(await refused(), []);
  });

  it('would be refused where a column it reads or a key it writes by were gone', async () => {
    await db.script('alter table campaigns rename column landing_page to page');
    assert.ok((await refused('landing_page')).length > 0);
    await db.script('alter table campaigns rename column page to landing_page');
    await db.script('alter table budgets drop constraint budgets_pkey');
    assert.ok((await refused('into budgets ')).some((one) => one.includes('ON CONFLICT')));
  });
});
