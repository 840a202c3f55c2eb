import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { testEngines } from '../../../test/support/test-database.js';
import type { Database, Db } from '../db/db.js';
import { createMintId } from '../ids.js';
import { silentLog } from '../log.js';
import type { EventRecord } from './event.js';
import { openEventLog } from './open-event-log.js';
import { createPartitions } from './partitions.js';
import { createRecorders } from './recorders.js';
import { rebuildTotals, verifyTotals } from './verify-totals.js';
import { eventFacts } from './event-facts.js';

const mintId = createMintId();
const now = Date.UTC(2026, 4, 6, 12);

for (const engine of testEngines()) {
  describe(`event log acknowledged by the journal, ${engine.name} engine`, () => {
    let database: Database;
    const folder = mkdtempSync(join(tmpdir(), 'sidelight-journal-log-'));
    let folders = 0;
    before(async () => {
      database = await engine.open();
      await createPartitions(database).ensure(['2026-05-06']);
      await database.script(`create table noted (id text primary key, times integer not null)`);
    });
    after(async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const ids = {
      publisherId: mintId(now),
      advertiserId: mintId(now),
      campaignId: mintId(now),
      adId: mintId(now),
    };
    const win = (userId: string): EventRecord => ({
      id: mintId(now),
      kind: 'win',
      at: now,
      ...ids,
      userId,
      country: 'DE',
      device: 'mobile',
    });
    const beacon = (ad: EventRecord, kind: 'impression' | 'click'): EventRecord => ({
      id: ad.id,
      kind,
      at: now + 1000,
      ...ids,
      spendMicros: kind === 'impression' ? 2000 : 0,
      revenueMicros: kind === 'impression' ? 1400 : 0,
      budgetDay: '2026-05-06',
    });
    const stored = async (events: readonly EventRecord[]): Promise<number> =>
      (
        await database.query(`select 1 from events where id = any($1::uuid[])`, [
          events.map((event) => event.id),
        ])
      ).length;

    async function open(
      options: {
        dir?: string;
        memoryEvents?: number;
        batchSize?: number;
        askMs?: number;
        lingerMs?: number;
      } = {},
    ) {
      const state = { away: false, fails: 0, losesAnswer: false };
      const gate = (): void => {
        if (state.away) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
        if (state.fails > 0 && state.fails-- > 0) throw new Error('lost the connection');
      };
      const db: Db = {
        ...database,
        async query(text, values) {
          gate();
          return database.query(text, values);
        },
        async transaction(work) {
          gate();
          const done = await database.transaction(work);
          if (!state.losesAnswer) return done;
          state.losesAnswer = false;
          throw new Error('lost the connection');
        },
      };
      const recorders = createRecorders();
      recorders.add('noted', async (tx, rows) => {
        for (const row of rows)
          await tx.query(
            `insert into noted (id, times)
             values ($1, 1)
             on conflict (id) do update set times = noted.times + 1`,
            [row],
          );
      });
      const dir = options.dir ?? join(folder, String((folders += 1)));
      const log = await openEventLog(dir, {
        db,
        partitions: createPartitions(database),
        recorders,
        clock: () => now,
        log: silentLog,
        retryMs: 5,
        lingerMs: options.lingerMs ?? 5,
        keepMs: 60_000,
        ...(options.askMs === undefined ? {} : { askMs: options.askMs }),
        ...(options.memoryEvents === undefined ? {} : { memoryEvents: options.memoryEvents }),
        ...(options.batchSize === undefined ? {} : { batchSize: options.batchSize }),
      });
      return { log, dir, state };
    }

    it('takes events while the disk does not read, and applies all of it once it does', async () => {
      const earlier = await open();
      const ads = [win('unread'), win('meanwhile')] as const;
      await earlier.log.append([ads[0]]);
      await earlier.log.close();
      const { log, dir } = await open({ dir: earlier.dir });
      const [file = ''] = readdirSync(join(dir, 'journal')).filter((name) => name.endsWith('.log'));
      const path = join(dir, 'journal', file);
      renameSync(path, `${path}.away`);
      log.start();
      assert.deepEqual(await log.append([ads[1]]), ['journalled']);
      await new Promise((resolve) => setTimeout(resolve, 30));
      assert.equal(await stored(ads), 0);
      renameSync(`${path}.away`, path);
      await log.drain();
      assert.equal(await stored(ads), 2);
      await log.close();
    });

    it('lets events gather, and brings them along with the first row of another table', async () => {
      const { log } = await open({ lingerMs: 600_000 });
      log.start();
      const ads = [win('gathers'), win('gathers too')] as const;
      for (const ad of ads) await log.append([ad]);
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.equal(await stored(ads), 0);
      const applied = new Promise((resolve) =>
        log.appendEntry(
          { events: [win('comes with it')], rows: { noted: ['soon'] } },
          { onApplied: resolve },
        ),
      );
      await applied;
      assert.equal(await stored(ads), 2);
      // The next ones gather again.
      const later = win('later');
      await log.append([later]);
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.equal(await stored([later]), 0);
      await log.close();
      assert.equal(await stored([later]), 1);
      await database.query(`delete from noted where id = 'soon'`);
    });

    it('is acknowledged while the database is away, and applied once it is back', async () => {
      const { log, state } = await open();
      log.start();
      state.away = true;
      const ads = Array.from({ length: 5 }, (_, n) => win(`away-${n}`));
      for (const ad of ads) assert.deepEqual(await log.append([ad]), ['journalled']);
      assert.equal(await stored(ads), 0);
      assert.ok(log.stats.journalled > 0);
      state.away = false;
      await log.drain();
      assert.equal(log.stats.journalled, 0);
      assert.equal(await stored(ads), 5);
      await log.close();
    });

    it('tells which were new, gives beacons the user of their ad, and adds up what SQL does', async () => {
      const { log } = await open();
      log.start();
      const ad = win('seen');
      const told: boolean[][] = [];
      const onApplied = (isNew: boolean[]): void => void told.push(isNew);
      await log.append([ad, beacon(ad, 'impression')], { onApplied });
      await log.append([beacon(ad, 'impression'), beacon(ad, 'click')], { onApplied });
      await log.drain();
      assert.deepEqual(told, [
        [true, true],
        [false, true],
      ]);
      const [user] = await database.query(
        `select ads_served, impressions, clicks, revenue_micros
         from publisher_users
         where publisher_id = $1 and user_id = 'seen'`,
        [ids.publisherId],
      );
      assert.deepEqual(user, { ads_served: 1, impressions: 1, clicks: 1, revenue_micros: 1400 });
      // The row of the ad says the rest.
      assert.deepEqual(
        await database.query(
          `select kind, advertiser_id is null as leaves, user_id as "user"
           from events
           where id = $1
           order by kind`,
          [ad.id],
        ),
        [
          { kind: 'click', leaves: true, user: null },
          { kind: 'impression', leaves: true, user: null },
          { kind: 'win', leaves: false, user: 'seen' },
        ],
      );
      assert.deepEqual(
        await database.query(
          `select kind, advertiser_id as advertiser, user_id as "user"
           from ${eventFacts()} e
           where id = $1 and kind = 'click' and publisher_id = $2`,
          [ad.id, ids.publisherId],
        ),
        [{ kind: 'click', advertiser: ad.advertiserId, user: 'seen' }],
      );
      assert.equal((await verifyTotals(database)).isClean, true);
      await log.close();
    });

    it('gives a beacon the facts of an ad that is still being stored, not of one refused', async () => {
      const { log } = await open({ batchSize: 4 });
      const ads = Array.from({ length: 40 }, (_, n) => win(`ahead-${n}`));
      // No text of PostgreSQL has this character: the database refuses the ad.
      const refused = { ...win('ahead-refused'), country: '\u0000' };
      const served = [...ads.slice(0, 30), refused, ...ads.slice(30)];
      for (let at = 0; at < served.length; at += 4) {
        const few = served.slice(at, at + 4);
        for (const ad of few) await log.append([ad]);
        for (const ad of few) await log.append([beacon(ad, 'impression')]);
      }
      log.start();
      await log.drain();
      const users = await database.query<{ user_id: string; impressions: number }>(
        `select user_id, impressions from publisher_users where user_id like 'ahead-%'`,
      );
      assert.deepEqual(
        new Map(users.map((user) => [user.user_id, user.impressions])),
        new Map(ads.map((ad) => [ad.userId ?? '', 1])),
      );
      const wide = await database.query<{ id: string }>(
        `select id
         from events
         where kind = 'impression' and advertiser_id is not null and id = any($1::uuid[])`,
        [served.map(({ id }) => id)],
      );
      assert.deepEqual(wide, [{ id: refused.id }]);
      assert.ok((await verifyTotals(database)).isClean);
      await log.close();
    });

    it('reads back from the disk what does not fit in memory, in order and once', async () => {
      const { log, state } = await open({ memoryEvents: 5, batchSize: 7 });
      log.start();
      state.away = true;
      const ads = Array.from({ length: 40 }, (_, n) => win(`many-${n}`));
      for (const ad of ads) await log.append([ad]);
      for (const ad of ads) await log.append([beacon(ad, 'impression')]);
      assert.equal(log.stats.lagMs, 0, 'the clock of this test stands still');
      state.away = false;
      await log.drain();
      assert.equal(await stored(ads), 80);
      const later = win('later');
      await log.append([later]);
      await log.drain();
      assert.equal(await stored([later]), 1);
      assert.equal((await verifyTotals(database)).isClean, true);
      await log.close();
    });

    it('applies rows of other tables exactly once, through failures and restarts', async () => {
      const { log, state, dir } = await open({ batchSize: 2 });
      state.fails = 3;
      for (const name of ['a', 'b', 'c'])
        await log.appendEntry({ events: [win(name)], rows: { noted: [name, name] } });
      log.start();
      await log.drain();
      await log.close();
      const next = await open({ dir });
      next.log.start();
      await next.log.appendEntry({ events: [], rows: { noted: ['d'] } });
      await next.log.drain();
      await next.log.close();
      assert.deepEqual(
        await database.query(`select id, times from noted order by id`),
        ['a', 'b', 'c', 'd'].map((id) => ({ id, times: id === 'd' ? 1 : 2 })),
      );
    });

    it('begins where the database is after a crash, and doubles nothing without that', async () => {
      const { log, dir } = await open();
      log.start();
      const ads = Array.from({ length: 10 }, (_, n) => win(`crash-${n}`));
      for (const ad of ads) await log.append([ad, beacon(ad, 'impression')]);
      await log.drain();
      // Not closed: the process is gone. Nor does the database know the journal.
      await database.query(`delete from journal_positions`);
      const next = await open({ dir });
      assert.ok(next.log.stats.journalled > 0);
      next.log.start();
      await next.log.drain();
      assert.equal(await stored(ads), 20);
      assert.equal((await verifyTotals(database)).isClean, true);
      await next.log.close();
      await log.close();
    });

    /** What a replica that was behind looks like: nothing of the next day, nor its table. */
    async function goBack(positions: readonly object[]): Promise<void> {
      await database.script(`drop table events_20260507`);
      await database.query(`delete from noted where id like 'lost-%'`);
      await database.query(`delete from journal_positions`);
      await database.query(
        `insert into journal_positions
         select * from json_populate_recordset(null::journal_positions, $1::json)`,
        [JSON.stringify(positions)],
      );
      await rebuildTotals(database);
    }

    for (const [how, after] of [
      ['with the next event', 'append'],
      ['while nothing happens', 'wait'],
      ['at the next start', 'restart'],
    ] as const)
      it(`applies again what a database that went back has lost, once, found ${how}`, async () => {
        const { log, dir, state } = await open(after === 'wait' ? { askMs: 5 } : {});
        log.start();
        const kept = win(`kept-${after}`);
        await log.append([kept, beacon(kept, 'impression')]);
        await log.drain();
        const positions = await database.query(`select * from journal_positions`);
        const lost = Array.from({ length: 6 }, (_, n) => ({
          ...win(`lost-${n}`),
          id: mintId(now + 86_400_000),
        }));
        for (const ad of lost)
          await log.appendEntry({
            events: [ad, beacon(ad, 'impression')],
            rows: { noted: [`lost-${after}-${ad.userId}`] },
          });
        await log.drain();
        assert.equal(await stored([kept, ...lost]), 14);
        if (after === 'restart') await log.close();
        state.away = true;
        await goBack(positions);
        state.away = false;
        assert.equal(await stored([kept, ...lost]), 2);
        const next = after === 'restart' ? await open({ dir }) : { log };
        next.log.start();
        const later = win(`later-${after}`);
        if (after !== 'wait') await next.log.append([later]);
        else while (next.log.stats.rewound === 0) await new Promise(setImmediate);
        await next.log.drain();
        assert.equal(await stored([kept, ...lost, later]), after === 'wait' ? 14 : 15);
        assert.equal(next.log.stats.rewound, after === 'restart' ? 0 : 1);
        assert.deepEqual(
          await database.query(`select distinct times from noted where id like 'lost-%'`),
          [{ times: 1 }],
        );
        assert.equal((await verifyTotals(database)).isClean, true);
        await next.log.close();
      });

    it('takes a commit whose answer was lost for what it is', async () => {
      const { log, state } = await open();
      log.start();
      state.losesAnswer = true;
      const ad = win('answer lost');
      await log.appendEntry({ events: [ad], rows: { noted: ['answer lost'] } });
      await log.drain();
      assert.equal(state.losesAnswer, false);
      assert.deepEqual(await database.query(`select times from noted where id = 'answer lost'`), [
        { times: 1 },
      ]);
      assert.equal(log.stats.rewound, 0);
      await log.close();
    });

    it('applies everything but a damaged record, and says so until a person looked', async () => {
      const { log, dir, state } = await open();
      state.away = true;
      const ads = Array.from({ length: 9 }, (_, n) => win(`damaged-${n}`));
      for (const ad of ads) await log.append([ad]);
      await log.close();
      const journal = join(dir, 'journal');
      const [file = ''] = readdirSync(journal).filter((name) => name.endsWith('.log'));
      const bytes = readFileSync(join(journal, file));
      const at = bytes.indexOf('damaged-4');
      bytes[at] = (bytes[at] ?? 0) ^ 4;
      writeFileSync(join(journal, file), Buffer.concat([bytes, Buffer.alloc(4096)]));
      const next = await open({ dir });
      next.log.start();
      const last = win('behind');
      await next.log.append([last]);
      await next.log.drain();
      assert.equal(await stored([...ads, last]), 9);
      assert.equal(next.log.stats.damaged, 1);
      assert.equal(next.log.stats.journalled, 0);
      await next.log.close();
      const again = await open({ dir });
      assert.equal(again.log.stats.damaged, 1);
      await again.log.close();
    });

    it('waits only for what it holds of an ad', async () => {
      const { log, state } = await open();
      log.start();
      const ad = win('settled');
      await log.append([ad]);
      await log.settled([ad.id]);
      assert.equal(await stored([ad]), 1);
      state.away = true;
      await log.append([win('other')]);
      await log.settled([ad.id]);
      state.away = false;
      await log.drain();
      await log.close();
    });
  });
}
