import { openServerDatabase } from '../../src/platform/db/open-server-database.js';
import { insertLiveCampaign, type LiveCampaign } from './live-campaign.js';
import { buildTestApp, type TestApp } from './test-app.js';
import { openServerTestDatabase } from './test-database.js';

export const browser =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

let sessions = 0;

export const ask = (node: TestApp, key: string, content: string) =>
  node.http.inject({
    method: 'POST',
    url: '/api/v1/ad',
    headers: { authorization: `Bearer ${key}` },
    payload: {
      messages: [{ role: 'user', content }],
      sessionId: `s${(sessions += 1)}`,
      placements: [{ placement: 'below_response', placement_id: 'main' }],
    },
  });
export const path = (url: string): string => url.slice(url.indexOf('/', 8));
export const beacon = (node: TestApp, url: string) =>
  node.http.inject({ url: path(url), headers: { 'user-agent': browser } });

/** Two nodes on one database, and what is live on both. */
export async function openTwoNodes() {
  const { database, url } = await openServerTestDatabase();
  // Ten seconds of calls can be spent in a test.
  const environment = { KEY_RATE: '64', PIXEL_EVENTS_PER_DAY: '64' };
  const one = await buildTestApp(database, { environment });
  const other = await buildTestApp(await openServerDatabase(url, { maxConnections: 8 }), {
    environment,
    now: one.clock.now,
  });

  async function live(
    options: Parameters<typeof insertLiveCampaign>[2],
  ): Promise<LiveCampaign & { key: string; publisherId: string }> {
    const campaign = await insertLiveCampaign(one, (await one.newAdvertiser()).id, options);
    const publisher = await one.newPublisher();
    await other.services.directory.refresh();
    await other.serving.inventory.refresh([campaign.campaignId]);
    // The first gives back what is more than its share, the second takes it.
    for (const node of [one, other, one]) await node.serving.balance();
    return { ...campaign, key: publisher.apiKey, publisherId: publisher.id };
  }
  const totals = async (campaignId: string) =>
    (
      await one.db.query<{ impressions: number; clicks: number; spend: number }>(
        `select coalesce(sum(impressions), 0)::bigint as impressions,
           coalesce(sum(clicks), 0)::bigint as clicks,
           coalesce(sum(spend_micros), 0)::bigint as spend
         from campaign_totals
         where campaign_id = $1`,
        [campaignId],
      )
    )[0];

  return {
    one,
    other,
    url,
    live,
    totals,
    async close(): Promise<void> {
      await other.close();
      await one.close();
    },
  };
}
