import { after, before } from 'node:test';
import { insertLiveCampaign, type LiveCampaignOptions } from './live-campaign.js';
import { buildTestApp, type TestApp } from './test-app.js';
import type { TestEngine } from './test-database.js';

export const need = 'best fertiliser for tropical orchid houseplants?';

export const valid = {
  messages: [{ role: 'user', content: need }],
  sessionId: 's',
  placements: [{ placement: 'below_response', placement_id: 'main' }],
};

/** An app, and publishers and campaigns that meet in it. */
export function openMarket(engine: TestEngine) {
  let app: TestApp;

  let sessions = 0;

  before(async () => {
    app = await buildTestApp(await engine.open());
  });

  after(() => app.close());

  const send = (key: string | null, payload: unknown, headers: Record<string, string> = {}) =>
    app.http.inject({
      method: 'POST',
      url: '/api/v1/ad',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        'content-type': 'application/json',
        ...headers,
      },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });

  const ask = (
    key: string,
    extra: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) => send(key, { ...valid, sessionId: `s${(sessions += 1)}`, ...extra }, headers);

  /** A campaign of its own, and a publisher who is shown nothing else. */
  async function market(options: Partial<LiveCampaignOptions> = {}) {
    const advertiser = await app.newAdvertiser();
    const campaign = await insertLiveCampaign(app, advertiser.id, {
      context: 'orchid fertiliser for tropical houseplants',
      maxCpmMicros: 5_000_000,
      ...options,
    });
    const publisher = await app.newPublisher();
    const others = await app.db.query<{ id: string }>(`select id from advertisers where id <> $1`, [
      advertiser.id,
    ]);
    await app.db.query(`update publishers set blocked_advertisers = $2 where id = $1`, [
      publisher.id,
      others.map((row) => row.id),
    ]);
    await app.services.directory.refresh();
    return { advertiser, publisher, key: publisher.apiKey, ...campaign };
  }

  return {
    get app() {
      return app;
    },
    send,
    ask,
    market,
  };
}
