import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openServerDatabase } from '../../src/platform/db/open-server-database.js';
import { verifyTotals } from '../../src/platform/events/verify-totals.js';
import { addTrackingKey } from '../../src/platform/secrets/tracking-keys.js';
import { addKey } from '../../src/surfaces/accounts/open-account.js';
import { revokeKeys } from '../../src/surfaces/accounts/queries.js';
import { insertLiveCampaign } from '../support/live-campaign.js';
import { signInOperator } from '../support/sign-in-operator.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { ask, beacon, browser, openTwoNodes, path } from '../support/two-nodes.js';

describe('two nodes on one database', () => {
  let nodes: Awaited<ReturnType<typeof openTwoNodes>>;
  let one: TestApp;
  let other: TestApp;
  let sessions = 0;
  let url = '';
  before(async () => {
    nodes = await openTwoNodes();
    ({ one, other, url } = nodes);
  });
  after(() => nodes.close());
  const live: typeof nodes.live = (options) => nodes.live(options);
  const totals: typeof nodes.totals = (campaignId) => nodes.totals(campaignId);

  it('count together how often a session and a user have seen a campaign, and a node that comes later knows it', async () => {
    const campaign = await live({
      context: 'sourdough bread baking classes',
      maxCpmMicros: 2_000_000,
    });
    // A session may see a campaign three times, a user ten times a day.
    const shownTo = async (node: TestApp, sessionId: string, userId?: string): Promise<boolean> => {
      const answer = await node.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${campaign.key}` },
        payload: {
          messages: [{ role: 'user', content: 'where can I take a sourdough bread baking class?' }],
          sessionId,
          placements: [{ placement: 'below_response', placement_id: 'main' }],
          ...(userId === undefined ? {} : { user: { userId } }),
        },
      });
      return answer.statusCode === 200;
    };
    for (const node of [one, one, other]) assert.ok(await shownTo(node, 'talk'));
    for (const node of [one, other]) await node.serving.showings.follow();
    assert.deepEqual(await Promise.all([one, other].map((node) => shownTo(node, 'talk'))), [
      false,
      false,
    ]);
    // Read again, nothing is counted again.
    assert.ok((await shownTo(one, 'second')) && (await shownTo(one, 'second')));
    for (let again = 0; again < 3; again += 1) await other.serving.showings.follow();
    assert.ok(await shownTo(other, 'second'));

    for (let time = 0; time < 10; time += 1)
      assert.ok(await shownTo(time % 2 === 0 ? one : other, `visit ${time}`, 'ada'));
    for (const node of [one, other]) await node.serving.showings.follow();
    assert.deepEqual(
      await Promise.all([one, other].map((node) => shownTo(node, 'visit 11', 'ada'))),
      [false, false],
    );

    const later = await buildTestApp(await openServerDatabase(url, { maxConnections: 4 }), {
      now: one.clock.now + 1000,
    });
    await later.serving.showings.recall();
    for (const node of [one, other, later, one, later]) await node.serving.balance();
    assert.equal(await shownTo(later, 'talk'), false);
    assert.equal(await shownTo(later, 'visit 12', 'ada'), false);
    assert.ok(await shownTo(later, 'new here'));
    await later.close();
  });

  it('both refuse a key the moment one of them replaced it', async () => {
    const campaign = await live({ context: 'piano lessons for children', maxCpmMicros: 5_000_000 });
    const need = 'where can my child take piano lessons?';
    assert.equal((await ask(other, campaign.key, need)).statusCode, 200);
    const heard = new Promise<void>((resolve) => other.services.directory.onChange(resolve));
    const fresh = await one.db.transaction(async (tx) => {
      await revokeKeys(tx, 'publisher', campaign.publisherId);
      return addKey(
        { tx, mintId: one.services.mintId, now: one.clock.now },
        'publisher',
        campaign.publisherId,
        'default',
      );
    });
    await heard;
    assert.equal((await ask(other, campaign.key, need)).statusCode, 401);
    assert.equal((await ask(other, fresh, need)).statusCode, 200);
  });

  it('both serve what was edited on one of them', async () => {
    const campaign = await live({
      context: 'sourdough starter kits',
      landingPage: 'https://before.example/',
      maxCpmMicros: 5_000_000,
    });
    const need = 'which sourdough starter kit should I get?';
    const urlOn = async (node: TestApp): Promise<string | undefined> => {
      const answer = await ask(node, campaign.key, need);
      return answer.statusCode === 200 ? answer.json()[0].url : undefined;
    };
    assert.equal(await urlOn(other), 'https://before.example/');
    await one.db.transaction(async (tx) => {
      await tx.query(`update campaigns set landing_page = 'https://after.example/' where id = $1`, [
        campaign.campaignId,
      ]);
      await tx.query(`select pg_notify('inventory', $1)`, [campaign.campaignId]);
    });
    for (const node of [one, other])
      while ((await urlOn(node)) !== 'https://after.example/')
        await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it('open each other’s tokens, also right after a new tracking key', async () => {
    const campaign = await live({ context: 'garden sheds made of cedar', maxCpmMicros: 5_000_000 });
    await addTrackingKey(one.db, one.services.sealer);
    for (let round = 0; round < 3; round += 1) {
      const answer = await ask(one, campaign.key, 'which cedar garden shed should we buy?');
      assert.equal(answer.statusCode, 200);
      assert.equal((await beacon(other, answer.json()[0].impUrl)).statusCode, 200);
    }
    assert.equal((await totals(campaign.campaignId))?.impressions, 3);
  });

  it('take feedback of a session thirty times a minute together', async () => {
    const campaign = await live({ context: 'rain barrels for gardens', maxCpmMicros: 5_000_000 });
    const answer = await ask(one, campaign.key, 'which rain barrel is best for my garden?');
    const [{ impUrl }] = answer.json();
    const statuses = await Promise.all(
      Array.from(
        { length: 40 },
        async (_, index) =>
          (
            await (index % 2 === 0 ? one : other).http.inject({
              method: 'POST',
              url: '/ad-feedback',
              headers: { 'x-api-key': campaign.key },
              payload: { sessionId: 'shared', impUrl, sentiment: 'thumbs_up' },
            })
          ).statusCode,
      ),
    );
    assert.deepEqual(
      [
        statuses.filter((status) => status === 200).length,
        statuses.filter((status) => status === 429).length,
      ],
      [30, 10],
    );
  });

  it('both forget what views, clicks and purchases taught once they are found to be nobody’s', async () => {
    const shop = await one.newAdvertiser();
    const campaign = await insertLiveCampaign(one, shop.id, {
      context: 'kayaks for calm rivers',
      maxCpmMicros: 5_000_000,
    });
    const publisher = await one.newPublisher();
    await other.services.directory.refresh();
    const learned = ({ serving: { model } }: TestApp) => {
      const { ads, cells, conversions } = model.snapshot();
      const sum = (rows: readonly number[][], at: number): number =>
        rows.reduce(
          (total, row) => total + (ads[row[0] ?? 0] === campaign.adId ? (row[at] ?? 0) : 0),
          0,
        );
      return {
        views: Math.round(sum(cells, 2) * 1e6),
        clicks: sum(cells, 3),
        purchases: sum(conversions, 1),
      };
    };
    const nothing = { views: 0, clicks: 0, purchases: 0 };
    const from = new Date(one.clock.now - 60_000).toISOString();
    const answer = await ask(one, publisher.apiKey, 'which kayak is good for a calm river?');
    assert.equal(answer.statusCode, 200);
    const [ad] = answer.json();
    await beacon(one, ad.impUrl);
    for (const node of [one, other]) node.clock.now += 5000;
    const led = await beacon(other, ad.clickUrl);
    const bought = await other.http.inject({
      method: 'POST',
      url: '/gateway/events',
      headers: { authorization: `Bearer ${shop.apiKey}` },
      payload: {
        data: [
          {
            event_name: 'Purchase',
            event_id: 'kayak',
            event_time: Math.floor(one.clock.now / 1000),
            user_data: {
              click_id: new URL(String(led.headers.location)).searchParams.get('grclid'),
            },
          },
        ],
      },
    });
    assert.equal(bought.json().results[0].attributed, true, bought.body);
    assert.ok(learned(one).views > 0);
    // Whoever counts a click of another node's ad learns from it, or purchases would seem to come
    // from fewer clicks than there were.
    assert.deepEqual(learned(other), { views: 0, clicks: 1, purchases: 1 });
    await one.serving.pace();
    const operator = await signInOperator(one);
    const taken = await operator('POST', '/operator/refunds', {
      publisher_id: publisher.id,
      from,
      to: new Date(one.clock.now + 60_000).toISOString(),
      reason: 'made up',
    });
    assert.equal(taken.body.events, 3, JSON.stringify(taken.body));
    for (const node of [one, other])
      while (JSON.stringify(learned(node)) !== JSON.stringify(nothing))
        await new Promise((resolve) => setTimeout(resolve, 10));
    const shared = await one.db.query(
      `select sum(impressions) as views, sum(clicks) as clicks, sum(conversions) as purchases
       from click_counts
       where ad_id = $1`,
      [campaign.adId],
    );
    assert.deepEqual(shared, [nothing]);
  });

  it('a conversion and its repeats are told alike by both, right after the click on one', async () => {
    const shop = await one.newAdvertiser();
    await insertLiveCampaign(one, shop.id, {
      context: 'canvas tents for families',
      maxCpmMicros: 5_000_000,
    });
    const publisher = await one.newPublisher();
    await other.services.directory.refresh();
    const opening = { tx: one.db, mintId: one.services.mintId, now: one.clock.now };
    const second = await addKey(opening, 'advertiser', shop.id, 'second');
    await other.services.directory.refresh();
    const answer = await ask(one, publisher.apiKey, 'which canvas tent is good for a family?');
    assert.equal(answer.statusCode, 200);
    const [ad] = answer.json();
    await beacon(one, ad.impUrl);
    for (const node of [one, other]) node.clock.now += 5000;
    const led = await beacon(one, ad.clickUrl);
    const grclid = new URL(String(led.headers.location)).searchParams.get('grclid');
    const tell = async (node: TestApp, key: string) => {
      const told = await node.http.inject({
        method: 'POST',
        url: '/gateway/events',
        headers: { authorization: `Bearer ${key}` },
        payload: {
          data: [
            {
              event_name: 'Purchase',
              event_id: 'tent',
              event_time: Math.floor(node.clock.now / 1000),
              user_data: { click_id: grclid },
              custom_data: { value: 80, currency: 'USD', order_id: 'tent-1' },
            },
          ],
        },
      });
      const { status, attributed } = told.json().results[0];
      return `${status} ${attributed}`;
    };
    assert.equal(await tell(other, shop.apiKey), 'ok true');
    for (const [node, key] of [
      [one, shop.apiKey],
      [other, second],
      [one, second],
      [other, shop.apiKey],
    ] as const)
      assert.equal(await tell(node, key), 'duplicate true');
  });

  it('hold to what somebody decided through either, and erase them from both', async () => {
    const campaign = await live({ context: 'wooden toys for toddlers', maxCpmMicros: 5_000_000 });
    const asked = (node: TestApp, user: string) =>
      node.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${campaign.key}` },
        payload: {
          messages: [{ role: 'user', content: 'which wooden toys are good for toddlers?' }],
          sessionId: `choosing ${(sessions += 1)}`,
          placements: [{ placement: 'below_response', placement_id: 'main' }],
          user: { id: user },
        },
      });
    const decide = async (node: TestApp, link: string, query: string): Promise<void> => {
      const answer = await node.http.inject({
        method: 'POST',
        url: `${new URL(link).pathname}?${query}`,
        headers: { accept: 'application/json' },
      });
      assert.equal(answer.statusCode, 200, answer.body);
    };
    /** Notifications come in order, at once; only how fast the machine is varies. */
    const until = async (isSo: () => Promise<boolean>): Promise<void> => {
      while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const first = await asked(one, 'chooser');
    assert.equal(first.statusCode, 200, first.body);
    const link = String(first.json()[0].choicesUrl);
    await one.services.eventLog.drain();
    await decide(one, link, 'action=hide_advertiser');
    assert.equal((await asked(one, 'chooser')).statusCode, 204);
    await until(async () => (await asked(other, 'chooser')).statusCode === 204);
    assert.equal((await asked(other, 'somebody else')).statusCode, 200);
    await decide(other, link, 'action=hide_advertiser&undo=true');
    await until(async () => (await asked(one, 'chooser')).statusCode === 200);
    await decide(other, link, 'action=no_personalisation');
    await until(
      async () => (await asked(one, 'chooser')).headers['privacy-signals'] === 'opted_out',
    );
    const shown = await asked(other, 'leaver');
    await decide(one, String((await asked(one, 'leaver')).json()[0].choicesUrl), 'action=delete');
    // The other node showed this ad a moment ago and has not heard of anything since.
    assert.equal((await beacon(other, shown.json()[0].impUrl)).statusCode, 200);
    await other.services.eventLog.drain();
    const leaver = one.services.pseudonyms.user(campaign.publisherId, 'leaver');
    await until(async () => {
      const [left] = await one.db.query<{ rows: number }>(
        `select (select count(*) from events where user_id = $1) +
           (select count(*) from publisher_users where user_id = $1) +
           (select count(*) from publisher_user_names where user_id = $1) as rows`,
        [leaver],
      );
      return left?.rows === 0;
    });
  });

  it('leave totals that agree with the raw events', async () => {
    const report = await verifyTotals(one.db);
    assert.equal(report.isClean, true, JSON.stringify(report));
  });

  it('count calls and pixel events of one caller together', async () => {
    const advertiser = await one.newAdvertiser();
    await other.services.directory.refresh();
    const call = async (node: TestApp): Promise<{ status: number; left: number }> => {
      const answer = await node.http.inject({
        url: '/advertiser-dashboard/info',
        headers: { 'x-api-key': advertiser.apiKey },
      });
      const left = /r=(\d+)/.exec(String(answer.headers['ratelimit']))?.[1];
      return { status: answer.statusCode, left: Number(left) };
    };
    const created = await one.http.inject({
      method: 'POST',
      url: '/advertiser-dashboard/pixels',
      headers: { 'x-api-key': advertiser.apiKey },
      payload: { url: 'shared-pixel.example' },
    });
    assert.equal(created.statusCode, 201, created.body);
    const report = async (node: TestApp, events: number): Promise<number> =>
      (
        await node.http.inject({
          method: 'POST',
          url: '/track/gr-events',
          payload: {
            pixel_id: created.json().id,
            visitor_id: 'v1',
            session_id: 's1',
            events: Array.from({ length: events }, (_, n) => ({
              event_type: 'page_view',
              event_id: `e${n}`,
              url: 'https://shared-pixel.example/',
              timestamp: one.clock.now,
            })),
          },
        })
      ).statusCode;
    assert.equal(await report(one, 40), 202);
    for (let calls = 0; calls < 30; calls += 1) assert.equal((await call(one)).status, 200);
    await one.services.sharedCounts.tell();
    // One call made the pixel. What is told is heard in the order it was told.
    for (let calls = 1; (await call(other)).left !== 640 - 31 - calls; calls += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(await report(other, 25), 429);
    assert.equal(await report(other, 24), 202);
  });

  it('lead on by links of each other without the database', async () => {
    const { apiKey } = await one.newPublisher();
    const found = await one.http.inject({
      method: 'POST',
      url: '/search',
      headers: { 'x-api-key': apiKey },
      payload: { query: 'send transactional email' },
    });
    assert.equal(found.statusCode, 200, found.body);
    const link = path(String(found.json().click_url));
    await other.followLinks();
    await one.db.query(`update index_links set target_url = 'https://looked-up.example/'`);
    const led = await other.http.inject({ url: link, headers: { 'user-agent': browser } });
    assert.equal(led.statusCode, 302, led.body);
    assert.doesNotMatch(String(led.headers.location), /looked-up/);
  });
});
