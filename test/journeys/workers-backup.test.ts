import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { after, before, describe, it } from 'node:test';
import { newFolder, removeFolders, start, untilShipped } from '../support/command-line.js';
import {
  askOnce,
  endServerProcess,
  type ServerProcess,
  startServerProcess,
} from '../support/server-process.js';
import { openServerTestDatabase } from '../support/test-database.js';

const passphrase = { BACKUP_PASSPHRASE: 'a passphrase for the test' };

/** Of one table in a backup, as they lie there. */
function rowsOf(backup: string, table: string): string[] {
  const lines = backup.split('\n');
  const first = lines.findIndex((line) => line.startsWith(`{"table":"${table}"`)) + 1;
  const count = lines.slice(first).findIndex((line) => line.startsWith('{'));
  return lines.slice(first, first + count);
}

describe('a backup of two workers behind one port', () => {
  let database: Awaited<ReturnType<typeof openServerTestDatabase>>;
  let server: ServerProcess;
  let key = '';
  const shipped = newFolder();
  const file = join(newFolder(), 'backup.jsonl.gz');
  /** Every request that was answered, before and after the backup. */
  const early: string[] = [];
  const late: string[] = [];
  before(async () => {
    database = await openServerTestDatabase({ migrated: false });
    server = await startServerProcess({
      DATABASE_URL: database.url,
      WORKERS: '2',
      DEMO: 'accounts',
      DRAIN_SECONDS: '0',
      JOURNAL_SHIP_DIR: shipped,
      JOURNAL_SHIP_SECONDS: '1',
    });
    await server.says(/2 workers serve/);
    // Written by the server just now.
    const demo = JSON.parse(readFileSync(join(server.dataDir, 'demo.json'), 'utf8')) as {
      publisher: { api_key: string };
    };
    key = demo.publisher.api_key;
  });
  after(async () => {
    await endServerProcess(server);
    await database.database.close();
    removeFolders();
  });

  /** By a connection of its own, so that workers answer in turn. */
  async function ask(): Promise<string> {
    const answer = await askOnce(`${server.address}/api/v1/ad`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"messages":[{"role":"user","content":"a kettle"}],"sessionId":"s","placements":[{"placement":"below_response","placement_id":"p"}]}',
    });
    assert.ok(answer.status < 300, answer.body);
    return String(answer.headers['x-ad-request-id']);
  }
  const command = (...args: string[]) =>
    start(args, { DATABASE_URL: database.url, DATA_DIR: server.dataDir, ...passphrase });
  const stored = async (ids: readonly string[]): Promise<number> =>
    (await database.database.query(`select 1 from events where id = any($1::uuid[])`, [ids]))
      .length;
  const pidOf = (corner: number): number => {
    const lock = readFileSync(join(server.dataDir, 'nodes', `${corner}.lock`), 'utf8');
    // Written by the worker that has it.
    return (JSON.parse(lock) as { pid: number }).pid;
  };

  it('holds what each of them had acknowledged, once, also of one that stands still', async () => {
    const still = pidOf(2);
    // Until the last that it answered is in its journal alone.
    for (;;) {
      early.push(...(await Promise.all([ask(), ask(), ask(), ask()])));
      process.kill(still, 'SIGSTOP');
      await sleep(1_500);
      if ((await stored(early)) < early.length) break;
      process.kill(still, 'SIGCONT');
    }
    const saving = command('backup', file).ended;
    await Promise.race([saving, sleep(5_000)]);
    process.kill(still, 'SIGCONT');
    const saved = await saving;
    assert.deepEqual([saved.code, saved.complaint], [0, '']);
    const rows = rowsOf(gunzipSync(readFileSync(file)).toString(), 'events');
    const times = early.map((id) => rows.filter((row) => row.includes(`"${id}"`)).length);
    assert.deepEqual(
      times,
      early.map(() => 1),
    );
  });

  it('verifies and rebuilds with what both have just acknowledged', async () => {
    for (let turn = 0; turn < 6; turn += 1) late.push(await ask());
    const rebuilt = await command('rebuild').ended;
    assert.deepEqual([rebuilt.code, rebuilt.complaint], [0, '']);
    for (let turn = 0; turn < 6; turn += 1) late.push(await ask());
    const verified = await command('verify').ended;
    assert.deepEqual([verified.code, verified.complaint], [0, ''], verified.out);
    assert.equal(await stored(late), late.length);
  });

  it('is brought up to the last by the shipped journals of both', async () => {
    for (const id of [...early, ...late]) await untilShipped(shipped, id);
    server.kill('SIGTERM');
    assert.equal(await server.ended, 0);
    const target = await openServerTestDatabase({ migrated: false });
    const into = { DATABASE_URL: target.url, DATA_DIR: newFolder(), ...passphrase };
    const restored = await start(['restore', file, '--journal', shipped], into).ended;
    assert.deepEqual([restored.code, restored.complaint], [0, '']);
    const requests = await target.database.query<{ id: string }>(
      `select id::text as id from events where kind = 'request'`,
    );
    assert.deepEqual(requests.map(({ id }) => id).sort(), [...early, ...late].sort());
    assert.match((await start(['verify'], into).ended).out, /^ok .*limits/m);
    await target.database.close();
  });
});
