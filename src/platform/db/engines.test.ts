import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { testEngines } from '../../../test/support/test-database.js';
import { binaryList } from './binary-list.js';
import type { Database } from './db.js';
import { TransactionAborted, TransactionOver } from './session-db.js';

for (const engine of testEngines()) {
  describe(engine.name, () => {
    let db: Database;
    before(async () => {
      db = await engine.open();
      await db.script(
        'create table note (id integer primary key, body text); create table counter (id integer primary key, n bigint not null)',
      );
    });
    after(() => db.close());

    it('gives column values the agreed JavaScript types', async () => {
      const [row] = await db.query(
        `select 9007199254740991::bigint as big, '{1,null,2}'::bigint[] as bigs,
           date '2026-02-03' as day, '{2026-02-03}'::date[] as days, 12.50::numeric as amount,
           timestamptz '2026-02-03 04:05:06.789+02' as at, timestamp '2026-02-03 04:05:06' as wall,
           '{"a":[1]}'::jsonb as doc, true as flag, 1.5::float8 as ratio, null as nothing,
           'x'::text as word, '\\x0102'::bytea as raw`,
      );
      assert.deepEqual(row, {
        big: 9007199254740991,
        bigs: [1, null, 2],
        day: '2026-02-03',
        days: ['2026-02-03'],
        amount: '12.50',
        at: new Date('2026-02-03T02:05:06.789Z'),
        wall: new Date('2026-02-03T04:05:06Z'),
        doc: { a: [1] },
        flag: true,
        ratio: 1.5,
        nothing: null,
        word: 'x',
        raw: Buffer.from([1, 2]),
      });
    });

    it('takes parameters of every common type and gives them back', async () => {
      const at = new Date('2026-12-31T23:30:00.123Z');
      const [row] = await db.query(
        `select $1::timestamptz as at, $2::date as day, $3::jsonb as doc, $4::text[] as words,
           $5::bigint as big, $6::text as word, $7::text as missing, $8::bytea as raw`,
        [
          at,
          at,
          { a: 'ü "quoted"' },
          ['a,b', 'c"d', 'ŝ'],
          9007199254740991,
          "o'clock \\ 😀",
          undefined,
          Buffer.from([0, 255]),
        ],
      );
      assert.deepEqual(row, {
        at,
        day: '2026-12-31',
        doc: { a: 'ü "quoted"' },
        words: ['a,b', 'c"d', 'ŝ'],
        big: 9007199254740991,
        word: "o'clock \\ 😀",
        missing: null,
        raw: Buffer.from([0, 255]),
      });
    });

    it('takes lists in binary form as what they stand for', async () => {
      const id = '01890a5d-ac96-774b-bcce-b302099a8057';
      const at = new Date('1999-12-31T23:59:59.999Z');
      const rows = await db.query(
        `select *
         from rows from (
             unnest($1::uuid[]), unnest($2::text[]), unnest($3::bigint[]), unnest($4::smallint[]),
             unnest($5::boolean[]), unnest($6::date[]), unnest($7::timestamptz[])
           ) as r (id, word, big, small, flag, day, at)`,
        [
          binaryList('uuid', [id, null]),
          binaryList('text', ['ŝ 😀', '']),
          binaryList('bigint', [-9007199254740991, 9007199254740991]),
          binaryList('smallint', [-32768, undefined]),
          binaryList('boolean', [true, false]),
          binaryList('date', [20_487, 0]),
          binaryList('timestamptz', [at.getTime(), Date.UTC(2026, 1, 3, 4, 5, 6, 789)]),
        ],
      );
      assert.deepEqual(rows, [
        {
          id,
          word: 'ŝ 😀',
          big: -9007199254740991,
          small: -32768,
          flag: true,
          day: '2026-02-03',
          at,
        },
        {
          id: null,
          word: '',
          big: 9007199254740991,
          small: null,
          flag: false,
          day: '1970-01-01',
          at: new Date('2026-02-03T04:05:06.789Z'),
        },
      ]);
    });

    it('refuses a bigint that a number cannot hold, and goes on', async () => {
      await assert.rejects(db.query('select 9007199254740993::bigint as big'), RangeError);
      assert.deepEqual(await db.query('select 1 as one'), [{ one: 1 }]);
    });

    it('has the session settings reports rely on', async () => {
      const [row] = await db.query(
        "select current_setting('TimeZone') as zone, current_setting('work_mem') as memory, current_setting('jit') as jit",
      );
      assert.deepEqual(row, { zone: 'UTC', memory: '32MB', jit: 'off' });
    });

    it('answers the next query after one that failed, with and without parameters', async () => {
      await assert.rejects(db.query('select 1 / 0'), { code: '22012' });
      await assert.rejects(db.query('select 1 / $1::int', [0]), { code: '22012' });
      await assert.rejects(db.query('selekt $1', [0]), { code: '42601' });
      assert.deepEqual(await db.query('select $1::int as n', [7]), [{ n: 7 }]);
    });

    it('answers many queries at once, each with its own rows', async () => {
      const rows = await Promise.all(
        Array.from({ length: 200 }, (_, n) => db.query<{ n: number }>('select $1::int as n', [n])),
      );
      assert.deepEqual(
        rows.flat().map(({ n }) => n),
        Array.from({ length: 200 }, (_, n) => n),
      );
    });

    it('carries a large parameter and a large answer', async () => {
      const text = 'a€'.repeat(2_000_000);
      const [row] = await db.query<{ text: string; length: number }>(
        'select $1::text as text, length($1::text) as length',
        [text],
      );
      assert.equal(row?.length, 4_000_000);
      assert.equal(row?.text === text, true);
    });

    it('keeps nothing of a transaction that throws', async () => {
      await assert.rejects(
        db.transaction(async (tx) => {
          await tx.query("insert into note values (1, 'lost')");
          throw new Error('changed my mind');
        }),
        /changed my mind/,
      );
      assert.deepEqual(await db.query('select * from note where id = 1'), []);
    });

    it('keeps the outer work when a nested transaction fails', async () => {
      await db.transaction(async (tx) => {
        await tx.query("insert into note values (10, 'outer')");
        await assert.rejects(
          tx.transaction(async (inner) => inner.query("insert into note values (10, 'again')")),
          { code: '23505' },
        );
        await tx.transaction(async (inner) => {
          await inner.query("insert into note values (11, 'inner')");
          await assert.rejects(
            inner.transaction(async (deep) => deep.query('select 1 / 0')),
            { code: '22012' },
          );
          await inner.query("insert into note values (12, 'after')");
        });
      });
      assert.deepEqual(
        await db.query('select id from note where id >= 10 and id < 20 order by id'),
        [{ id: 10 }, { id: 11 }, { id: 12 }],
      );
    });

    it('keeps nested transactions started side by side apart', async () => {
      await db.transaction(async (tx) => {
        const results = await Promise.allSettled(
          [20, 20, 21].map((id) =>
            tx.transaction(async (inner) =>
              inner.query('insert into note values ($1, $2)', [id, 'side']),
            ),
          ),
        );
        assert.deepEqual(
          results.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled'],
        );
      });
      assert.deepEqual(
        await db.query('select id from note where id >= 20 and id < 30 order by id'),
        [{ id: 20 }, { id: 21 }],
      );
    });

    it('does not call a transaction committed when a swallowed error rolled it back', async () => {
      await assert.rejects(
        db.transaction(async (tx) => {
          await tx.query("insert into note values (30, 'gone')");
          await tx.query('select 1 / 0').catch(() => undefined);
        }),
        TransactionAborted,
      );
      assert.deepEqual(await db.query('select * from note where id = 30'), []);
    });

    it('refuses a transaction handle after its end', async () => {
      const kept = await db.transaction(async (tx) => tx);
      await assert.rejects(kept.query('select 1'), TransactionOver);
    });

    it('lets concurrent transactions count without losing one', async () => {
      await db.query('insert into counter values (1, 0), (2, 0)');
      const bump = (first: number, second: number) =>
        db.transaction(async (tx) => {
          await tx.query('update counter set n = n + 1 where id = $1', [first]);
          await tx.query('update counter set n = n + 1 where id = $1', [second]);
        });
      // Half of them lock in the opposite order: on a server some deadlock and are repeated.
      await Promise.all(
        Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? bump(1, 2) : bump(2, 1))),
      );
      assert.deepEqual(await db.query('select n from counter order by id'), [{ n: 6 }, { n: 6 }]);
    });

    it('tells listeners what was notified, after the commit only', async () => {
      const heard: string[] = [];
      let wake = () => undefined as void;
      const stop = await db.listen('Mixed Case', (payload) => {
        heard.push(payload);
        wake();
      });
      const woken = new Promise<void>((resolve) => (wake = resolve));
      await db
        .transaction(async (tx) =>
          tx
            .query("select pg_notify('Mixed Case', 'rolled back')")
            .then(() => Promise.reject(new Error('no'))),
        )
        .catch(() => undefined);
      await db.query("select pg_notify('Mixed Case', 'committed')");
      await woken;
      await stop();
      await db.query("select pg_notify('Mixed Case', 'unheard')");
      assert.deepEqual(heard, ['committed']);
    });
  });
}
