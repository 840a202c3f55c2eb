import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'node:test';
import { runWorkers } from '../../src/cli/run-workers.js';
import { readConfig } from '../../src/config.js';
import { readAdminFile } from '../../src/platform/auth/admin-token.js';
import {
  askOnce,
  endServerProcess,
  type ServerProcess,
  startServerProcess,
} from '../support/server-process.js';
import { openServerTestDatabase } from '../support/test-database.js';

describe('two workers behind one port', () => {
  let database: Awaited<ReturnType<typeof openServerTestDatabase>>;
  let server: ServerProcess;
  before(async () => {
    database = await openServerTestDatabase();
    server = await startServerProcess({
      DATABASE_URL: database.url,
      WORKERS: '2',
      ROLES: 'serve,track,platform,worker',
      DRAIN_SECONDS: '0',
      METRICS_KEY: 'a key for whoever measures',
    });
    await server.says(/2 workers serve/);
  });
  after(async () => {
    await endServerProcess(server);
    await database.database.close();
  });

  interface Health {
    node: number;
    pid: number;
  }
  const health = async (): Promise<Health> => {
    const answer = await askOnce(`${server.address}/health`);
    assert.equal(answer.status, 200);
    return JSON.parse(answer.body) as Health;
  };
  /** Asks until so many different processes have answered. */
  async function meet(
    count: number,
    isNew: (pid: number) => boolean,
  ): Promise<Map<number, number>> {
    const met = new Map<number, number>();
    while (met.size < count) {
      const { node, pid } = await health();
      if (isNew(pid)) met.set(pid, node);
      else await sleep(50);
    }
    return met;
  }

  /** Waits until `/ready` says so; whoever is asked while it stands still does not answer. */
  async function told(expected: unknown): Promise<void> {
    let found: unknown;
    for (let tries = 0; tries < 60; tries += 1) {
      const asked = askOnce(`${server.address}/ready`).catch(() => null);
      const answer = await Promise.race([asked, sleep(500, null)]);
      if (answer !== null)
        found = (JSON.parse(answer.body) as { checks: Record<string, unknown> }).checks['workers'];
      if (isDeepStrictEqual(found, expected)) return;
      await sleep(200);
    }
    assert.deepEqual(found, expected);
  }

  it('are two nodes that share the connections', async () => {
    const met = await meet(2, () => true);
    assert.equal(new Set(met.values()).size, 2);
    assert.equal(met.has(server.pid), false, 'the first process serves nothing itself');
  });

  it('have a folder and a journal each: two that wrote one would destroy it', async () => {
    const met = await meet(2, () => true);
    const corners = join(server.dataDir, 'nodes');
    const owners = readdirSync(corners)
      .filter((name) => name.endsWith('.lock'))
      .map((name) => (JSON.parse(readFileSync(join(corners, name), 'utf8')) as Health).pid);
    assert.deepEqual(owners.sort(), [...met.keys()].sort());
    const journals = ['1', '2'].map((corner) =>
      readFileSync(join(corners, corner, 'journal', 'id'), 'utf8'),
    );
    assert.notEqual(journals[0], journals[1]);
  });

  it('are told apart by nobody: the command line reaches both with one secret', async () => {
    const known = readAdminFile(`${server.dataDir}/nodes/1`);
    assert.equal(known?.address, server.address);
    for (let turn = 0; turn < 4; turn += 1) {
      const answer = await askOnce(`${server.address}/operator/nodes`, {
        headers: { authorization: `Bearer ${known?.token}` },
      });
      assert.equal(answer.status, 200, answer.body);
    }
  });

  it('say together how they are: /metrics has the values of both, /ready counts them', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      const { body } = await askOnce(`${server.address}/metrics`, {
        headers: { authorization: 'Bearer a key for whoever measures' },
      });
      const lags = body.split('\n').filter((line) => line.startsWith('sidelight_journal_bytes{'));
      assert.deepEqual(
        lags.map((line) => /worker="(\d)"/.exec(line)?.[1]).sort(),
        ['1', '2'],
        body.slice(0, 500),
      );
      await told({ ok: true, ready: 2, of: 2 });
    }
  });

  it('one that stands still is given nothing new, and that is told', async () => {
    const [still = 0] = (await meet(2, () => true)).keys();
    process.kill(still, 'SIGSTOP');
    try {
      await told({ ok: false, ready: 1, of: 2 });
      for (let turn = 0; turn < 6; turn += 1) assert.notEqual((await health()).pid, still);
    } finally {
      process.kill(still, 'SIGCONT');
    }
    await meet(2, () => true);
  });

  it('answer 421 at the door of a role they do not have', async () => {
    const answer = await askOnce(`${server.address}/categories`);
    assert.deepEqual([answer.status, JSON.parse(answer.body)], [421, { detail: 'wrong_role' }]);
    assert.equal((await askOnce(`${server.address}/ack`)).status, 400);
  });

  it('one that is killed is replaced, and nobody is turned away meanwhile', async () => {
    const [killed = 0, other] = (await meet(2, () => true)).keys();
    process.kill(killed, 'SIGKILL');
    await meet(1, (pid) => pid !== killed && pid !== other);
  });

  it('one that is told to leave is replaced, and fails nobody', async () => {
    const [leaving = 0, other] = (await meet(2, () => true)).keys();
    const statuses = new Map<number, number>();
    let isOver = false;
    const ask = async (): Promise<void> => {
      while (!isOver) {
        const { status } = await askOnce(`${server.address}/health`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await sleep(5);
      }
    };
    const asking = Promise.all(Array.from({ length: 4 }, ask));
    process.kill(leaving, 'SIGTERM');
    await meet(1, (pid) => pid !== leaving && pid !== other);
    isOver = true;
    await asking;
    assert.deepEqual([...statuses.keys()], [200]);
  });

  it('end together when they are told to, in order', async () => {
    server.kill('SIGTERM');
    assert.equal(await server.ended, 0);
    await assert.rejects(askOnce(`${server.address}/health`));
    const rows = await database.database.query<{ serves: boolean }>(
      `select (stats ->> 'serves')::boolean as serves
       from nodes
       order by started_at`,
    );
    // The one that was killed could not tell.
    assert.equal(rows.filter(({ serves }) => !serves).length, rows.length - 1);
  });

  it('say what they wait for while none of them can serve', async () => {
    const main = fileURLToPath(new URL('../../server/main.js', import.meta.url));
    const dataDir = mkdtempSync(join(tmpdir(), 'sidelight-waiting-'));
    const child = spawn(process.execPath, [main, 'serve'], {
      cwd: dataDir,
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing',
        WORKERS: '2',
        HOST: '127.0.0.1',
        PORT: '18497',
        DATA_DIR: dataDir,
      },
      stdio: 'ignore',
    });
    let body = '';
    for (let tries = 0; tries < 200 && !body.includes('reason'); tries += 1) {
      await sleep(100);
      body = await askOnce('http://127.0.0.1:18497/ready').then(
        (answer) => answer.body,
        () => '',
      );
    }
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(dataDir, { recursive: true, force: true });
    assert.match(body, /cannot reach the database/);
  });

  it('are refused in one line where the store belongs to one process', async () => {
    await assert.rejects(
      runWorkers(readConfig({ WORKERS: '2' }), () => undefined),
      /WORKERS is 2, and the embedded store belongs to one process/,
    );
  });
});
