import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Entry } from '../../platform/events/journal/entry.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';
import { makeClick } from '../../../test/support/make-click.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { createConversionRecorder } from './record-conversions.js';

for (const engine of testEngines()) {
  describe(`conversion intake on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    const event = (id: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
      event_name: 'Purchase',
      event_id: id,
      event_time: Math.floor(app.clock.now / 1000),
      ...more,
    });
    const send = (key: string | null, payload: unknown, url = '/gateway/events') =>
      app.http.inject({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        },
        payload: JSON.stringify(payload),
      });
    const statuses = async (key: string, data: unknown[]): Promise<string[]> => {
      const answer = await send(key, { data });
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json().results.map((result: { status: string }) => result.status);
    };

    it('takes the key in the header or in the query, and asks for it before it reads the body', async () => {
      const { apiKey } = await app.newAdvertiser();
      const publisher = await app.newPublisher();
      assert.equal((await send(null, {})).statusCode, 401);
      assert.equal((await send('wrong', {})).statusCode, 401);
      assert.equal((await send(publisher.apiKey, { data: [event('a')] })).statusCode, 403);
      assert.equal(
        (await send(null, { data: [event('a')] }, `/gateway/events?api_key=${apiKey}`)).statusCode,
        200,
      );
      assert.equal((await send(apiKey, { data: [event('b')] })).statusCode, 200);
    });

    it('refuses a body without a list of 1 to 1,000 events and one over 8 MiB', async () => {
      const { apiKey } = await app.newAdvertiser();
      for (const body of [
        {},
        { data: null },
        { data: {} },
        { data: [] },
        { data: Array.from({ length: 1001 }, (_, n) => event(`x${n}`)) },
      ])
        assert.equal((await send(apiKey, body)).statusCode, 422);
      assert.equal(
        (await send(apiKey, { data: [event('big', { junk: 'x'.repeat(9 * 1024 * 1024) })] }))
          .statusCode,
        413,
      );
    });

    it('judges each event of a batch on its own: one bad of a thousand leaves 999', async () => {
      const { apiKey, id } = await app.newAdvertiser();
      const data: unknown[] = Array.from({ length: 1000 }, (_, n) => event(`e${n}`));
      data[500] = event('e500', { event_time: 'yesterday' });
      const answer = (await send(apiKey, { data })).json();
      assert.deepEqual(
        [answer.events_received, answer.events_processed, answer.events_errored, answer.test_mode],
        [1000, 999, 1, false],
      );
      assert.equal(answer.results[500].status, 'error');
      assert.match(answer.results[500].error, /event_time/);
      assert.equal(answer.results[499].event_id, 'e499');
      const [row] = await app.db.query<{ count: number }>(
        `select count(*) as count from conversions where advertiser_id = $1`,
        [id],
      );
      assert.equal(row?.count, 999);
    });

    it('describes an event to those who generate clients, and judges it by itself all the same', async () => {
      const { paths } = (await app.http.inject({ url: '/openapi.json' })).json();
      const { schema } = paths['/gateway/events'].post.requestBody.content['application/json'];
      const { items } = schema.properties.data;
      assert.deepEqual(items.required, ['event_name', 'event_time', 'event_id']);
      assert.match(JSON.stringify(items.properties.user_data), /"click_id"/);
      const { apiKey } = await app.newAdvertiser();
      const answer = await send(apiKey, {
        data: [5, event('own', { custom_data: { size: 'L' } })],
      });
      assert.equal(answer.statusCode, 200);
      assert.deepEqual(
        answer.json().results.map(({ status }: { status: string }) => status),
        ['error', 'ok'],
      );
    });

    it('names what is wrong with an event and never repeats its value', async () => {
      const { apiKey } = await app.newAdvertiser();
      const now = Math.floor(app.clock.now / 1000);
      const bad: unknown[] = [
        null,
        'text',
        [],
        event(''),
        event(' '),
        { ...event('1'), event_id: undefined },
        { ...event('1'), event_id: 5 },
        event('1', { event_name: '' }),
        event('1', { event_name: null }),
        event('1', { event_name: {} }),
        event('1', { event_time: undefined }),
        event('1', { event_time: String(now) }),
        event('1', { event_time: now + 0.5 }),
        event('1', { event_time: now + 601 }),
        event('1', { event_time: now - 7 * 86_400 - 1 }),
        event('1', { event_time: now * 1000 }),
        event('1', { user_data: 'SECRET' }),
        event('1', { user_data: { em: 5 } }),
        event('1', { user_data: { em: [{}] } }),
        event('1', { user_data: { fn: ['SECRET'] } }),
        event('1', { user_data: { click_id: 7 } }),
        event('1', { custom_data: [] }),
        event('1', { custom_data: { value: '12' } }),
        event('1', { custom_data: { value: -1 } }),
        event('1', { custom_data: { value: 1, currency: 'ZZZ' } }),
        event('1', { custom_data: { currency: 'dollars' } }),
        event('1', { custom_data: { currency: 840 } }),
        event('1', { custom_data: { contents: {} } }),
        event('1', { custom_data: { contents: ['SECRET'] } }),
        event('1', { client_context: 'SECRET' }),
        event('1', { client_context: { screen: { a: { b: { c: { d: {} } } } } } }),
        event('1', { event_name: 'secret@people.example' }),
        event('1', { opt_out: 'SECRET' }),
        event('1', { event_source_url: 9 }),
      ];
      const answer = await send(apiKey, { data: bad });
      const { results } = answer.json();
      assert.deepEqual(
        results.map((result: { status: string }) => result.status),
        bad.map(() => 'error'),
      );
      assert.ok(
        results.every(
          (result: { error: string; attributed: boolean }) =>
            result.error.length > 5 && !result.attributed,
        ),
      );
      assert.ok(!answer.body.includes('SECRET'));
    });

    it('accepts what the edges allow', async () => {
      const { apiKey } = await app.newAdvertiser();
      const now = Math.floor(app.clock.now / 1000);
      const good = [
        event('1', { event_time: now + 600 }),
        event('2', { event_time: now - 7 * 86_400 + 1 }),
        event('3', { client_context: null, user_data: null, custom_data: null }),
        event('4', { event_name: 'My own event', extra: { unknown: true } }),
        event('5', { custom_data: { value: 0, currency: 'eur' } }),
        event('6', { user_data: { click_id: null, visitor_id: null, em: [], ph: [''] } }),
        event('7', {
          user_data: { click_id: 'not-a-click' },
          client_context: { a: 'nul\u0000', '\ud800': ['\udc00'] },
        }),
        event('8\u0000', { event_source_url: 'x\ud800' }),
      ];
      assert.deepEqual(
        await statuses(apiKey, good),
        good.map(() => 'ok'),
      );
    });

    it('counts a repeat within 48 hours once, in one batch, over time, and not across advertisers or names', async () => {
      const one = await app.newAdvertiser();
      const two = await app.newAdvertiser();
      assert.deepEqual(
        await statuses(one.apiKey, [event('d'), event('d'), event('d', { event_name: 'Lead' })]),
        ['ok', 'duplicate', 'ok'],
      );
      assert.deepEqual(await statuses(two.apiKey, [event('d')]), ['ok']);
      app.clock.now += 48 * 3_600_000 - 1000;
      assert.deepEqual(await statuses(one.apiKey, [event('d')]), ['duplicate']);
      app.clock.now += 1000;
      assert.deepEqual(await statuses(one.apiKey, [event('d')]), ['ok']);
      app.clock.now += 47 * 3_600_000;
      assert.deepEqual(await statuses(one.apiKey, [event('d')]), ['duplicate']);
    });

    it('lets exactly one of many simultaneous repeats through', async () => {
      const { apiKey, id } = await app.newAdvertiser();
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, n) =>
          statuses(apiKey, [event(`solo${n}`), event('same'), event('other')]),
        ),
      );
      for (const at of [1, 2])
        assert.equal(answers.filter((answer) => answer[at] === 'ok').length, 1);
      const [row] = await app.db.query<{ count: number }>(
        `select count(*) as count from conversions where advertiser_id = $1`,
        [id],
      );
      assert.equal(row?.count, 26);
    });

    it('is answered by look-ups alone; told to two nodes at once, it counts once', async () => {
      const { id } = await app.newAdvertiser();
      const { partitions } = app.services;
      await partitions.ensure([new Date(app.clock.now).toISOString().slice(0, 10)]);
      const entries: Entry[] = [];
      const node = () =>
        createConversionRecorder({
          ...app.services,
          db: {
            ...app.db,
            query(text, values) {
              assert.match(text, /^\s*select/);
              return app.db.query(text, values);
            },
            transaction: () => Promise.reject(new Error('an answer needs no transaction')),
          },
          eventLog: {
            settled: async () => undefined,
            appendEntry: async (entry) => (entries.push(entry), []),
          },
          windows: { clickMs: 86_400_000, viewMs: 86_400_000 },
          shareBpsOf: () => 7000,
          isPublisherBlocked: () => false,
          budgetDay: () => '2026-01-01',
        });
      const told = [event('both'), event('one')];
      for (const [record, data] of [
        [node(), told],
        [node(), told.slice(0, 1)],
      ] as const)
        for (const { status } of (await record(id, data, { source: 'capi' })).results)
          assert.equal(status, 'ok');
      // A journal read twice is the same again.
      for (const entry of [...entries, ...entries]) await app.services.eventLog.appendEntry(entry);
      await app.services.eventLog.drain();
      assert.deepEqual(
        await app.db.query(
          `select event_id as id from conversions where advertiser_id = $1 order by 1`,
          [id],
        ),
        [{ id: 'both' }, { id: 'one' }],
      );
      assert.equal((await verifyTotals(app.db)).isClean, true);
    });

    it('validates in test mode, says whether it would be attributed, and stores nothing', async () => {
      const { apiKey, id } = await app.newAdvertiser();
      const click = await makeClick(app, id);
      const answer = (
        await send(apiKey, {
          test_event_code: 'TEST123',
          data: [
            event('t', { user_data: { click_id: click.grclid, em: ['a@b.example'] } }),
            event('', {}),
            event('t'),
          ],
        })
      ).json();
      assert.equal(answer.test_mode, true);
      assert.deepEqual(
        answer.results.map((result: { status: string; attributed: boolean }) => [
          result.status,
          result.attributed,
        ]),
        [
          ['test_ok', true],
          ['error', false],
          ['test_ok', false],
        ],
      );
      assert.deepEqual([answer.events_processed, answer.events_errored], [2, 1]);
      for (const table of ['conversions', 'conversion_keys', 'click_links'])
        assert.equal(
          (await app.db.query(`select 1 from ${table} where advertiser_id = $1`, [id])).length,
          0,
          table,
        );
      assert.deepEqual(await statuses(apiKey, [event('t')]), ['ok']);
    });

    it('credits campaign, ad group, publisher and totals of the click, once, with its value in dollars', async () => {
      const { apiKey, id } = await app.newAdvertiser();
      const click = await makeClick(app, id);
      app.clock.now += 60_000;
      await app.db.query(
        `insert into currency_rates (currency, usd_per_unit)
         values ('EUR', 1.25)
         on conflict do nothing`,
      );
      const answer = await send(apiKey, {
        data: [
          event('p1', {
            user_data: { click_id: click.grclid },
            custom_data: { value: 10.1, currency: 'EUR', order_id: 'o-1' },
          }),
          event('p2', { user_data: { grclid: click.serveId } }),
          event('p3'),
        ],
      });
      assert.deepEqual(
        answer.json().results.map((result: { attributed: boolean }) => result.attributed),
        [true, true, false],
      );
      const [totals] = await app.db.query(
        `select conversions, view_conversions, value_micros, spend_micros
         from campaign_totals
         where campaign_id = $1 and conversions > 0`,
        [click.campaignId],
      );
      assert.deepEqual(totals, {
        conversions: 2,
        view_conversions: 0,
        value_micros: 12_625_000,
        spend_micros: 0,
      });
      const [group] = await app.db.query(
        `select conversions from ad_group_totals where ad_group_id = $1 and conversions > 0`,
        [click.adGroupId],
      );
      assert.deepEqual(group, { conversions: 2 });
      const report = await verifyTotals(app.db);
      assert.equal(
        report.isClean,
        true,
        JSON.stringify(report.tables.filter((table) => table.differences > 0)),
      );
    });

    it('charges a campaign billed per conversion its price, splits it, and stops at the budget', async () => {
      const { apiKey, id } = await app.newAdvertiser();
      const click = await makeClick(app, id, {
        billingModel: 'cpa',
        maxCpaMicros: 4_000_000,
        dailyBudgetMicros: 9_000_000,
        priceMicros: 3_000_000,
      });
      const again = () =>
        makeClick(app, id, {
          billingModel: 'cpa',
          campaignId: click.campaignId,
          priceMicros: 3_000_000,
        });
      const clicks = [click, await again(), await again(), await again()];
      const sale = (n: number, of: number, name = 'Purchase') =>
        event(`s${n}`, { event_name: name, user_data: { click_id: clicks[of]?.grclid } });
      assert.deepEqual(
        await statuses(apiKey, [
          sale(1, 0),
          sale(2, 0, 'AddToCart'),
          sale(3, 1),
          sale(4, 2),
          sale(5, 3),
        ]),
        ['ok', 'ok', 'ok', 'ok', 'ok'],
      );
      const [totals] = await app.db.query(
        `select conversions, spend_micros, revenue_micros
         from campaign_totals
         where campaign_id = $1 and conversions > 0`,
        [click.campaignId],
      );
      assert.deepEqual(totals, {
        conversions: 5,
        spend_micros: 9_000_000,
        revenue_micros: 6_300_000,
      });
      const unbilled = await app.db.query(
        `select unbilled, count(*) as count
         from events
         where campaign_id = $1 and kind = 'conversion'
         group by 1
         order by 1`,
        [click.campaignId],
      );
      assert.deepEqual(unbilled, [
        { unbilled: 'budget_exhausted', count: 1 },
        { unbilled: 'other_conversion_type', count: 1 },
        { unbilled: null, count: 3 },
      ]);
      const [budget] = await app.db.query<{ spent: number }>(
        `select spent_micros as spent from budgets where scope_id = $1`,
        [click.campaignId],
      );
      assert.equal(budget?.spent, 9_000_000);
      assert.equal((await verifyTotals(app.db)).isClean, true);
    });
  });
}
