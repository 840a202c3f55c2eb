import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/support/test-app.js';
import { openEmbeddedTestDatabase } from '../../../test/support/test-database.js';

test('a pair of dates overrides days, whatever that says', async () => {
  const app = await buildTestApp(await openEmbeddedTestDatabase(), {
    now: Date.parse('2026-11-15T12:00:00Z'),
  });
  const keys = {
    advertiser: (await app.newAdvertiser()).apiKey,
    publisher: (await app.newPublisher()).apiKey,
  };
  const reports = [
    'advertiser metrics',
    'advertiser ad-unit-metrics',
    'advertiser ad-group-metrics',
    'advertiser events/analytics',
    'advertiser events/conversion-stats',
    'publisher stats',
    'publisher activity',
    'publisher funnel',
    'publisher placements',
    'publisher devices',
    'publisher geography',
  ];
  for (const report of reports) {
    const [kind, path] = report.split(' ');
    const get = (query: string) =>
      app.http.inject({
        url: `/${kind}-dashboard/${path}?${query}`,
        headers: { 'x-api-key': kind === 'publisher' ? keys.publisher : keys.advertiser },
      });
    const pair = 'start_date=2026-03-01&end_date=2026-03-31&fill=zero';
    const expected = await get(pair);
    assert.equal(expected.statusCode, 200, report);
    for (const days of ['1', '0', '9999', 'x', ''])
      assert.deepEqual((await get(`${pair}&days=${days}`)).json(), expected.json(), report);
    // Half a pair overrides nothing.
    assert.notEqual((await get('start_date=2026-03-01&days=0')).statusCode, 200);
    assert.notEqual((await get('days=0')).statusCode, 200);
  }
  await app.close();
});
