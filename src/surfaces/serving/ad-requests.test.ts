import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testEngines } from '../../../test/support/test-database.js';
import { placements } from '../../domain/placement.js';
import { openMarket, need, valid } from '../../../test/support/open-market.js';

for (const engine of testEngines()) {
  describe(`what an ad request may be on the ${engine.name} engine`, () => {
    const site = openMarket(engine);
    const { send, ask, market } = site;

    it('the key is checked before the body', async () => {
      for (const payload of ['', '{', '[]', '{}']) {
        assert.equal((await send(null, payload)).statusCode, 401);
        assert.deepEqual((await send(null, payload)).json(), { detail: 'missing_api_key' });
        const unknown = await send('sl_pub_nobody', payload);
        assert.equal(unknown.statusCode, 401);
        assert.deepEqual(unknown.json(), { detail: 'invalid_credentials' });
      }
      const advertiser = await site.app.newAdvertiser();
      assert.equal((await send(advertiser.apiKey, '{')).statusCode, 403);
      const publisher = await site.app.newPublisher();
      assert.equal(
        (
          await site.app.http.inject({
            method: 'POST',
            url: '/api/v1/ad',
            headers: { 'x-api-key': publisher.apiKey },
            payload: valid,
          })
        ).statusCode,
        401,
      );
      assert.equal(
        (
          await site.app.http.inject({
            method: 'POST',
            url: `/api/v1/ad?api_key=${publisher.apiKey}`,
            payload: valid,
          })
        ).statusCode,
        401,
      );
      assert.equal(
        (await send(null, valid, { authorization: `bearer   ${publisher.apiKey}` })).statusCode <
          300,
        true,
      );
    });

    it('publishers that are not approved get test ads only, and blocked ones nothing', async () => {
      const publisher = await site.app.newPublisher({ status: 'pending' });
      const refused = await ask(publisher.apiKey);
      assert.equal(refused.statusCode, 403);
      assert.deepEqual(refused.json(), { detail: 'publisher_not_approved' });
      const empty = await site.app.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${publisher.apiKey}` },
        payload: {},
      });
      assert.deepEqual(
        [empty.statusCode, empty.json()],
        [403, { detail: 'publisher_not_approved' }],
      );
      const answer = await ask(publisher.apiKey, {
        testAd: true,
        messages: [{ role: 'user', content: 'hi' }],
        placements: placements
          .slice(0, 10)
          .map((placement, index) => ({ placement, placement_id: `p${index}` })),
      });
      assert.equal(answer.statusCode, 200);
      assert.deepEqual(
        answer.json().map((ad: { placement_id: string }) => ad.placement_id),
        Array.from({ length: 10 }, (_, index) => `p${index}`),
      );
      await site.app.db.query(`update publishers set status = 'blocked' where id = $1`, [
        publisher.id,
      ]);
      await site.app.services.directory.refresh();
      assert.equal((await ask(publisher.apiKey, { testAd: true })).statusCode, 403);
    });

    it('the place of every wrong type and missing field is named', async () => {
      const { apiKey } = await site.app.newPublisher();
      const without = (name: string): Record<string, unknown> =>
        Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name));
      const cases: [unknown, (string | number)[]][] = [
        ...['messages', 'sessionId', 'placements'].map((name): [unknown, string[]] => [
          without(name),
          ['body', name],
        ]),
        ...[
          'messages',
          'sessionId',
          'placements',
          'user',
          'device',
          'excludedTopics',
          'relevancy',
          'testAd',
        ].flatMap((name) =>
          [{}, [5], 'x', 7, true]
            .filter(
              (value) =>
                JSON.stringify(value) !==
                (name === 'user' || name === 'device'
                  ? '{}'
                  : name === 'sessionId'
                    ? '"x"'
                    : name === 'testAd'
                      ? 'true'
                      : ''),
            )
            .map((value): [unknown, string[]] => [{ ...valid, [name]: value }, ['body', name]]),
        ),
        [{ ...valid, messages: [] }, ['body', 'messages']],
        [{ ...valid, messages: [{ role: 'user' }] }, ['body', 'messages', 0, 'content']],
        [{ ...valid, messages: [{ content: 'x' }] }, ['body', 'messages', 0, 'role']],
        [{ ...valid, messages: [{ role: 'tool', content: 'x' }] }, ['body', 'messages', 0, 'role']],
        [
          { ...valid, messages: [{ role: 'user', content: null }] },
          ['body', 'messages', 0, 'content'],
        ],
        [
          { ...valid, messages: [{ role: 'user', content: [] }] },
          ['body', 'messages', 0, 'content'],
        ],
        [{ ...valid, sessionId: '' }, ['body', 'sessionId']],
        [{ ...valid, sessionId: null }, ['body', 'sessionId']],
        [{ ...valid, placements: [] }, ['body', 'placements']],
        [{ ...valid, placements: Array(11).fill(valid.placements[0]) }, ['body', 'placements']],
        [
          { ...valid, placements: [{ placement: 'nowhere', placement_id: 'x' }] },
          ['body', 'placements', 0, 'placement'],
        ],
        [
          { ...valid, placements: [{ placement: 'top_page' }] },
          ['body', 'placements', 0, 'placement_id'],
        ],
        [{ ...valid, relevancy: 1.01 }, ['body', 'relevancy']],
        [{ ...valid, relevancy: -0.01 }, ['body', 'relevancy']],
        [{ ...valid, relevancy: '0.5' }, ['body', 'relevancy']],
        [{ ...valid, testAd: 'true' }, ['body', 'testAd']],
        [{ ...valid, user: { id: {} } }, ['body', 'user', 'id']],
        [{ ...valid, device: { ip: 5 } }, ['body', 'device', 'ip']],
        [[], ['body']],
        ['"text"', ['body']],
        ['null', ['body']],
      ];
      for (const [payload, loc] of cases) {
        const answer = await send(apiKey, payload);
        assert.equal(answer.statusCode, 422, `${JSON.stringify(payload)}: ${answer.body}`);
        const { detail } = answer.json() as {
          detail: { type: string; loc: unknown[]; msg: string }[];
        };
        assert.ok(
          detail.some(
            (problem) => JSON.stringify(problem.loc.slice(0, loc.length)) === JSON.stringify(loc),
          ),
          `${JSON.stringify(payload)}: ${answer.body}`,
        );
        for (const problem of detail)
          assert.ok(typeof problem.type === 'string' && typeof problem.msg === 'string');
      }
    });

    it('null and unknown fields are taken for nothing', async () => {
      const { key } = await market();
      const answer = await ask(key, {
        user: null,
        userId: null,
        device: null,
        excludedTopics: null,
        relevancy: null,
        testAd: null,
        somethingNew: { deep: [1] },
      });
      assert.equal(answer.statusCode, 200, answer.body);
      assert.equal(
        (await ask(key, { user: { anything: 1 }, device: { other: [] }, excludedTopics: [] }))
          .statusCode,
        200,
      );
    });

    it('a huge body is a 413, malformed JSON a 400, another type a 415, too many messages a 422', async () => {
      const { key } = await market();
      const huge = await ask(key, {
        messages: [{ role: 'user', content: 'x'.repeat(1024 * 1024) }],
      });
      assert.equal(huge.statusCode, 413);
      assert.deepEqual(huge.json(), { detail: 'payload_too_large' });
      const malformed = await send(key, '{"messages":');
      assert.deepEqual(
        [malformed.statusCode, malformed.json()],
        [400, { detail: 'malformed_json' }],
      );
      assert.equal(
        (await send(key, 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }))
          .statusCode,
        415,
      );
      const messages = (count: number) => [
        ...Array.from({ length: count - 1 }, () => ({ role: 'user', content: 'ok' })),
        { role: 'user', content: need },
      ];
      const many = await ask(key, { messages: messages(1000) });
      assert.equal(many.statusCode, 200, many.body);
      for (const count of [1001, 10_000]) {
        const tooMany = await ask(key, { messages: messages(count) });
        assert.equal(tooMany.statusCode, 422);
        assert.match(tooMany.body, /messages/);
      }
      const wrong = await ask(key, {
        messages: Array.from({ length: 10_000 }, () => ({ role: 5 })),
      });
      assert.equal(wrong.statusCode, 422);
      assert.ok(wrong.body.length < 50_000);
    });

    it('control characters, null characters and half characters do no harm anywhere', async () => {
      const { key } = await market();
      for (const odd of [
        '\\u0000',
        '\\ud800',
        '\\udfff\\ud800',
        '\\u0007\\u001b[2J',
        '\\u202e\\ufeff',
        '\\uffff',
      ]) {
        const body = `{"messages":[{"role":"user","content":"${odd}${need}"}],"sessionId":"${odd}s","placements":[{"placement":"below_response","placement_id":"${odd}"}],"userId":"${odd}","user":{"id":"u${odd}","gender":"${odd}","age":"${odd}","keywords":["${odd}"],"hashed_email":"${odd}"},"device":{"ip":"${odd}","ua":"${odd}","country":"${odd}","device_type":"${odd}"},"excludedTopics":["${odd}x"],"${odd}":"${odd}"}`;
        const answer = await send(key, body, { 'user-agent': 'x\u0007' });
        assert.ok(
          [200, 204].includes(answer.statusCode),
          `${odd}: ${answer.statusCode} ${answer.body}`,
        );
      }
    });

    it('when nothing fits, the answer is a 204 without a body that names the request', async () => {
      const { key } = await market();
      for (const content of ['hello there!', 'how do volcanoes form?', '']) {
        const answer = await ask(key, { messages: [{ role: 'user', content }] });
        assert.deepEqual([answer.statusCode, answer.body], [204, '']);
        assert.match(String(answer.headers['x-ad-request-id']), /^[0-9a-f-]{36}$/);
      }
    });
  });
}
