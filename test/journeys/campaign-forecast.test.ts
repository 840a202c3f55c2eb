import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertLiveCampaign } from '../support/live-campaign.js';
import { managing } from '../support/managed-campaign.js';
import { buildTestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';

test('a campaign is forecast from what was really asked, and nothing personal is kept of it', async (t) => {
  const [engine] = testEngines();
  assert.ok(engine !== undefined);
  const app = await buildTestApp(await engine.open(), { environment: { MATCHING: 'semantic' } });
  t.after(() => app.close());
  await app.serving.matcher.settled();
  assert.equal(app.serving.matcher.mode, 'semantic');
  const rival = await app.newAdvertiser();
  await insertLiveCampaign(app, rival.id, {
    context: 'sturdy tents for families who go camping',
    maxCpmMicros: 4_000_000,
  });
  await app.serving.matcher.settled();
  const advertiser = await app.newAdvertiser();
  const manage = managing(app, advertiser);
  const plan = { context: 'people who look for a camping tent', daily_budget: 500, max_cpm: 20 };
  const forecast = async (more: Record<string, unknown> = {}) => {
    const { status, body } = await manage('POST', 'forecast', { ...plan, ...more });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  assert.equal((await forecast()).forecast.reason, 'nothing_asked');
  const publisher = await app.newPublisher();
  const wishes = [
    'which tent should I buy for camping with two kids?',
    'I need a tent that stays dry on a rainy camping weekend',
    'recommend a good family tent for a first camping trip',
    'which accounting software suits a small bakery?',
  ];
  for (let day = 0; day < 3; day += 1) {
    for (const [at, content] of wishes.entries())
      for (const country of ['US', 'DE'])
        await app.http.inject({
          method: 'POST',
          url: '/api/v1/ad',
          headers: { authorization: `Bearer ${publisher.apiKey}` },
          payload: {
            messages: [{ role: 'user', content }],
            sessionId: `s${day} ${at} ${country}`,
            userId: 'somebody in particular',
            device: { country, device_type: 'mobile' },
            placements: [{ placement: 'below_response', placement_id: 'main' }],
          },
        });
    await app.serving.pace();
    app.clock.now += 86_400_000;
    // The new day's budget is held before anybody asks.
    await app.serving.balance();
  }
  const { basis, forecast: open } = await forecast();
  assert.deepEqual([basis.days, basis.requests, basis.kept], [3, 24, 24]);
  assert.equal(open.enough_data, true, JSON.stringify(open));
  // Six speak of tents. Words they share with the ad count when it is served, not here.
  const perDay = open.matching_requests_per_day;
  assert.ok(perDay >= 4 && perDay <= 6, String(perDay));
  assert.equal(open.won_share, 1);
  const { impressions, clicks, spend } = open.per_day;
  assert.ok(
    impressions.expected > perDay / 2 && impressions.expected <= perDay,
    JSON.stringify(open),
  );
  for (const { low, expected, high } of [impressions, clicks, spend])
    assert.ok(low <= expected && expected <= high && expected > 0);

  const abroad = (await forecast({ allowed_countries: ['de'] })).forecast;
  assert.equal(abroad.matching_requests_per_day, perDay / 2);
  assert.equal(abroad.reason, 'too_few');
  const poor = (await forecast({ max_cpm: 0.6 })).forecast;
  assert.deepEqual([poor.won_share, poor.limited_by], [0, 'bid'], 'the rival bids more');
  const small = (await forecast({ daily_budget: 0.001 })).forecast;
  assert.equal(small.limited_by, 'budget');
  assert.ok(small.per_day.spend.high <= 0.001);
  const end_time = new Date(app.clock.now + 2 * 86_400_000).toISOString();
  const run = (await forecast({ end_time })).forecast.run;
  assert.equal(run.days, 2);
  assert.equal(run.impressions.expected, impressions.expected * 2);
  const other = (await forecast({ context: 'dental implants in Budapest' })).forecast;
  assert.equal(other.reason, 'nothing_fits');

  const { campaignId } = await insertLiveCampaign(app, advertiser.id, {
    context: plan.context,
    maxCpmMicros: 20_000_000,
  });
  const edit = await manage('POST', 'forecast', { campaign_id: campaignId, max_cpm: 0.6 });
  assert.equal(edit.body.current.won_share, 1);
  assert.equal(edit.body.forecast.won_share, 0);
  const rivals = managing(app, rival);
  assert.equal((await rivals('POST', 'forecast', { campaign_id: campaignId })).status, 404);
  assert.equal((await manage('POST', 'forecast', { context: 'tents' })).status, 422);

  const kept = JSON.stringify(await app.db.query(`select * from asked_requests`));
  for (const word of ['somebody', publisher.id, 'bakery', 'rainy', 's0 0'])
    assert.ok(!kept.includes(word), word);
  const hours = await app.db.query<{ fine: boolean }>(
    `select bool_and(hour = date_trunc('hour', hour)) as fine from asked_requests`,
  );
  assert.equal(hours[0]?.fine, true);
  app.clock.now += 16 * 86_400_000;
  await app.serving.pace();
  assert.deepEqual(await app.db.query(`select 1 from asked_requests`), []);
});
