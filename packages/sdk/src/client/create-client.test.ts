import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createAdEndpoint } from './ad-endpoint.js';
import { withRegs } from '../regs.js';
import { createClient } from './create-client.js';

const ad = {
  adText: 'Light and dry',
  title: 'Tents',
  cta: 'See',
  brandName: 'Camp',
  url: 'https://camp.test/',
  impUrl: 'https://t.test/ack?p=1',
  clickUrl: 'https://t.test/track/click?p=1',
  campaignId: 'c',
  placement: 'below_response',
  placement_id: 'below-response',
};
const messages = [{ role: 'user', content: 'Which tent for two?' }];
type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

describe('the publisher client', () => {
  let baseUrl = '';
  let answer: Answer = (_request, response) => response.end('[]');
  let calls: { path: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      calls.push({ path: request.url ?? '', headers: request.headers, body });
      answer(request, response, body);
    });
  });
  before(
    () =>
      new Promise<void>((resolve) =>
        server.listen(0, '127.0.0.1', () => {
          // a TCP server has a port
          baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
          resolve();
        }),
      ),
  );
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  const client = (more = {}) =>
    createClient({ apiKey: 'pub_key', baseUrl, timeoutMs: 10_000, ...more });
  const answering = (status: number, body = '', headers = {}): void => {
    calls = [];
    answer = (_request, response) => response.writeHead(status, headers).end(body);
  };

  test('a filled answer brings the ads', async () => {
    answering(200, JSON.stringify([ad]));
    assert.deepEqual(await client().getAds({ messages, sessionId: 's', testAd: true }), {
      ads: [ad],
      reason: 'filled',
      status: 200,
    });
    assert.equal(calls[0]?.headers.authorization, 'Bearer pub_key');
    assert.deepEqual(JSON.parse(calls[0]?.body ?? ''), {
      messages,
      sessionId: 's',
      placements: [{ placement: 'below_response', placement_id: 'below-response' }],
      testAd: true,
    });
  });

  for (const [name, status, body, reason] of [
    ['no fill', 204, '', 'no_fill'],
    ['an empty list', 200, '[]', 'no_fill'],
    ['a wrong key', 401, '{"detail":"invalid_api_key"}', 'unauthorized'],
    ['an unapproved publisher', 403, '{"detail":"publisher_not_approved"}', 'not_approved'],
    ['an invalid request', 422, '{"detail":[]}', 'invalid_request'],
    ['text instead of JSON', 200, '<html>hello', 'bad_response'],
    ['JSON of another shape', 200, '{"ads":[]}', 'bad_response'],
    ['ads without links', 200, '[{"title":"x"}]', 'bad_response'],
    [
      'a script as link',
      200,
      JSON.stringify([{ ...ad, clickUrl: 'javascript:alert(1)' }]),
      'bad_response',
    ],
    ['a broken server', 500, 'oops', 'unavailable'],
  ] as const) {
    test(`${name} gives no ads and says ${reason}`, async () => {
      answering(status, body);
      assert.deepEqual(await client({ retries: 0 }).getAds({ messages, sessionId: 's' }), {
        ads: [],
        reason,
        status,
      });
    });
  }

  test('a server that is down gives no ads', async () => {
    assert.deepEqual(
      await client({ baseUrl: 'http://127.0.0.1:9' }).getAds({ messages, sessionId: 's' }),
      { ads: [], reason: 'unavailable' },
    );
  });

  test('a server that never answers costs the time-out and no more', async () => {
    answer = () => undefined;
    assert.deepEqual(await client({ timeoutMs: 30 }).getAds({ messages, sessionId: 's' }), {
      ads: [],
      reason: 'timeout',
    });
  });

  test('an answer that starts and never ends costs the time-out and no more', async () => {
    answer = (_request, response) => response.writeHead(200).write('[{"title":');
    assert.deepEqual(await client({ timeoutMs: 60 }).getAds({ messages, sessionId: 's' }), {
      ads: [],
      reason: 'timeout',
    });
  });

  test('a fetch that ignores its signal cannot hold the chat', async () => {
    const stuck: typeof fetch = () => new Promise(() => undefined);
    assert.equal(
      (await client({ timeoutMs: 10, fetch: stuck }).getAds({ messages, sessionId: 's' })).reason,
      'timeout',
    );
  });

  test('a passing fault is retried inside the same time', async () => {
    calls = [];
    answer = (_request, response) =>
      calls.length === 1 ? response.writeHead(503).end() : response.end(JSON.stringify([ad]));
    assert.equal(
      (await client({ timeoutMs: 5000 }).getAds({ messages, sessionId: 's' })).reason,
      'filled',
    );
    assert.equal(calls.length, 2);
  });

  test('a wait the server asks for beyond the time-out is not begun', async () => {
    answering(429, '', { 'retry-after': '30' });
    assert.equal((await client().getAds({ messages, sessionId: 's' })).reason, 'rate_limited');
    assert.equal(calls.length, 1);
  });

  test('unusable input is an answer, not an exception', async () => {
    const hostile = {
      get role(): string {
        throw new Error('no');
      },
    };
    assert.equal(
      (await client().getAds({ messages: [hostile], sessionId: 's' })).reason,
      'invalid_request',
    );
    assert.equal(
      (await client().getAds({ messages: [], sessionId: 's' })).reason,
      'invalid_request',
    );
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    assert.equal(
      (await client().getAds({ messages, sessionId: 's', user: circular })).reason,
      'invalid_request',
    );
  });

  test('started ads are there without waiting once they have come, and can be cancelled before', async () => {
    answering(200, JSON.stringify([ad]));
    const pending = client().startAds({ messages, sessionId: 's' });
    assert.equal(pending.current(), null);
    const result = await pending.result;
    assert.equal(pending.current(), result);
    answer = () => undefined;
    const cancelled = client().startAds({ messages, sessionId: 's' });
    cancelled.cancel();
    assert.deepEqual(await cancelled.result, { ads: [], reason: 'aborted' });
  });

  test('the device comes from the request, and what is given wins', async () => {
    answering(204);
    const request = new Request('https://chat.test/', {
      headers: {
        'user-agent': 'Agent/1',
        'x-forwarded-for': '203.0.113.9, 10.0.0.1',
        'accept-language': 'de-AT,de;q=0.9',
      },
    });
    await client().getAds({ messages, sessionId: 's', request, device: { country: 'AT' } });
    assert.deepEqual(JSON.parse(calls[0]?.body ?? '').device, {
      ip: '203.0.113.9',
      ua: 'Agent/1',
      locale: 'de-AT',
      country: 'AT',
    });
  });

  test('what the user chose goes along, with what the browser’s headers say', async () => {
    answering(204);
    const request = new Request('https://chat.test/', { headers: { 'sec-gpc': '1', dnt: '1' } });
    await client().getAds({ messages, sessionId: 's', request, regs: { gdpr: 1, tcf: 'C' } });
    await client().getAds({ messages, sessionId: 's' });
    assert.deepEqual(JSON.parse(calls[0]?.body ?? '').regs, { gpc: 1, dnt: 1, gdpr: 1, tcf: 'C' });
    assert.equal('regs' in JSON.parse(calls[1]?.body ?? ''), false);
    const later = withRegs(ad, { gdpr: true, tcf: 'C', gpp_sid: [7, 8] });
    assert.equal(later.clickUrl, `${ad.clickUrl}&gdpr=1&gdpr_consent=C&gpp_sid=7%2C8`);
    assert.equal(withRegs(ad, {}), ad);
  });

  test('feedback, leads and searches go to their doors with their keys', async () => {
    answering(200, '{"status":"ok"}');
    const sidelight = client();
    await sidelight.sendFeedback({ sessionId: 's', impUrl: ad.impUrl, sentiment: 'thumbs_up' });
    await sidelight.submitLead({ sessionId: 's', impUrl: ad.impUrl, fields: { email: 'a@b.c' } });
    await sidelight.searchTools({ query: 'a database' });
    await sidelight.searchProducts({ query: 'a tent', max_results: 3 });
    assert.equal((await sidelight.listCategories()).ok, true);
    assert.deepEqual(
      calls.map((call) => [call.path, call.headers['x-api-key'] ?? call.headers.authorization]),
      [
        ['/ad-feedback', 'pub_key'],
        ['/api/v1/lead', 'Bearer pub_key'],
        ['/search', 'pub_key'],
        ['/shop/search', 'pub_key'],
        ['/categories', undefined],
      ],
    );
    answering(422, '{"detail":"unknown_field"}');
    assert.deepEqual(await sidelight.searchTools({ query: '' }), {
      ok: false,
      reason: 'invalid_request',
      status: 422,
      detail: 'unknown_field',
    });
  });

  test('one route of the publisher serves ads, feedback and leads to the browser', async () => {
    answering(200, JSON.stringify([ad]));
    const endpoint = createAdEndpoint(client({ testAd: true }), {
      authorize: () => ({ user: { id: 'u1' } }),
    });
    const post = (body: unknown) =>
      endpoint.handle(
        new Request('https://chat.test/api', { method: 'POST', body: JSON.stringify(body) }),
      );
    assert.deepEqual(
      ((await (await post({ kind: 'ads', messages, sessionId: 's' })).json()) as { ads: unknown })
        .ads,
      [ad],
    ); // the endpoint's own shape
    assert.deepEqual(JSON.parse(calls[0]?.body ?? '').user, { id: 'u1' });
    assert.equal((await post({ kind: 'other' })).status, 422);
    await createAdEndpoint(client()).handle(
      new Request('https://c.test', {
        method: 'POST',
        body: JSON.stringify({ kind: 'ads', messages, sessionId: 's', user: { id: 'another' } }),
      }),
    );
    assert.equal(
      JSON.parse(calls.at(-1)?.body ?? '').user?.id,
      undefined,
      'the browser names nobody',
    );
    assert.equal(
      (
        await createAdEndpoint(client(), { authorize: () => null }).handle(
          new Request('https://c.test', {
            method: 'POST',
            body: JSON.stringify({ kind: 'ads', messages, sessionId: 's' }),
          }),
        )
      ).status,
      403,
    );
    answering(200, '{"status":"ok","feedbackId":"f"}');
    assert.deepEqual(
      await (
        await post({ kind: 'feedback', sessionId: 's', impUrl: ad.impUrl, sentiment: 'thumbs_up' })
      ).json(),
      { status: 'ok', feedbackId: 'f' },
    );
    assert.ok(!(calls[0]?.body ?? '').includes('kind'));
  });
});
