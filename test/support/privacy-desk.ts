import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before } from 'node:test';
import { insertLiveCampaign } from './live-campaign.js';
import { buildTestApp, type TestApp } from './test-app.js';
import type { TestEngine } from './test-database.js';

export const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

/** An app with people who are seen, convert and ask what is stored about them. */
export function openPrivacyDesk(engine: TestEngine) {
  let app: TestApp;

  before(async () => {
    app = await buildTestApp(await engine.open());
  });

  after(() => app.close());

  const send = async (apiKey: string, events: Record<string, unknown>[]): Promise<string[]> => {
    const data = events.map((event) => ({
      event_name: 'Lead',
      event_time: Math.floor(app.clock.now / 1000),
      ...event,
    }));
    const answer = await app.http.inject({
      method: 'POST',
      url: '/gateway/events',
      headers: { authorization: `Bearer ${apiKey}` },
      payload: { data },
    });
    return answer.json().results.map((result: { status: string }) => result.status);
  };

  const rows = async (table: string, advertiserId: string): Promise<number> =>
    (await app.db.query(`select 1 from ${table} where advertiser_id = $1`, [advertiserId])).length;

  const kayaks = { role: 'user', content: 'which kayaks for beginners?' };

  /** A publisher whose users are offered kayaks. */
  const conversations = async () => {
    const publisher = await app.newPublisher();
    const advertiser = await app.newAdvertiser();
    await insertLiveCampaign(app, advertiser.id, {
      context: 'kayaks for beginners',
      maxCpmMicros: 5_000_000,
    });
    // Other tests sell kayaks too.
    await app.db.query(
      `update publishers
         set blocked_advertisers = array(select id from advertisers where id <> $2)
         where id = $1`,
      [publisher.id, advertiser.id],
    );
    await app.services.directory.refresh();
    const ask = async (body: Record<string, unknown>, headers: Record<string, string> = {}) => {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${publisher.apiKey}`, ...headers },
        payload: {
          messages: [kayaks],
          sessionId: 's',
          placements: [{ placement: 'below_response', placement_id: 'main' }],
          ...body,
        },
      });
      assert.equal(answer.statusCode, 200, answer.body);
      const [ad] = answer.json();
      const rows = await app.db.query<{
        kind: string;
        user: string;
        session: string | null;
        identity: string | null;
      }>(
        `select kind, user_id as user, data ->> 'session' as session,
             data ->> 'identity' as identity
           from events
           where publisher_id = $1 and $2::uuid in (id, request_id)
           order by kind`,
        [publisher.id, answer.headers['x-ad-request-id']],
      );
      return { ad, rows, headers: answer.headers };
    };
    return { publisher, advertiser, ask };
  };

  const browser =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15';

  const follow = async (
    url: string,
    query = '',
    headers: Record<string, string> = {},
  ): Promise<URL> => {
    const { pathname, search } = new URL(url);
    const answer = await app.http.inject({
      url: `${pathname}${search}${query}`,
      headers: { 'user-agent': browser, ...headers },
    });
    assert.ok(answer.statusCode < 400, answer.body);
    return new URL(String(answer.headers.location ?? 'https://x.example'));
  };

  /** Tables that hold the text anywhere. */
  const tablesWith = async (text: string): Promise<string[]> => {
    const tables = await app.db.query<{ name: string }>(
      `select relname as name
         from pg_class
         where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
           and not relispartition`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const hits = await app.db.query(
        `select 1 from ${name} t where position($1 in t::text) > 0 limit 1`,
        [text],
      );
      if (hits.length > 0) found.push(name);
    }
    return found;
  };

  return {
    get app() {
      return app;
    },
    send,
    rows,
    conversations,
    browser,
    follow,
    tablesWith,
  };
}
