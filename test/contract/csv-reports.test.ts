import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { addKey } from '../../src/surfaces/accounts/open-account.js';
import { insertRandomTraffic } from '../support/random-traffic.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { openEmbeddedTestDatabase } from '../support/test-database.js';

const reports = {
  advertiser: [
    'info',
    'campaigns',
    'metrics',
    'ad-unit-metrics',
    'ad-group-metrics',
    'conversions',
    'billing',
    'events/analytics',
    'events/conversion-stats',
    'integrations',
  ],
  publisher: [
    'info',
    'stats',
    'activity',
    'placements',
    'devices',
    'geography',
    'users',
    'countries',
    'funnel',
  ],
} as const;

describe('CSV of reports', () => {
  let app: TestApp;
  const keys = { advertiser: '', publisher: '' };
  before(async () => {
    app = await buildTestApp(await openEmbeddedTestDatabase(), {
      now: Date.parse('2026-11-02T12:00:00Z'),
    });
    const traffic = await insertRandomTraffic(app, { seed: 4, events: 60 });
    const add = (kind: 'advertiser' | 'publisher', id: string) =>
      app.db.transaction((tx) =>
        addKey({ tx, mintId: app.services.mintId, now: app.clock.now }, kind, id, 'test'),
      );
    keys.advertiser = await add('advertiser', traffic.advertiserId);
    keys.publisher = await add('publisher', traffic.publisherIds[0] ?? '');
    await app.services.directory.refresh();
  });
  after(() => app.close());
  const get = (kind: keyof typeof reports, path: string) =>
    app.http.inject({
      url: `/${kind}-dashboard/${path}`,
      headers: { 'x-api-key': keys[kind], accept: 'text/csv' },
    });

  it('every documented report has one, with a line of names', async () => {
    for (const kind of ['advertiser', 'publisher'] as const) {
      for (const path of reports[kind]) {
        const answer = await get(kind, path);
        assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8', path);
        const [names = []]: string[][] = parse(answer.body);
        assert.ok(
          names.length >= 2 && names.every((name) => /^[a-z_]+$/.test(name)),
          `${path}: ${names.join()}`,
        );
      }
    }
  });

  it('what has members of its own is shown as JSON, also in a report that is one record', async () => {
    await app.db.query(`update campaigns set utm_params = '{"utm_source": "a, \\"b\\""}'`);
    const rows: Record<string, string>[] = parse((await get('advertiser', 'campaigns')).body, {
      columns: true,
    });
    assert.ok(rows.length > 0);
    for (const row of rows)
      assert.deepEqual(JSON.parse(row['utm_params'] ?? ''), { utm_source: 'a, "b"' });
  });

  it('a report that is one record is one row', async () => {
    const rows: Record<string, string>[] = parse((await get('publisher', 'info')).body, {
      columns: true,
    });
    assert.equal(rows.length, 1);
    assert.equal(rows[0]?.['payout_model'], 'CPM');
  });

  it('says where the rest of a list is', async () => {
    const ids: string[] = [];
    let url = 'users?per_page=2&sort=clicks&search=u';
    for (;;) {
      const answer = await get('publisher', url);
      const rows: Record<string, string>[] = parse(answer.body, { columns: true });
      ids.push(...rows.map((row) => row['pub_user_id'] ?? ''));
      const next = /^<\/publisher-dashboard\/(.+)>; rel="next"$/.exec(
        String(answer.headers['link'] ?? ''),
      )?.[1];
      if (next === undefined) break;
      url = next;
    }
    assert.deepEqual(ids.sort(), ['U_2', 'anonymous', 'u%3', 'u1']);
  });
});
