import assert from 'node:assert/strict';
import { mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'node:test';
import { DataDirInUse } from './data-dir-errors.js';
import { lockDataDir } from './data-dir-lock.js';

const QUICK = { beatMs: 10, observeMs: 120 };
/** On a busy machine a beat may come a hundred times later than it was meant to. */
const PATIENT = { beatMs: 10, observeMs: 1000 };

describe('data directory lock', () => {
  let home: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'sidelight-lock-'));
  });
  after(() => rm(home, { recursive: true, force: true }));

  it('is held by one at a time and leaves nothing behind', async () => {
    const dir = join(home, 'one');
    const lock = await lockDataDir(dir, QUICK);
    await assert.rejects(lockDataDir(dir, QUICK), DataDirInUse);
    await lock.release();
    await (await lockDataDir(dir, QUICK)).release();
    assert.deepEqual(
      (await readdir(home)).filter((name) => name.startsWith('one')),
      [],
    );
  });

  it('recognises the same directory under another name', async () => {
    await symlink(home, join(home, 'alias'));
    const lock = await lockDataDir(join(home, 'named'), QUICK);
    await assert.rejects(lockDataDir(join(home, 'alias', 'named'), QUICK), DataDirInUse);
    await lock.release();
  });

  it('respects a heartbeat from another machine, and takes over when it has stopped', async () => {
    const dir = join(home, 'far');
    let beat = 0;
    // In one piece, as an owner does: under load half a file may be all there is for a while.
    const write = async () => {
      beat += 1;
      const owner = { pid: 1, host: 'elsewhere', realm: 'another machine', beat };
      await writeFile(`${dir}.elsewhere`, JSON.stringify(owner));
      await rename(`${dir}.elsewhere`, `${dir}.lock`);
    };
    await write();
    let isAlive = true;
    const beating = (async () => {
      while (isAlive) {
        await write();
        await sleep(5);
      }
    })();
    await assert.rejects(lockDataDir(dir, PATIENT), /process 1 on elsewhere/);
    isAlive = false;
    await beating;
    await (await lockDataDir(dir, PATIENT)).release();
  });
});
