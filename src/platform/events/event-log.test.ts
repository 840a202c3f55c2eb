import assert from 'node:assert/strict';
import { fdatasync, mkdtempSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { testEngines } from '../../../test/support/test-database.js';
import type { Database, Db } from '../db/db.js';
import { AppError } from '../errors.js';
import { createMintId } from '../ids.js';
import { silentLog } from '../log.js';
import type { EventRecord } from './event.js';
import { createEventLog } from './event-log.js';
import { type Disk, openJournal } from './journal/journal.js';
import { loadPosition } from './journal/position-queries.js';
import { createPartitions } from './partitions.js';
import { createRecorders } from './recorders.js';
import { verifyTotals } from './verify-totals.js';

const mintId = createMintId();
const now = Date.UTC(2026, 4, 5, 12);

/** The database with a switch: away it refuses, held it does not answer. */
function withSwitch(db: Db) {
  const order: string[][] = [];
  const state = { away: false, held: null as Promise<void> | null, order };
  const gate = async (): Promise<void> => {
    if (state.away) throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
    if (state.held !== null) await state.held;
  };
  const note = (text: string, values: readonly unknown[] | undefined): void => {
    if (!text.includes('insert into events')) return;
    // The first list that names users is that of the events.
    const users = values?.map((value) => String(value).match(/(?:away|left)-\d+/g) ?? []);
    order.push(users?.find((names) => names.length > 0) ?? []);
  };
  const wrapped: Db = {
    ...db,
    async query(text, values) {
      await gate();
      note(text, values);
      return db.query(text, values);
    },
    async transaction(work) {
      await gate();
      return db.transaction((tx) =>
        work({
          ...tx,
          query(text, values) {
            note(text, values);
            return tx.query(text, values);
          },
        }),
      );
    },
  };
  return { db: wrapped, state };
}

for (const engine of testEngines()) {
  describe(`event log acknowledged by the ${engine.name} database`, () => {
    let database: Database;
    const folder = mkdtempSync(join(tmpdir(), 'sidelight-log-'));
    let folders = 0;
    before(async () => {
      database = await engine.open();
      await createPartitions(database).ensure(['2026-05-05']);
    });
    after(async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const publisherId = mintId(now);
    const request = (userId: string, more: Partial<EventRecord> = {}): EventRecord => ({
      id: mintId(now),
      kind: 'request',
      at: now,
      publisherId,
      userId,
      ...more,
    });
    const stored = async (events: readonly EventRecord[]): Promise<number> =>
      (
        await database.query(`select 1 from events where id = any($1::uuid[])`, [
          events.map((event) => event.id),
        ])
      ).length;
    async function open(options: { disk?: Disk; dir?: string; slowMs?: number } = {}) {
      const { db, state } = withSwitch(database);
      const dir = options.dir ?? join(folder, String((folders += 1)));
      const journal = openJournal(dir, {
        log: silentLog,
        ...(options.disk === undefined ? {} : { disk: options.disk }),
      });
      const log = createEventLog({
        db,
        partitions: createPartitions(db),
        recorders: createRecorders(),
        journal,
        position: await loadPosition(database, journal.id),
        refusedFile: join(dir, 'refused.jsonl'),
        clock: () => now,
        log: silentLog,
        ack: 'database',
        slowMs: options.slowMs ?? 60_000,
        retryMs: 5,
      });
      log.start();
      return { log, state, dir };
    }

    it('answers what was new and what was not, also inside one batch', async () => {
      const { log } = await open();
      const one = request('u');
      const two = request('u');
      assert.deepEqual(await log.append([one, two, one]), ['new', 'new', 'duplicate']);
      assert.deepEqual(await log.append([two]), ['duplicate']);
      assert.deepEqual(await log.append([]), []);
      await log.close();
    });

    it('stores every one of many sequential and concurrent appends', async () => {
      const { log } = await open();
      const events = Array.from({ length: 60 }, () => request('many'));
      await Promise.all(
        [0, 1, 2].map(async (lane) => {
          for (const event of events.filter((_, index) => index % 3 === lane)) {
            // Different numbers of turns of the microtask queue between one append and the next.
            for (let turn = 0; turn < lane * 3; turn += 1) await Promise.resolve();
            assert.deepEqual(await log.append([event]), ['new']);
          }
        }),
      );
      assert.equal(await stored(events), 60);
      assert.equal(log.stats.queued, 0);
      await log.close();
    });

    it('journals while the database is away and drains in order when it is back', async () => {
      const { log, state } = await open();
      state.away = true;
      const events = Array.from({ length: 20 }, (_, index) => request(`away-${index}`));
      for (const event of events) assert.deepEqual(await log.append([event]), ['journalled']);
      assert.equal(await stored(events), 0);
      assert.ok(log.stats.journalled > 0);
      state.away = false;
      const last = request('away-20');
      await log.append([last]);
      await log.drain();
      assert.equal(await stored([...events, last]), 21);
      assert.equal(log.stats.journalled, 0);
      assert.deepEqual(
        state.order.flat(),
        Array.from({ length: 21 }, (_, index) => `away-${index}`),
      );
      assert.deepEqual(await log.append([events[0] ?? last]), ['duplicate']);
      assert.equal((await verifyTotals(database)).isClean, true);
      await log.close();
    });

    it('answers from the journal while the database hangs, for as long as it hangs', async () => {
      const { log, state } = await open({ slowMs: 20 });
      let release = (): void => undefined;
      state.held = new Promise((resolve) => {
        release = resolve;
      });
      const events = Array.from({ length: 5 }, (_, index) => request(`slow-${index}`));
      for (const event of events) assert.deepEqual(await log.append([event]), ['journalled']);
      assert.equal(log.stats.queued, 0);
      state.held = null;
      release();
      await log.drain();
      assert.equal(await stored(events), 5);
      assert.equal((await verifyTotals(database)).isClean, true);
      await log.close();
    });

    it('refuses only the event that is wrong, not those beside it', async () => {
      const { log } = await open();
      const good = Array.from({ length: 9 }, () => request('beside'));
      const bad = request('bad', { publisherId: 'not a uuid' });
      const outcomes = await Promise.allSettled(
        [...good.slice(0, 4), bad, ...good.slice(4)].map((event) => log.append([event])),
      );
      assert.deepEqual(
        outcomes.map((outcome) => outcome.status),
        [...Array<string>(4).fill('fulfilled'), 'rejected', ...Array<string>(5).fill('fulfilled')],
      );
      assert.equal(await stored(good), 9);
      await log.close();
    });

    it('sets a wrong event of the journal aside and drains those behind it', async () => {
      const { log, state, dir } = await open();
      state.away = true;
      const good = Array.from({ length: 6 }, (_, index) => request(`behind-${index}`));
      const bad = request('bad', { advertiserId: 'nobody' });
      for (const event of [...good.slice(0, 3), bad, ...good.slice(3)])
        assert.deepEqual(await log.append([event]), ['journalled']);
      state.away = false;
      await log.drain();
      assert.equal(await stored(good), 6);
      assert.match(readFileSync(join(dir, 'refused.jsonl'), 'utf8'), new RegExp(bad.id));
      await log.close();
    });

    it('refuses with 503 when neither the database nor the disk takes it, and recovers', async () => {
      let isFull = true;
      const { log, state } = await open({
        disk: {
          write: writeSync,
          sync(handle, done) {
            if (isFull)
              done(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
            else fdatasync(handle, done);
          },
        },
      });
      state.away = true;
      const refused = request('refused');
      await assert.rejects(
        log.append([refused]),
        (error) => error instanceof AppError && error.status === 503,
      );
      assert.equal(log.stats.refusal, 'ENOSPC');
      isFull = false;
      // Whoever asks is sent elsewhere by now: it finds out by itself.
      while (log.stats.refusal !== null) await new Promise((resolve) => setTimeout(resolve, 20));
      const kept = request('kept');
      assert.deepEqual(await log.append([kept]), ['journalled']);
      state.away = false;
      await log.drain();
      assert.equal(await stored([kept]), 1);
      assert.equal(await stored([refused]), 0);
      await log.close();
    });

    it('closes in the middle of draining and leaves the rest to the next start', async () => {
      const { log, state, dir } = await open({ slowMs: 20 });
      state.away = true;
      const events = Array.from({ length: 30 }, (_, index) => request(`left-${index}`));
      for (const event of events) await log.append([event]);
      await log.close();
      await assert.rejects(log.append([request('late')]), AppError);
      assert.equal(await stored(events), 0);
      const next = await open({ dir });
      assert.ok(next.log.stats.journalled > 0);
      await next.log.drain();
      assert.equal(await stored(events), 30);
      assert.deepEqual(
        next.state.order.flat(),
        events.map((event) => event.userId),
      );
      await next.log.close();
    });

    it('finishes what was appended before it closes', async () => {
      const { log } = await open();
      const event = request('closing');
      const appended = log.append([event]);
      await log.close();
      assert.deepEqual(await appended, ['new']);
      assert.equal(await stored([event]), 1);
    });
  });
}
