import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { testEngines } from '../../test/support/test-database.js';
import type { Database } from '../platform/db/db.js';
import { exportStore } from '../platform/db/export-store.js';
import { importStore } from '../platform/db/import-store.js';
import { eventFacts } from '../platform/events/event-facts.js';
import type { EventRecord } from '../platform/events/event.js';
import type { EventLog } from '../platform/events/event-log.js';
import { shipByCommand, shipToFolder } from '../platform/events/journal/ship-targets.js';
import { openEventLog } from '../platform/events/open-event-log.js';
import { createPartitions } from '../platform/events/partitions.js';
import { createRecorders } from '../platform/events/recorders.js';
import { verifyTotals } from '../platform/events/verify-totals.js';
import { createMintId } from '../platform/ids.js';
import { silentLog } from '../platform/log.js';
import { replayJournal } from './replay-journal.js';

const mintId = createMintId();

for (const engine of testEngines())
  describe(`restore to a moment, ${engine.name} engine`, () => {
    const root = mkdtempSync(join(tmpdir(), 'sidelight-replay-'));
    const shipped = join(root, 'shipped');
    let source: Database;
    let target: Database;
    // Behind the backup, whose time is the database's, however long this takes.
    let at = Date.now() + 86_400_000;
    before(async () => {
      [source, target] = await Promise.all([engine.open(), engine.open()]);
    });
    after(async () => {
      await Promise.all([source.close(), target.close()]);
      rmSync(root, { recursive: true, force: true });
    });

    const ids = {
      publisherId: mintId(at),
      advertiserId: mintId(at),
      campaignId: mintId(at),
      adId: mintId(at),
    };
    const win = (userId: string): EventRecord => ({
      id: mintId(at),
      kind: 'win',
      at,
      ...ids,
      userId,
    });
    const seen = ({ id }: EventRecord): EventRecord => ({ id, kind: 'impression', at, ...ids });
    const openNode = async (name: string, byCommand = false): Promise<EventLog> => {
      const ship = byCommand
        ? shipByCommand(`mkdir -p "${shipped}/\${2%/*}" && cp "$1" "${shipped}/$2"`)
        : shipToFolder(shipped);
      const log = await openEventLog(join(root, name), {
        db: source,
        partitions: createPartitions(source),
        recorders: createRecorders(),
        clock: () => at,
        log: silentLog,
        lingerMs: 5,
        // What is to be copied is, however slow the disk.
        slowMs: 600_000,
        shipping: { ship, everyMs: 3_600_000 },
      });
      log.start();
      return log;
    };
    const restored = {
      nodeDir: join(root, 'restored'),
      settle: async () => {},
      close: async () => {},
    };
    const users = async (db: Database): Promise<string[]> => {
      const rows = await db.query<{ name: string }>(
        `select kind || ' ' || user_id as name from ${eventFacts()} e order by 1`,
      );
      return rows.map((row) => row.name);
    };

    it('has everything acknowledged up to then, of all nodes, once, and goes on from there', async () => {
      const [one, two] = [await openNode('one'), await openNode('two', true)];
      const early = win('early');
      await one.append([early]);
      await one.drain();
      const backup = join(root, 'backup');
      await exportStore(source, backup);
      await importStore(target, backup);

      at += 5_000;
      const mid = win('mid');
      await one.append([mid]);
      // Seen on the other node a moment later, and of the early one too.
      at += 5_000;
      await two.append([seen(mid), seen(early)]);
      const moment = at;
      at += 5_000;
      await one.append([win('late')]);
      await one.close();
      await two.close();
      assert.equal(readdirSync(shipped).length, 2);

      const lines: string[] = [];
      const print = (line: string): void => void lines.push(line);
      const store = { ...restored, db: target };
      await assert.rejects(
        replayJournal(store, { folder: shipped, until: Date.now() - 3_600_000 }, print),
        /later than the moment/,
      );
      await replayJournal(store, { folder: shipped, until: moment }, print);
      assert.deepEqual(await users(target), [
        'impression early',
        'impression mid',
        'win early',
        'win mid',
      ]);
      assert.equal((await verifyTotals(target)).isClean, true);
      assert.match(lines[0] ?? '', /^applied 3 events in 2 entries/);
      assert.equal(lines.length, 1);

      await replayJournal(store, { folder: shipped, until: Infinity }, print);
      assert.deepEqual(await users(target), await users(source));
      assert.equal((await verifyTotals(target)).isClean, true);
      assert.deepEqual(
        readdirSync(join(restored.nodeDir, 'journal')).filter((name) => name.endsWith('.log')),
        [],
      );
    });

    it('says what is missing and passes over what is damaged', async () => {
      const node = await openNode('three');
      const journal = join(root, 'three', 'journal');
      const ads = ['a', 'b', 'c'].map(win);
      for (const ad of ads) {
        await node.append([ad]);
        await node.drain();
        node.sweep(0);
      }
      const files = readdirSync(journal)
        .filter((name) => name.endsWith('.log'))
        .sort();
      assert.equal(files.length, 3);
      await node.close();
      const [id = ''] = readdirSync(shipped).filter((name) =>
        readdirSync(join(shipped, name)).includes(files[2] ?? '-'),
      );
      rmSync(join(shipped, id, files[1] ?? ''));
      appendFileSync(join(shipped, id, files[2] ?? ''), 'torn');
      const lines: string[] = [];
      await replayJournal(
        { ...restored, db: target },
        { folder: shipped, until: Infinity },
        (line) => lines.push(line),
      );
      const found = (await users(target)).filter((name) => /^win [abc]$/.test(name));
      assert.deepEqual(found, ['win a', 'win c']);
      assert.match(lines.join('\n'), /1 damaged places.*\n.*are not there/);
    });
  });
