import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openServerTestDatabase } from '../../../test/support/test-database.js';
import { utcDay } from '../../domain/time/utc-day.js';
import { journalRecorders } from '../../recorders.js';
import { takeHolds } from '../budgets/budget-holds.js';
import { lockDataDir } from '../db/data-dir-lock.js';
import type { Database } from '../db/db.js';
import type { EventLog } from '../events/event-log.js';
import { openEventLog } from '../events/open-event-log.js';
import { createPartitions } from '../events/partitions.js';
import { createMintId } from '../ids.js';
import { silentLog } from '../log.js';
import { joinNodes } from '../nodes.js';
import { watchCorners } from './take-over-corners.js';

const mintId = createMintId();
const clock = Date.now;

describe('a corner that nobody has any more', () => {
  let db: Database;
  let dataDir: string;
  const corner = (number: number): string => join(dataDir, 'nodes', String(number));
  before(async () => {
    ({ database: db } = await openServerTestDatabase());
    dataDir = mkdtempSync(join(tmpdir(), 'sidelight-corners-'));
    for (const number of [1, 2, 3]) mkdirSync(corner(number), { recursive: true });
    await createPartitions(db).ensure([utcDay(clock())]);
  });
  after(async () => {
    await db.close();
    rmSync(dataDir, { recursive: true });
  });

  const openLog = (nodeDir: string): Promise<EventLog> =>
    openEventLog(nodeDir, {
      db,
      partitions: createPartitions(db),
      recorders: journalRecorders(),
      clock,
      log: silentLog,
    });
  const watch = () =>
    watchCorners({
      db,
      clock,
      log: silentLog,
      nodeDir: corner(1),
      openLog,
      windowMs: 60_000,
      clickWindowMs: 10_000,
    });
  /** One event in the journal of a process that never came to store it. */
  async function acknowledge(number: number): Promise<string> {
    const eventLog = await openLog(corner(number));
    const id = mintId(clock());
    await eventLog.append([{ id, kind: 'request', at: clock(), publisherId: mintId(clock()) }]);
    return id;
  }
  const isStored = async (id: string): Promise<boolean> =>
    (await db.query(`select 1 from events where id = $1`, [id])).length > 0;

  it('has its events stored and its holds freed by whoever runs beside it', async () => {
    const node = await joinNodes({
      db,
      clock,
      log: silentLog,
      file: join(corner(3), 'node'),
      reuseAfterMs: 60_000,
      serves: true,
      stats: () => ({}),
    });
    await node.close();
    const scopeId = mintId(clock());
    const day = utcDay(clock());
    const advertiser = mintId(clock());
    await db.query(`insert into advertisers (id, name, email) values ($1, 'A', $2)`, [
      advertiser,
      `${advertiser}@test.example`,
    ]);
    await db.query(
      `insert into campaigns (id, advertiser_id, name, landing_page, daily_budget_micros)
       values ($1, $2, 'C', 'https://c.example', 3000000)`,
      [scopeId, advertiser],
    );
    await takeHolds(db, node.number, [{ scopeId, day, amountMicros: 1e6, needMicros: 1e6 }], 1);
    const held = async (): Promise<number | undefined> =>
      (
        await db.query<{ held: number }>(
          `select held_micros as held from budgets where scope_id = $1`,
          [scopeId],
        )
      )[0]?.held;
    assert.equal(await held(), 1e6);
    const id = await acknowledge(3);
    assert.equal(await isStored(id), false);

    await watch().look();
    assert.equal(await isStored(id), true);
    assert.equal(await held(), 0);
    assert.equal(readFileSync(join(corner(3), 'node'), 'utf8'), '');
  });

  it('is left alone while its process lives', async () => {
    const id = await acknowledge(2);
    const lock = await lockDataDir(corner(2));
    await watch().look();
    assert.equal(await isStored(id), false);
    await lock.release();
    await watch().look();
    assert.equal(await isStored(id), true);
  });

  it('is looked at again when something new lies there', async () => {
    const corners = watch();
    await corners.look();
    const id = await acknowledge(3);
    await corners.look();
    assert.equal(await isStored(id), true);
  });

  it('tells of what cannot be read in its journal', async () => {
    await acknowledge(3);
    writeFileSync(join(corner(3), 'journal', '000000009999.log'), Buffer.alloc(4096, 7));
    const corners = watch();
    await corners.look();
    assert.ok(corners.damaged > 0);
  });
});
