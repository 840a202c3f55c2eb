import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { applyJournal } from '../../src/cli/apply-journal.js';
import { openStore } from '../../src/cli/open-store.js';
import { readConfig } from '../../src/config.js';
import { verifyTotals } from '../../src/platform/events/verify-totals.js';

const writer = new URL('../../bench/support/event-writer.js', import.meta.url);

/** Appends with many writers until so many are acknowledged, then dies without a word. */
function writeUntilKilled(dataDir: string, wanted: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const acknowledged: string[] = [];
    const child = fork(writer, ['1000000', '64'], {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.once('error', reject);
    child.on('message', (message: { acknowledged?: string[] }) => {
      acknowledged.push(...(message.acknowledged ?? []));
      if (acknowledged.length >= wanted) child.kill('SIGKILL');
    });
    child.once('exit', () => resolve(acknowledged));
  });
}

describe('a server that is killed under load', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sidelight-killed-'));
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  it('has stored what it acknowledged, once, and its totals are those of the events', async () => {
    const acknowledged = new Set<string>();
    for (const wanted of [50, 1500])
      for (const key of await writeUntilKilled(dataDir, wanted)) acknowledged.add(key);
    const store = await openStore(readConfig({ DATA_DIR: dataDir }));
    try {
      await applyJournal(store, () => undefined);
      const rows = await store.db.query<{ key: string }>(
        `select kind || ':' || id as key from events`,
      );
      const stored = new Set(rows.map((row) => row.key));
      assert.equal(rows.length, stored.size);
      assert.deepEqual(
        [...acknowledged].filter((key) => !stored.has(key)),
        [],
      );
      const report = await verifyTotals(store.db);
      assert.equal(report.isClean, true, JSON.stringify(report.tables));
    } finally {
      await store.close();
    }
  });
});
