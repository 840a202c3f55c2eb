import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { insertLiveCampaign } from '../../../../test/support/live-campaign.js';
import { need, valid } from '../../../../test/support/open-market.js';
import { buildTestApp, type TestApp } from '../../../../test/support/test-app.js';
import { testEngines } from '../../../../test/support/test-database.js';

/** One request as it goes over the wire, without what both doors have in common. */
interface Sent {
  headers: Record<string, string>;
  body: string;
  method?: string;
  path?: string;
}

interface Answered {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const [engine] = testEngines();
if (engine === undefined) throw new Error('no engine');

describe('the two doors of the ad request', () => {
  let app: TestApp;
  let server: Server;
  let framework: RequestListener | null = null;
  let key = '';
  let pendingKey = '';
  let advertiserKey = '';
  let searchKey = '';

  before(async () => {
    let listener: RequestListener | null = null;
    server = createServer((request, response) => {
      // The other door: the same request with this header skips the first one.
      if (request.headers['x-test-door'] === 'framework' && framework !== null)
        return framework(request, response);
      listener?.(request, response);
    });
    app = await buildTestApp(await engine.open(), {
      environment: { KEY_RATE: '1000', SESSION_CAP: '1000', USER_CAP: '1000' },
      serverFor: (handler) => ((listener = handler), server),
    });
    framework = (request, response) => app.http.routing(request, response);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const advertiser = await app.newAdvertiser();
    advertiserKey = advertiser.apiKey;
    await insertLiveCampaign(app, advertiser.id, {
      context: 'orchid fertiliser for tropical houseplants',
      maxCpmMicros: 5_000_000,
    });
    key = (await app.newPublisher()).apiKey;
    pendingKey = (await app.newPublisher({ status: 'pending' })).apiKey;
    const narrow = await app.newPublisher();
    await app.db.query(`update api_keys set scopes = '{search}' where account_id = $1`, [
      narrow.id,
    ]);
    searchKey = narrow.apiKey;
    await app.services.directory.refresh();
  });

  after(async () => {
    await new Promise((resolve) => server.close(resolve));
    await app.close();
  });

  /** The answer of one door, byte by byte. */
  function exchange(door: 'front' | 'framework', sent: Sent): Promise<Answered> {
    const { port } = server.address() as AddressInfo; // it listens
    const lines = Object.entries({
      host: 'test.example',
      connection: 'close',
      ...(door === 'framework' ? { 'x-test-door': 'framework' } : {}),
      ...sent.headers,
    }).map(([name, value]) => `${name}: ${value}`);
    const head = `${sent.method ?? 'POST'} ${sent.path ?? '/api/v1/ad'} HTTP/1.1\r\n`;
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => void chunks.push(chunk));
      socket.on('error', reject);
      socket.on('close', () => resolve(readAnswer(Buffer.concat(chunks).toString('utf8'))));
      socket.write(`${head}${lines.join('\r\n')}\r\n\r\n${sent.body}`);
    });
  }

  const json = (body: unknown, more: Record<string, string> = {}, bearer = key): Sent => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return {
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(text)),
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0.0.0',
        ...more,
      },
      body: text,
    };
  };

  let sessions = 0;
  const asked = (more: Record<string, unknown> = {}) => ({
    ...valid,
    sessionId: `s${(sessions += 1)}`,
    ...more,
  });

  async function same(name: string, sent: Sent): Promise<Answered> {
    const [one, other] = [await exchange('front', sent), await exchange('framework', sent)];
    assert.deepEqual(comparable(one), comparable(other), name);
    return one;
  }

  it('give the same answer to what is plain', async () => {
    const filled = await same('plain', json(asked()));
    assert.equal(filled.status, 200);
    assert.match(filled.body, /orchid|"adText"/);
    const plain: Record<string, unknown>[] = [
      asked({ user: { id: 'u1', age: 30, interests: ['plants'] }, device: { country: 'DE' } }),
      asked({ user: null, device: null, excludedTopics: null, relevancy: null, testAd: null }),
      asked({ user: { id: 'kid', minor: true } }),
      asked({ regs: { gdpr: 1 } }),
      asked({ regs: 'nonsense' }),
      asked({ locale: 'de' }),
      asked({ testAd: true }),
      asked({ relevancy: 1 }),
      asked({ excludedTopics: ['plants'] }),
      asked({ messages: [{ role: 'user', content: 'hi' }] }),
      asked({ messages: [{ role: 'assistant', content: need }] }),
      asked({
        messages: [{ role: 'user', content: 'Düngen von Orchideen – 蘭 🌱 \u2028 "quoted" \\' }],
      }),
      asked({
        placements: [
          { placement: 'below_response', placement_id: 'a"\\\n' },
          { placement: 'above_response', placement_id: '' },
        ],
      }),
      asked({ unknown: { deep: [1, 2, 3] } }),
    ];
    for (const body of plain) {
      const answer = await same(JSON.stringify(body), json(body));
      assert.ok([200, 204].includes(answer.status), answer.body);
    }
  });

  it('give the same answer with other headers', async () => {
    const others: Record<string, string>[] = [
      { 'x-forwarded-for': '81.2.69.142, 10.0.0.1' },
      { 'x-forwarded-for': 'nonsense' },
      { 'sec-gpc': '1' },
      { dnt: '1' },
      { 'accept-language': 'fr-CA, fr;q=0.8' },
      { origin: 'https://publisher.test.example' },
      { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
      { 'content-type': 'application/json; charset=utf-8' },
      { 'content-type': 'APPLICATION/JSON' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/vnd.api+json' },
      { 'content-encoding': 'gzip' },
      { 'content-encoding': 'identity' },
      { 'user-agent': '' },
      { 'accept-version': '1.x' },
    ];
    for (const more of others) await same(JSON.stringify(more), json(asked(), more));
    const chunked = json(asked());
    const { 'content-length': _length, ...rest } = chunked.headers;
    const size = Buffer.byteLength(chunked.body).toString(16);
    await same('chunked', {
      headers: { ...rest, 'transfer-encoding': 'chunked' },
      body: `${size}\r\n${chunked.body}\r\n0\r\n\r\n`,
    });
    await same('no length', { headers: rest, body: '' });
  });

  it('refuse the same with the same words', async () => {
    const wrong: [string, Sent, number][] = [
      ['no key', json(asked(), { authorization: '' }), 401],
      ['other scheme', json(asked(), { authorization: `Basic ${key}` }), 401],
      ['unknown key', json(asked(), {}, 'sl_pub_nobody'), 401],
      ['advertiser', json(asked(), {}, advertiserKey), 403],
      ['scope', json(asked(), {}, searchKey), 403],
      ['pending', json(asked(), {}, pendingKey), 403],
      ['pending test ad', json(asked({ testAd: true }), {}, pendingKey), 200],
      ['broken', json('{"messages":'), 400],
      ['empty', json(' '), 422],
      ['list', json('[]'), 422],
      ['byte order mark', json(`\ufeff${JSON.stringify(asked())}`), 200],
      ['deep', json(`{"a":${'['.repeat(2000)}${']'.repeat(2000)}}`), 400],
      ['no fields', json({}), 422],
      ['wrong types', json(asked({ messages: [{ role: 'x', content: 5 }], relevancy: 7 })), 422],
      ['null session', json(asked({ sessionId: null })), 422],
      ['too many', json(asked({ placements: Array(11).fill(valid.placements[0]) })), 422],
      ['large', json(asked({ unknown: 'x'.repeat(100_000) })), 200],
      ['too large', json(asked({ unknown: 'x'.repeat(600_000) })), 413],
      ['length too short', json(JSON.stringify(asked()), { 'content-length': '20' }), 400],
      ['GET', { ...json(asked()), method: 'GET' }, 405],
      ['PUT', { ...json(asked()), method: 'PUT' }, 405],
      ['slash', { ...json(asked()), path: '/api/v1/ad/' }, 200],
      ['query', { ...json(asked()), path: '/api/v1/ad?x=1' }, 200],
      ['__proto__', json('{"__proto__":{"x":1},"constructor":1}'), 422],
    ];
    for (const [name, sent, status] of wrong)
      assert.equal((await same(name, sent)).status, status, name);
  });

  it('give the same answer to whatever is sent', async () => {
    const values = [null, 0, -1, 1.5, '', 'x', true, [], {}, [null], { id: null }, 'é\u0000'];
    const fields = ['messages', 'sessionId', 'placements', 'user', 'userId', 'device', 'regs'];
    const more = ['coppa', 'locale', 'excludedTopics', 'relevancy', 'testAd'];
    let seed = 7;
    const draw = <T>(of: readonly T[]): T => {
      seed = (seed * 48_271) % 2_147_483_647;
      const drawn = of[seed % of.length];
      if (drawn === undefined) throw new Error('nothing to draw');
      return drawn;
    };
    for (let round = 0; round < 80; round += 1) {
      const body: Record<string, unknown> = asked();
      for (let changes = draw([1, 1, 2, 3]); changes > 0; changes -= 1)
        body[draw([...fields, ...more])] = values[Number(draw(values.map((_, at) => `${at}`)))];
      await same(JSON.stringify(body), json(body));
    }
  });

  it('count and list the same', async () => {
    const lines = async (): Promise<string[]> =>
      (await app.services.metrics.text())
        .split('\n')
        .filter((line) => line.startsWith('sidelight_http_request_seconds_count'))
        .filter((line) => line.includes('route="/api/v1/ad"'));
    const count = (found: string[], status: number): number =>
      Number(
        found
          .find((line) => line.includes(`status="${status}"`))
          ?.split(' ')
          .at(-1) ?? 0,
      );
    for (const sent of [json(asked()), json({}), json(asked({ relevancy: 1 }))]) {
      const before = await lines();
      const { status } = await exchange('front', sent);
      const between = await lines();
      await exchange('framework', sent);
      const ended = await lines();
      assert.equal(count(between, status) - count(before, status), 1);
      assert.equal(count(ended, status) - count(between, status), 1);
    }
  });

  it('take one call of the caller, whoever answers in the end', async () => {
    const left = ({ headers }: Answered): number =>
      Number(/r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);
    const start = left(await exchange('front', json(asked())));
    assert.equal(left(await exchange('front', json({}))), start - 1);
    assert.equal(left(await exchange('front', json(asked()))), start - 2);
    assert.equal(left(await exchange('framework', json(asked()))), start - 3);
  });
});

/** Without what is different each time: ids, tokens, dates and what is left to the caller. */
function comparable({ status, headers, body }: Answered): unknown {
  const { Date: _date, ...rest } = headers;
  const blank = (text: string): string =>
    text
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => 'u'.repeat(id.length))
      .replace(/(?<=\?p=)[\w-]{182}/g, (token) => 't'.repeat(token.length))
      .replace(/(?<=\/ad-choices\/)[\w-]{88}/g, (token) => 't'.repeat(token.length))
      .replace(/,"feedbackPrompt":\{[^}]*\}/g, '')
      .replace(/r=\d+;t=\d+/g, 'r=;t=');
  const told = Object.entries(rest)
    .filter(([name]) => name !== 'content-length')
    .map(([name, value]) => `${name}: ${blank(value)}`);
  const isOwnLength = Number(headers['content-length'] ?? 0) === Buffer.byteLength(body);
  return { status, told, body: blank(body), isOwnLength };
}

function readAnswer(text: string): Answered {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(
      lines.map((line) => {
        const at = line.indexOf(': ');
        return [line.slice(0, at), line.slice(at + 2)];
      }),
    ),
    body: text.slice(end + 4),
  };
}
