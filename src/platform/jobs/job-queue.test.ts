import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { testEngines } from '../../../test/support/test-database.js';
import type { Database } from '../db/db.js';
import { silentLog } from '../log.js';
import { createJobQueue } from './job-queue.js';

const nodes = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
] as const;

for (const engine of testEngines()) {
  describe(`jobs on the ${engine.name} engine`, () => {
    let db: Database;
    const clock = { now: Date.UTC(2026, 4, 5) };
    const open = (nodeId: string = nodes[0]) =>
      createJobQueue<Record<string, Record<string, unknown>>, string>({
        db,
        clock: () => clock.now,
        log: silentLog,
        nodeId,
      });
    before(async () => {
      db = await engine.open();
    });
    after(() => db.close());

    it('run once, with the newest payload, however often they were asked for', async () => {
      const jobs = open();
      const seen: unknown[] = [];
      jobs.handle('once', async (payload, { key }) => void seen.push([key, payload]));
      for (const value of [1, 2, 3]) await jobs.enqueue(db, 'once', 'a', { value });
      assert.equal(await jobs.runDue(), 1);
      assert.equal(await jobs.runDue(), 0);
      assert.deepEqual(seen, [['a', { value: 3 }]]);
    });

    it('belong to the transaction that asked for them', async () => {
      const jobs = open();
      let ran = 0;
      jobs.handle('tx', async () => void (ran += 1));
      await assert.rejects(
        db.transaction(async (tx) => {
          await jobs.enqueue(tx, 'tx', 'a', {});
          throw new Error('rolled back');
        }),
      );
      await jobs.runDue();
      assert.equal(ran, 0);
    });

    it('asked for while they run, run again', async () => {
      const jobs = open();
      const seen: unknown[] = [];
      jobs.handle('again', async (payload) => {
        seen.push(payload['value']);
        if (seen.length === 1) await jobs.enqueue(db, 'again', 'a', { value: 'changed' });
      });
      await jobs.enqueue(db, 'again', 'a', { value: 'first' });
      await jobs.runDue();
      assert.deepEqual(seen, ['first', 'changed']);
    });

    it('asked for while the queue waits to look again run at once', async () => {
      const [asker, worker] = [
        open(nodes[0]),
        createJobQueue<Record<string, Record<string, unknown>>, string>({
          db,
          clock: () => clock.now,
          log: silentLog,
          nodeId: nodes[1],
          pollMs: 3_600_000,
        }),
      ];
      const heard: string[] = [];
      let hear = (): void => undefined;
      worker.handle('told', async (_payload, { key }) => {
        heard.push(key);
        hear();
      });
      worker.start();
      try {
        for (const key of ['first', 'second', 'third']) {
          const ran = new Promise<void>((resolve) => (hear = resolve));
          await db.transaction((tx) => asker.enqueue(tx, 'told', key, {}));
          await ran;
        }
      } finally {
        await worker.close();
      }
      assert.deepEqual(heard, ['first', 'second', 'third']);
    });

    it('asked for before anybody listens are found once somebody does', async () => {
      let listen = (): void => undefined;
      const slow: Database = {
        ...db,
        listen: (channel, heard) =>
          new Promise<void>((resolve) => (listen = resolve)).then(() => db.listen(channel, heard)),
      };
      const worker = createJobQueue<Record<string, Record<string, unknown>>, string>({
        db: slow,
        clock: () => clock.now,
        log: silentLog,
        nodeId: nodes[1],
        pollMs: 3_600_000,
      });
      const ran = new Promise<string>((resolve) =>
        worker.handle('unheard', async (_payload, { key }) => resolve(key)),
      );
      worker.start();
      try {
        // The first look finds nothing.
        await open().runDue();
        await new Promise((resolve) => setTimeout(resolve, 50));
        await open(nodes[0]).enqueue(db, 'unheard', 'early', {});
        listen();
        assert.equal(await ran, 'early');
      } finally {
        await worker.close();
      }
    });

    it('that fail wait longer each time and are given up at last', async () => {
      const jobs = open();
      const attempts: number[] = [];
      jobs.handle(
        'fails',
        async (_payload, { attempt }) => {
          attempts.push(attempt);
          throw new Error('no');
        },
        { maxAttempts: 3, backoffMs: (attempt) => attempt * 1000 },
      );
      await jobs.enqueue(db, 'fails', 'a', {});
      await jobs.runDue();
      clock.now += 999;
      assert.equal(await jobs.runDue(), 0);
      clock.now += 1;
      await jobs.runDue();
      clock.now += 2000;
      await jobs.runDue();
      clock.now += 1_000_000;
      assert.equal(await jobs.runDue(), 0);
      assert.deepEqual(attempts, [1, 2, 3]);
      const [row] = await db.query(
        `select last_error, finished_at is not null as finished from jobs where kind = 'fails'`,
      );
      assert.deepEqual(row, { last_error: 'no', finished: true });
    });

    it('run on one of several nodes, and on another when that one died', async () => {
      const [one, two] = [open(nodes[0]), open(nodes[1])];
      const ran: string[] = [];
      one.handle('shared', async () => void ran.push('one'));
      two.handle('shared', async () => void ran.push('two'));
      for (let index = 0; index < 12; index += 1)
        await one.enqueue(db, 'shared', String(index), {});
      await Promise.all([one.runDue(), two.runDue()]);
      assert.equal(ran.length, 12);
      await one.enqueue(db, 'shared', 'orphan', {});
      await db.query(
        `update jobs set locked_by = $1, locked_until = $2, attempts = 1 where key = 'orphan'`,
        [nodes[0], new Date(clock.now + 120_000)],
      );
      assert.equal(await two.runDue(), 0);
      clock.now += 120_001;
      assert.equal(await two.runDue(), 1);
    });

    it('leave the database alone once the queue is closed, also when it had just begun', async () => {
      let asked = 0;
      const counted: Database = Object.assign(Object.create(db), {
        query: ((sql, values) => {
          asked += 1;
          return db.query(sql, values);
        }) satisfies Database['query'],
      });
      const jobs = createJobQueue<Record<string, Record<string, unknown>>, string>({
        db: counted,
        clock: () => clock.now,
        log: silentLog,
        nodeId: nodes[0],
      });
      for (let kind = 0; kind < 8; kind += 1)
        jobs.every(`closing-${kind}`, 3_600_000, async () => undefined);
      jobs.start();
      await jobs.close();
      const before = asked;
      await db.query('select 1');
      await db.query('select 1');
      assert.equal(asked, before);
    });

    it('come round again and again when they are timed', async () => {
      const jobs = open();
      let rounds = 0;
      jobs.every('timed', 60_000, async () => void (rounds += 1));
      await jobs.enqueue(db, 'timed', 'first', {});
      for (let minute = 0; minute < 3; minute += 1) {
        await jobs.runDue();
        clock.now += 60_000;
      }
      assert.equal(rounds, 3);
    });
  });
}
