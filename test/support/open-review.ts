import { after, before } from 'node:test';
import { managing, type Reply } from './managed-campaign.js';
import { buildTestApp, type TestApp } from './test-app.js';
import { OutboundError } from '../../src/platform/outbound/guarded-fetch.js';
import { addPerson } from '../../src/surfaces/accounts/open-account.js';
import type { TestEngine } from './test-database.js';

/** An app where people review, with an operator who is signed in. */
export function openReview(engine: TestEngine) {
  let app: TestApp;

  let operator: (method: 'GET' | 'POST', path: string, payload?: unknown) => Promise<Reply>;

  before(async () => {
    app = await buildTestApp(await engine.open(), {
      environment: { REVIEW: 'manual' },
      outbound: async (url) => {
        if (url.includes('missing'))
          return { url, status: 404, headers: {}, body: Buffer.from('') };
        if (url.includes('moved'))
          return {
            url: 'https://other.example/',
            status: 200,
            headers: {},
            body: Buffer.from(''),
          };
        if (url.includes('fjord'))
          return {
            url,
            status: 200,
            headers: { 'content-type': 'text/html' },
            body: Buffer.from(
              '<html><head><title>Kayak tours</title><meta name="description" content="Paddle the fjord with a guide"></head></html>',
            ),
          };
        if (url.includes('dead')) throw new OutboundError('unreachable', 'nothing there');
        return { url, status: 200, headers: {}, body: Buffer.from('<html>') };
      },
    });
    operator = await signIn('operator', null);
  });

  after(() => app.close());

  async function signIn(role: 'operator' | 'advertiser', accountId: string | null) {
    const email = `${role}${Math.random()}@test.example`;
    await app.db.transaction((tx) =>
      addPerson(
        { tx, mintId: app.services.mintId, now: app.clock.now },
        { email, password: 'correct horse', role, accountId },
      ),
    );
    const session = await app.http.inject({
      method: 'POST',
      url: '/session',
      payload: { email, password: 'correct horse' },
    });
    const cookie = String(session.headers['set-cookie']).split(';')[0] ?? '';
    const csrf = session.json().csrf_token;
    return async (method: 'GET' | 'POST', path: string, payload?: unknown): Promise<Reply> => {
      const response = await app.http.inject({
        method,
        url: path,
        headers: { cookie, 'x-csrf-token': csrf },
        ...(payload === undefined ? {} : { payload: payload as Record<string, unknown> }),
      });
      return { status: response.statusCode, body: response.json(), headers: response.headers };
    };
  }

  const open = async () => managing(app, await app.newAdvertiser());

  const queued = async (campaignId: string) =>
    (await operator('GET', '/operator/review?limit=200')).body.campaigns.find(
      (row: { campaign_id: string }) => row.campaign_id === campaignId,
    );

  const decide = (campaignId: string, verdict: 'approve' | 'reject', payload?: unknown) =>
    operator('POST', `/operator/review/${campaignId}/${verdict}`, payload);

  return {
    get app() {
      return app;
    },
    get operator() {
      return operator;
    },
    signIn,
    open,
    queued,
    decide,
  };
}
