import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openServerTestDatabase } from '../../../test/support/test-database.js';
import { utcDay } from '../../domain/time/utc-day.js';
import { journalRecorders } from '../../recorders.js';
import { lockDataDir } from '../db/data-dir-lock.js';
import type { Database } from '../db/db.js';
import type { EventLog } from '../events/event-log.js';
import { openEventLog } from '../events/open-event-log.js';
import { createPartitions } from '../events/partitions.js';
import { createMintId } from '../ids.js';
import { silentLog } from '../log.js';
import { listSegments } from '../events/journal/segment-files.js';
import { journalEnd, settleCorners } from './settle-corners.js';
import { UnsettledCorner } from './unsettled-corner.js';

const mintId = createMintId();
const clock = Date.now;

describe('journals of other processes of a data folder', () => {
  let db: Database;
  let dataDir: string;
  const corner = (number: number): string => join(dataDir, 'nodes', String(number));
  before(async () => {
    ({ database: db } = await openServerTestDatabase());
    dataDir = mkdtempSync(join(tmpdir(), 'sidelight-settle-'));
    for (const number of [1, 2]) mkdirSync(corner(number), { recursive: true });
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
  const append = async (log: EventLog): Promise<string> => {
    const id = mintId(clock());
    await log.append([{ id, kind: 'request', at: clock(), publisherId: mintId(clock()) }]);
    return id;
  };
  const isStored = async (id: string): Promise<boolean> =>
    (await db.query(`select 1 from events where id = $1`, [id])).length > 0;
  const settle = (patienceMs: number, isOurs = true): Promise<void> =>
    settleCorners({
      db,
      dataDir,
      nodeDir: corner(1),
      isOurs: () => isOurs,
      patienceMs,
      async applyLeft(nodeDir) {
        const log = await openLog(nodeDir);
        log.start();
        await log.drain();
        await log.close();
      },
    });

  it('are waited for while their process stores them, and not for ever where it does not', async () => {
    const lock = await lockDataDir(corner(2));
    const log = await openLog(corner(2));
    const id = await append(log);
    await assert.rejects(settle(200), UnsettledCorner);
    await settle(200, false);
    assert.equal(await isStored(id), false, 'nobody else takes it meanwhile');
    const settling = settle(60_000);
    log.start();
    await settling;
    assert.equal(await isStored(id), true);
    await log.close();
    await lock.release();
  });

  it('are stored where nobody has them', async () => {
    const id = await append(await openLog(corner(2)));
    await settle(200);
    assert.equal(await isStored(id), true);
  });

  it('end behind the last whole frame: what is half written was not acknowledged', async () => {
    const lock = await lockDataDir(corner(2));
    const log = await openLog(corner(2));
    log.start();
    const id = await append(log);
    const end = journalEnd(join(corner(2), 'journal'));
    const last = listSegments(join(corner(2), 'journal')).at(-1)?.path ?? '';
    appendFileSync(last, Buffer.from('half a frame'));
    assert.deepEqual(journalEnd(join(corner(2), 'journal')), end);
    await settle(60_000);
    assert.equal(await isStored(id), true);
    await log.close();
    await lock.release();
  });
});
