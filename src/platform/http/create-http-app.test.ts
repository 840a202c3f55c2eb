import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.js';
import type { Log } from '../log.js';
import { createMetrics } from '../metrics.js';
import { createHttpApp } from './create-http-app.js';

describe('HTTP', () => {
  let app: FastifyInstance;
  const lines: string[] = [];
  const note = (fields: Record<string, unknown>, message: string): void =>
    void lines.push(JSON.stringify({ ...fields, message }));
  const log: Log = { debug: note, info: note, warn: note, error: note };
  before(async () => {
    app = createHttpApp({ log, metrics: createMetrics({ processMetrics: false }) });
    app.post(
      '/things/:id',
      {
        schema: {
          body: Type.Object({
            name: Type.String(),
            list: Type.Optional(Type.Array(Type.Object({ n: Type.Integer() }))),
          }),
          querystring: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1 })) }),
        },
      },
      async (request) => request.body,
    );
    app.get(
      '/reports',
      {
        config: { validationStatus: 400 },
        schema: {
          querystring: Type.Object({
            days: Type.Integer({ minimum: 1 }),
            all: Type.Optional(Type.Boolean()),
          }),
        },
      },
      async (request) => request.query,
    );
    const colour = Type.Union([Type.Literal('red'), Type.Literal('blue'), Type.Literal('green')]);
    app.post(
      '/choices',
      {
        schema: {
          body: Type.Object({
            colour: Type.Optional(Type.Union([colour, Type.Null()])),
            size: Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'] })),
            count: Type.Optional(Type.Union([Type.Integer({ maximum: 9 }), Type.Null()])),
            list: Type.Optional(Type.Union([Type.Array(Type.Object({ colour })), Type.Null()])),
          }),
        },
      },
      async () => ({ done: true }),
    );
    app.patch('/archive', async () => ({ done: true }));
    app.get('/broken', async () => {
      throw new Error('the password is hunter2');
    });
    app.get('/away', async () => {
      throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
    });
    app.get('/limited', async () => {
      throw new AppError('rate_limited', { retryAfterSeconds: 7 });
    });
    await app.ready();
  });
  after(() => app.close());

  const post = (
    payload: string,
    headers: Record<string, string> = { 'content-type': 'application/json' },
    url = '/things/1',
  ) => app.inject({ method: 'POST', url, headers, payload });

  it('booleans of a query may be spelled as clients do', async () => {
    for (const [text, value] of [
      ['true', true],
      ['True', true],
      ['1', true],
      ['false', false],
      ['False', false],
      ['0', false],
    ])
      assert.deepEqual((await app.inject(`/reports?days=1&all=${text}`)).json(), {
        days: 1,
        all: value,
      });
    for (const text of ['maybe', '', '2'])
      assert.equal((await app.inject(`/reports?days=1&all=${text}`)).statusCode, 400);
  });

  it('answers an unknown address with a page where a browser asks for one', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const page = await app.inject({ url: '/nowhere', headers });
    assert.equal(page.statusCode, 404);
    assert.match(String(page.headers['content-type']), /^text\/html/);
    assert.match(page.body, /<h1>There is no such page<\/h1>/);
    for (const accept of ['*/*', 'application/json', undefined]) {
      const answer = await app.inject({ url: '/nowhere', headers: accept ? { accept } : {} });
      assert.deepEqual(answer.json(), { detail: 'route_not_found' });
    }
    const posted = await app.inject({ method: 'POST', url: '/nowhere', headers });
    assert.deepEqual(posted.json(), { detail: 'route_not_found' });
  });

  it('answers every failure in one shape, with a request id', async () => {
    const answers = [
      [await app.inject('/nowhere'), 404, 'route_not_found'],
      [await app.inject('/things'), 404, 'route_not_found'],
      [await app.inject({ method: 'DELETE', url: '/things/1' }), 405, 'method_not_allowed'],
      [await app.inject({ method: 'POST', url: '/reports' }), 405, 'method_not_allowed'],
      [await post('{"name":'), 400, 'malformed_json'],
      [
        await post('name=x', { 'content-type': 'application/x-www-form-urlencoded' }),
        415,
        'unsupported_media_type',
      ],
      [await post(`{"name":"${'x'.repeat(1024 * 1024)}"}`), 413, 'payload_too_large'],
      [await app.inject('/%'), 400, 'invalid_request'],
      [await app.inject({ method: 'POST', url: `/things/${'x'.repeat(600)}` }), 404, 'not_found'],
      [
        await post('{"name":"x"}', {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        }),
        415,
        'unsupported_media_type',
      ],
      [await app.inject('/away'), 503, 'temporarily_unavailable'],
      [await app.inject('/limited'), 429, 'rate_limited'],
    ] as const;
    for (const [answer, status, detail] of answers) {
      assert.deepEqual([answer.statusCode, answer.json()], [status, { detail }]);
      assert.match(String(answer.headers['content-type']), /^application\/json/);
    }
    assert.equal(answers[2][0].headers['allow'], 'POST');
    assert.equal(answers[11][0].headers['retry-after'], '7');
    assert.match(String(answers[0][0].headers['x-request-id']), /^[0-9a-f-]{36}$/);
    assert.notEqual(
      (await app.inject({ url: '/reports', headers: { 'x-request-id': 'mine' } })).headers[
        'x-request-id'
      ],
      'mine',
    );
  });

  it('lets a client that sends too much finish, which then reads the answer', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo; // It listens on a port.
    const length = 6 * 1024 * 1024;
    const socket = connect(port, '127.0.0.1');
    socket.setEncoding('utf8');
    let answer = '';
    socket.on('data', (text: string) => (answer += text));
    socket.write(
      `POST /things/1 HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`,
    );
    await once(socket, 'data');
    socket.write('x'.repeat(length));
    socket.write('GET /reports?days=3 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await once(socket, 'close');
    assert.match(answer, /^HTTP\/1.1 413 [^]*payload_too_large[^]*HTTP\/1.1 200 [^]*"days":3/);
  });

  it('says nothing about an unknown failure but where to look for it', async () => {
    const answer = await app.inject('/broken');
    assert.equal(answer.statusCode, 500);
    assert.deepEqual(answer.json(), {
      detail: 'internal_error',
      request_id: answer.headers['x-request-id'],
    });
    assert.ok(
      lines.some(
        (line) =>
          line.includes(String(answer.headers['x-request-id'])) && line.includes('request failed'),
      ),
    );
  });

  it('names the place of a wrong value and never the value', async () => {
    const answer = await post(
      '{"list":[{"n":1},{"n":"secret-key"}]}',
      undefined,
      '/things/1?days=secret-days',
    );
    assert.equal(answer.statusCode, 422);
    assert.doesNotMatch(answer.body, /secret/);
    const { detail } = (await post('{"list":[{"n":1},{"n":"secret-key"}]}')).json() as {
      detail: { type: string; loc: unknown[]; msg: string }[];
    };
    assert.deepEqual(
      detail.map((problem) => problem.loc),
      [
        ['body', 'name'],
        ['body', 'list', 1, 'n'],
      ],
    );
    assert.deepEqual(detail[0], { type: 'missing', loc: ['body', 'name'], msg: 'Field required' });
    assert.equal((await app.inject('/reports?days=0')).statusCode, 400);
    assert.deepEqual((await app.inject('/reports?days=x')).json().detail[0].loc, ['query', 'days']);
  });

  it('says in one sentence what a place takes that takes several things', async () => {
    const problems = async (body: unknown) =>
      (
        (await post(JSON.stringify(body), undefined, '/choices')).json() as {
          detail: { type: string; loc: unknown[]; msg: string }[];
        }
      ).detail.map(({ type, loc, msg }) => `${loc.slice(1).join('.')} ${type}: ${msg}`);
    assert.deepEqual(await problems({ colour: 'secret' }), [
      'colour enum: must be one of red, blue, green or null',
    ]);
    assert.deepEqual(await problems({ colour: 5, count: 'secret' }), [
      'colour enum: must be one of red, blue, green or null',
      'count type: must be integer or null',
    ]);
    assert.deepEqual(await problems({ size: 'secret' }), ['size type: must be integer or null']);
    assert.deepEqual(await problems({ count: 10 }), ['count maximum: must be <= 9']);
    assert.deepEqual(await problems({ list: 'secret' }), ['list type: must be array or null']);
    assert.deepEqual(await problems({ list: [{ colour: 'red' }, {}, { colour: 'secret' }] }), [
      'list.1.colour missing: Field required',
      'list.2.colour enum: must be one of red, blue or green',
    ]);
    assert.equal((await problems({ list: Array(5000).fill({ colour: 'secret' }) })).length, 100);
  });

  it('takes bodies exactly as they are, queries as what they mean, and unknown fields for nothing', async () => {
    assert.equal((await post('{"name":5}')).statusCode, 422);
    assert.deepEqual((await post('{"name":"x","more":1}')).json(), { name: 'x', more: 1 });
    assert.deepEqual((await app.inject('/reports?days=7&more=1')).json(), { days: 7, more: '1' });
    assert.equal((await post('{"name":"x"}', { 'content-type': 'text/plain' })).statusCode, 200);
    assert.deepEqual((await post('\uFEFF{"name":"x"}')).json(), { name: 'x' });
    assert.equal(
      (await post('{"name":"x"}', { 'content-type': 'application/vnd.api+json; charset=utf-8' }))
        .statusCode,
      200,
    );
  });

  it('takes an absent body with or without a type', async () => {
    assert.equal((await app.inject({ method: 'PATCH', url: '/archive' })).statusCode, 200);
    assert.equal(
      (
        await app.inject({
          method: 'PATCH',
          url: '/archive',
          headers: { 'content-type': 'application/json' },
        })
      ).statusCode,
      200,
    );
    assert.equal((await post('')).statusCode, 422);
  });

  it('keeps queries, which can hold keys, out of the log', async () => {
    await app.inject('/reports?days=1&api_key=topsecret');
    assert.equal(
      lines.some((line) => line.includes('topsecret')),
      false,
    );
    assert.ok(lines.some((line) => line.includes('"/reports"')));
  });

  it('turns away an ad that waited too long for its turn, before anything is done, no edit', async () => {
    let waitedMs = 500;
    let done = 0;
    let shed = 0;
    const crowded = createHttpApp({
      log,
      metrics: createMetrics({ processMetrics: false }),
      turns: {
        run: (work) => work(waitedMs),
        connected: () => undefined,
        turnedAway: () => undefined,
      },
      mostWaitMs: 500,
      onShed: () => (shed += 1),
    });
    crowded.post('/api/v1/work', async () => ({ done: (done += 1) }));
    crowded.post('/campaigns', async () => ({}));
    const ask = (url = '/api/v1/work') =>
      crowded.inject({ method: 'POST', url, payload: { a: 1 } });
    assert.equal((await ask()).statusCode, 200);
    waitedMs = 501;
    const late = await ask();
    assert.equal(late.statusCode, 503);
    assert.equal(late.headers['retry-after'], '1');
    assert.deepEqual(late.json(), { detail: 'temporarily_unavailable' });
    assert.equal(done, 1);
    assert.equal(shed, 1, 'counted like those turned away at the door');
    assert.equal((await ask('/campaigns')).statusCode, 200, 'people still mean what they sent');
    await crowded.close();
  });

  it('does nothing for who left while waiting for its turn', async () => {
    const waiting: ((waitedMs: number) => void)[] = [];
    let done = 0;
    const crowded = createHttpApp({
      log,
      metrics: createMetrics({ processMetrics: false }),
      turns: {
        run: (work) => void waiting.push(work),
        connected: () => undefined,
        turnedAway: () => undefined,
      },
    });
    crowded.post('/work', async () => ({ done: (done += 1) }));
    const address = await crowded.listen({ port: 0, host: '127.0.0.1' });
    const leaving = new AbortController();
    const ask = (signal?: AbortSignal) =>
      fetch(`${address}/work`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: '{"a":1}',
        ...(signal === undefined ? {} : { signal }),
      });
    const left = ask(leaving.signal);
    while (waiting.length < 1) await new Promise(setImmediate);
    leaving.abort();
    await assert.rejects(left);
    const countOpen = () =>
      new Promise((resolve) => crowded.server.getConnections((_error, count) => resolve(count)));
    while ((await countOpen()) !== 0) await new Promise(setImmediate);
    const stays = ask();
    while (waiting.length < 2) await new Promise(setImmediate);
    for (const work of waiting) work(0);
    assert.deepEqual(await (await stays).json(), { done: 1 });
    await crowded.close();
  });
});
