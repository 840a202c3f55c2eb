import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';

const leadForm = {
  title: 'Get a quote',
  fields: [
    { name: 'email', label: 'E-mail', type: 'email', required: true },
    { name: 'phone', label: 'Phone', type: 'phone', required: false },
    { name: 'size', label: 'Size', type: 'select', required: false, options: ['small', 'large'] },
    { name: 'terms', label: 'Terms', type: 'checkbox', required: true },
  ],
};
const fields = {
  email: 'somebody.secret@person.example',
  phone: '+49 170 5550199',
  size: 'large',
  terms: true,
};

for (const engine of testEngines()) {
  describe(`leads on the ${engine.name} engine`, () => {
    let app: TestApp;
    let publisher: { id: string; apiKey: string };
    let advertiser: { id: string; apiKey: string };
    let sessions = 0;
    before(async () => {
      app = await buildTestApp(await engine.open());
      publisher = await app.newPublisher();
      advertiser = await app.newAdvertiser();
      await insertLiveCampaign(app, advertiser.id, {
        context: 'solar panels for family homes',
        maxCpmMicros: 5_000_000,
        leadForm,
      });
      await insertLiveCampaign(app, (await app.newAdvertiser()).id, {
        context: 'violin lessons for adults',
        maxCpmMicros: 5_000_000,
      });
    });
    after(() => app.close());

    async function impUrl(
      content = 'how much do solar panels for a family home cost?',
      extra: Record<string, unknown> = {},
    ): Promise<string> {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${publisher.apiKey}` },
        payload: {
          messages: [{ role: 'user', content }],
          sessionId: `s${(sessions += 1)}`,
          placements: [{ placement: 'below_response', placement_id: 'main' }],
          ...extra,
        },
      });
      assert.equal(answer.statusCode, 200);
      return answer.json()[0].impUrl;
    }
    const send = (payload: unknown, key: string | null = publisher.apiKey) =>
      app.http.inject({
        method: 'POST',
        url: '/api/v1/lead',
        headers: {
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          'content-type': 'application/json',
        },
        payload: JSON.stringify(payload),
      });
    const list = (key: string, query = '') =>
      app.http.inject({
        url: `/advertiser-dashboard/leads${query}`,
        headers: { 'x-api-key': key },
      });

    it('are taken once for an ad; a repeat returns the first id and changes nothing', async () => {
      const url = await impUrl();
      const first = await send({
        sessionId: 's',
        impUrl: url,
        fields,
        consent: true,
        placement: 'below_response',
        placementId: 'main',
        userId: 'u',
        device: {},
      });
      assert.equal(first.statusCode, 200, first.body);
      assert.equal(first.json().status, 'ok');
      const repeats = await Promise.all(
        Array.from({ length: 5 }, () =>
          send({
            sessionId: 's',
            impUrl: url,
            fields: { ...fields, email: 'other@person.example' },
          }),
        ),
      );
      for (const repeat of repeats) assert.deepEqual(repeat.json(), first.json());
      const [lead] = (await list(advertiser.apiKey)).json().leads;
      assert.deepEqual(
        [lead.lead_id, lead.fields, lead.consent],
        [first.json().leadId, fields, true],
      );
      assert.equal(
        (
          await app.db.query(`select 1 from events where kind = 'lead' and advertiser_id = $1`, [
            advertiser.id,
          ])
        ).length,
        1,
      );
    });

    it('are nowhere in the database as written', async () => {
      await send({ sessionId: 's', impUrl: await impUrl(), fields });
      const tables = await app.db.query<{ name: string }>(
        `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
         from information_schema.tables
         where table_schema = 'public'`,
      );
      for (const { name } of tables) {
        const found = await app.db.query(
          `select 1
           from ${name} t
           where t::text ~* 'somebody\\.secret|person\\.example|5550199'
           limit 1`,
        );
        assert.equal(found.length, 0, name);
      }
    });

    it('are shown to their advertiser only, page by page', async () => {
      await send({ sessionId: 's', impUrl: await impUrl(), fields });
      assert.deepEqual((await list((await app.newAdvertiser()).apiKey)).json().leads, []);
      assert.equal((await list(publisher.apiKey)).statusCode, 403);
      const seen: string[] = [];
      let cursor = '';
      for (;;) {
        const page = (await list(advertiser.apiKey, `?limit=1${cursor}`)).json();
        seen.push(...page.leads.map((lead: { lead_id: string }) => lead.lead_id));
        if (!page.has_more) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      assert.equal(new Set(seen).size, seen.length);
      assert.deepEqual(
        seen,
        (await list(advertiser.apiKey))
          .json()
          .leads.map((lead: { lead_id: string }) => lead.lead_id),
      );
      for (const wrong of [
        'x',
        Buffer.from('[]').toString('base64url'),
        Buffer.from('["a","b"]').toString('base64url'),
      ])
        assert.equal((await list(advertiser.apiKey, `?cursor=${wrong}`)).statusCode, 400, wrong);
      assert.equal((await list(advertiser.apiKey, '?cursor=%00')).statusCode, 422);
      assert.equal((await list(advertiser.apiKey, '?campaign_id=nobody')).statusCode, 404);
    });

    it('need a key, a form, a readable token of the publisher, and the fields of the form', async () => {
      const url = await impUrl();
      assert.equal((await send({}, null)).statusCode, 401);
      assert.equal((await send({}, 'sl_pub_unknown')).statusCode, 401);
      assert.equal((await send({}, advertiser.apiKey)).statusCode, 403);
      const foreign = await send(
        { sessionId: 's', impUrl: url, fields },
        (await app.newPublisher()).apiKey,
      );
      assert.deepEqual([foreign.statusCode, foreign.json()], [403, { detail: 'wrong_publisher' }]);
      const unreadable = await send({
        sessionId: 's',
        impUrl: 'https://a.example/ack?p=abc',
        fields,
      });
      assert.deepEqual(
        [unreadable.statusCode, unreadable.json()],
        [422, { detail: 'undecryptable_imp_url' }],
      );
      const formless = await send({
        sessionId: 's',
        impUrl: await impUrl('where do adults take violin lessons?'),
        fields,
      });
      assert.deepEqual([formless.statusCode, formless.json()], [404, { detail: 'no_lead_form' }]);
      const cases: [Record<string, unknown>, string][] = [
        [{ ...fields, surprise: 'x' }, 'unknown_field'],
        [{ terms: true }, 'missing'],
        [{ ...fields, email: '' }, 'missing'],
        [{ ...fields, email: 'nobody' }, 'email'],
        [{ ...fields, email: true }, 'type'],
        [{ ...fields, terms: 'yes' }, 'type'],
        [{ ...fields, terms: false }, 'missing'],
        [{ ...fields, size: 'medium' }, 'select'],
        [{ ...fields, phone: 'call me' }, 'phone'],
      ];
      for (const [wrong, type] of cases) {
        const answer = await send({ sessionId: 's', impUrl: url, fields: wrong });
        assert.equal(answer.statusCode, 422, JSON.stringify(wrong));
        assert.ok(
          answer
            .json()
            .detail.some(
              (problem: { type: string; loc: unknown[] }) =>
                problem.type === type && problem.loc[1] === 'fields',
            ),
          answer.body,
        );
        assert.equal(answer.body.includes('secret'), false);
      }
      for (const wrong of [
        {},
        { sessionId: 's', impUrl: url },
        { sessionId: 's', impUrl: url, fields: [] },
        { sessionId: 's', impUrl: url, fields: { email: 5 } },
        { impUrl: url, fields },
        { sessionId: 's', fields },
      ])
        assert.equal((await send(wrong)).statusCode, 422, JSON.stringify(wrong));
    });

    it('with null characters or half characters are kept', async () => {
      const url = await impUrl();
      assert.equal(
        (
          await send({
            sessionId: '\u0000\ud800',
            impUrl: url,
            fields: { ...fields, email: 'a\u0000b\ud800@c.example' },
            userId: '\u0000',
            placement: '\u0000',
          })
        ).statusCode,
        200,
      );
      assert.equal((await list(advertiser.apiKey)).statusCode, 200);
    });

    it('of test ads are answered and not kept', async () => {
      const before = (await list(advertiser.apiKey)).json().leads.length;
      const answer = await send({
        sessionId: 's',
        impUrl: await impUrl(undefined, { testAd: true }),
        fields,
      });
      assert.equal(answer.statusCode, 200, answer.body);
      assert.equal((await list(advertiser.apiKey)).json().leads.length, before);
    });

    it('are exported as CSV to their advertiser only', async () => {
      const csv = (key: string) =>
        app.http.inject({
          url: '/advertiser-dashboard/leads',
          headers: { 'x-api-key': key, accept: 'text/csv' },
        });
      const own = await csv(advertiser.apiKey);
      assert.match(String(own.headers['content-type']), /^text\/csv/);
      const [head, first] = own.body.split('\n');
      assert.match(
        head ?? '',
        /^lead_id,campaign_id,campaign_name,ad_id,submitted_at,consent,fields\.email,/,
      );
      assert.match(first ?? '', /@(?:person|c)\.example/);
      assert.equal(
        (await csv((await app.newAdvertiser()).apiKey)).body.trim().split('\n').length,
        1,
      );
      assert.equal((await csv(publisher.apiKey)).statusCode, 403);
    });
  });
}
