import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { toolCategories } from '../../domain/tool-search/tool.js';
import { linkCampaign } from './queries.js';
import type { ToolAnswer } from './schema.js';

const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

for (const engine of testEngines()) {
  describe(`tool search (${engine.name})`, () => {
    let app: TestApp;
    let key: string;
    let publisherId: string;
    before(async () => {
      app = await buildTestApp(await engine.open());
      const publisher = await app.newPublisher();
      key = publisher.apiKey;
      publisherId = publisher.id;
    });
    after(() => app.close());

    const post = (payload: unknown, headers: Record<string, string> = { 'x-api-key': key }) =>
      app.http.inject({ method: 'POST', url: '/search', headers, payload: payload as object });
    async function search(payload: Record<string, unknown>): Promise<ToolAnswer> {
      const answer = await post(payload);
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json();
    }
    const follow = (first: ToolAnswer, query: string, more: Record<string, unknown> = {}) =>
      search({ query, search_id: first.search_id, ...more });

    it('the key may stand in the header or in the body', async () => {
      const query = 'send password reset emails from my Next.js app';
      assert.equal((await post({ query }, { 'x-api-key': key })).statusCode, 200);
      assert.equal((await post({ query, platform_api_key: key }, {})).statusCode, 200);
    });

    it('a slip of a name is told, other names are left out', async () => {
      const query = 'send password reset emails';
      const slip = await post({ query, contxt: { language: 'python' } });
      assert.equal(slip.statusCode, 422);
      assert.deepEqual(slip.json().detail, [
        {
          type: 'unknown_field',
          loc: ['body', 'contxt'],
          msg: 'Unknown field; did you mean context?',
        },
      ]);
      assert.equal((await post({ query, vertical: 'tools', note: 'x' })).statusCode, 200);
    });

    it('no key is 401, an unknown or foreign one 403, before the body is looked at', async () => {
      const advertiser = await app.newAdvertiser();
      const pending = await app.newPublisher({ status: 'pending' });
      for (const [headers, payload, status, detail] of [
        [{}, {}, 401, 'missing_api_key'],
        [{}, undefined, 401, 'missing_api_key'],
        [{ 'x-api-key': 'nope' }, {}, 403, 'invalid_api_key'],
        [
          { 'x-api-key': 'nope', 'content-type': 'application/json' },
          '{"query":',
          403,
          'invalid_api_key',
        ],
        [{}, { platform_api_key: 'nope' }, 403, 'invalid_api_key'],
        [{ 'x-api-key': advertiser.apiKey }, { query: 'email' }, 403, 'invalid_api_key'],
        [{ 'x-api-key': pending.apiKey }, {}, 403, 'publisher_not_approved'],
      ] as const) {
        const answer = await post(payload, headers);
        assert.equal(answer.statusCode, status);
        assert.deepEqual(answer.json(), { detail });
      }
    });

    it('what is missing, blank, of the wrong type or too long is 422 with its place', async () => {
      for (const [payload, place] of [
        [{}, 'query'],
        [{ query: '' }, 'query'],
        [{ query: '  \n ' }, 'query'],
        [{ query: 5 }, 'query'],
        [{ query: null }, 'query'],
        [{ query: 'x'.repeat(4001) }, 'query'],
        [{ query: 'email', monetization: { mode: 'boost' } }, 'monetization'],
        [{ query: 'email', monetization: {} }, 'monetization'],
        [{ query: 'email', monetization: 'off' }, 'monetization'],
        [{ query: 'email', search_id: 7 }, 'search_id'],
        [{ query: 'email', context: 'node' }, 'context'],
        [{ query: 'email', context: { framework: 3 } }, 'context'],
        [{ query: 'email', metadata: [] }, 'metadata'],
        [{ query: 'email', metadata: { a: 'x'.repeat(9000) } }, 'metadata'],
        [{ query: 'email', external_user_id: {} }, 'external_user_id'],
        [{ query: 'email', external_session_id: 'x'.repeat(501) }, 'external_session_id'],
      ] as const) {
        const answer = await post(payload);
        assert.equal(answer.statusCode, 422, JSON.stringify(payload).slice(0, 80));
        const { detail } = answer.json() as {
          detail: { type: string; loc: string[]; msg: string }[];
        };
        assert.ok(
          detail.some(({ loc }) => loc[0] === 'body' && loc[1] === place),
          `${place}: ${JSON.stringify(detail)}`,
        );
      }
    });

    it('unknown fields and nulls are ignored', async () => {
      await search({
        query: 'email API',
        surprise: 1,
        search_id: null,
        context: null,
        metadata: null,
        monetization: null,
        hashed_email: null,
      });
    });

    it('a search that does not exist or is another publisher’s is 404', async () => {
      const mine = await search({ query: 'send transactional email' });
      const other = await app.newPublisher();
      for (const [id, as] of [
        ['nope', key],
        [app.services.mintId(app.clock.now), key],
        [mine.search_id, other.apiKey],
      ] as const) {
        const answer = await post({ query: 'cheaper', search_id: id }, { 'x-api-key': as });
        assert.equal(answer.statusCode, 404);
        assert.deepEqual(answer.json(), { detail: 'not_found' });
      }
    });

    it('an answer carries everything an agent needs', async () => {
      const answer = await search({ query: 'send password reset emails from my Next.js app' });
      assert.equal(answer.recommendation?.category, 'Email');
      assert.deepEqual(Object.keys(answer.recommendation), [
        'name',
        'slug',
        'category',
        'description',
        'website_url',
        'docs_url',
      ]);
      assert.ok(answer.reasoning.includes(answer.recommendation.name));
      assert.ok(answer.install !== null && answer.install.steps.length > 0);
      assert.deepEqual(
        answer.install.steps.map(({ step }) => step),
        answer.install.steps.map((_, at) => at + 1),
      );
      assert.ok(answer.install.steps.some(({ command }) => command?.startsWith('npm ') === true));
      assert.ok(answer.credential_request !== null && answer.grclid !== null);
      assert.equal(answer.credential_request.setup_url, answer.click_url);
      assert.equal(answer.credential_request.grclid, answer.grclid);
      assert.equal(answer.click_url, `${app.services.urls.index}/go/${answer.grclid}`);
      assert.deepEqual(
        answer.credential_request.required_env_vars,
        answer.install.env_vars.filter(({ required }) => required).map(({ name }) => name),
      );
      assert.ok(answer.credential_request.user_message.includes(answer.click_url));
    });

    it('the link leads to the tool with the click id, recorded against the search', async () => {
      const answer = await search({ query: 'error tracking for a Django app' });
      const visit = await app.http.inject({
        url: new URL(answer.click_url ?? '').pathname,
        headers: { 'user-agent': browser },
      });
      assert.equal(visit.statusCode, 302);
      assert.equal(
        new URL(String(visit.headers.location)).searchParams.get('grclid'),
        answer.grclid,
      );
      const [row] = await app.db.query<{ searchId: string; ref: string; visits: number }>(
        `select l.search_id as "searchId", l.ref, c.visits
         from index_links l
         join index_clicks c on c.id = l.id
         where l.search_id = $1`,
        [answer.search_id],
      );
      assert.deepEqual(row, {
        searchId: answer.search_id,
        ref: answer.recommendation?.slug,
        visits: 1,
      });
    });

    it('the context changes the tool and its steps', async () => {
      const query = 'queue for background jobs';
      const [plain, python, rails, elixir] = [
        await search({ query }),
        await search({ query, context: { language: 'Python' } }),
        await search({ query, context: { framework: 'Rails 8' } }),
        await search({ query, context: { language: ['elixir'] } }),
      ];
      assert.equal(plain.recommendation?.category, 'Background Jobs');
      assert.ok(
        python.install?.steps.some(({ command }) => /pip|uv |poetry/.test(command ?? '')),
        JSON.stringify(python.install),
      );
      assert.ok(rails.install?.steps.some(({ command }) => command?.startsWith('bundle add')));
      assert.equal(elixir.recommendation?.slug, 'oban');
      const email = 'send transactional email';
      const [js, php] = [
        await search({ query: email, context: { framework: 'nextjs' } }),
        await search({ query: email, context: { framework: 'laravel' } }),
      ];
      assert.ok(js.install?.steps.some(({ command }) => command?.includes('npm')));
      assert.ok(
        php.install?.steps.some(({ command }) => command?.includes('composer')),
        JSON.stringify(php),
      );
    });

    it('constraints of the context are filters in every form', async () => {
      for (const constraints of [
        'open source, self-hosted',
        ['open source', 'self-hosted'],
        { open_source: true, selfHosted: true },
      ]) {
        const answer = await search({ query: 'product analytics', context: { constraints } });
        assert.match(answer.reasoning, /open source/);
        assert.match(answer.reasoning, /self-hosted/);
      }
      const eu = await search({
        query: 'headless CMS',
        context: { constraints: { region: 'EU' } },
      });
      assert.match(eu.reasoning, /EU/);
    });

    it('follow-ups keep the need, meet the new condition and move on', async () => {
      const first = await search({ query: 'send password reset emails from my Next.js app' });
      const seen = [first.recommendation?.slug];
      for (const [query, fact] of [
        ['not that one', /./],
        ['self-hosted', /self-hosted/],
        ['for Python', /Python/],
        ['something with EU hosting', /EU/],
        ['cheaper', /./],
      ] as const) {
        const next = await follow(first, query);
        assert.equal(next.search_id, first.search_id);
        if (next.recommendation === null) continue;
        assert.equal(
          next.recommendation.category,
          'Email',
          `${query}: ${next.recommendation.slug}`,
        );
        assert.ok(
          !seen.includes(next.recommendation.slug),
          `${query} repeated ${next.recommendation.slug}`,
        );
        assert.match(next.reasoning, fact);
        seen.push(next.recommendation.slug);
      }
    });

    it('a tool asked for by name comes back, a refused one does not', async () => {
      const first = await search({ query: 'payments for a SaaS subscription' });
      const refused = await follow(first, 'not Paddle and not Stripe');
      assert.ok(!['paddle', 'stripe'].includes(refused.recommendation?.slug ?? ''));
      assert.ok(
        !['paddle', 'stripe'].includes(
          (await follow(first, 'another one')).recommendation?.slug ?? '',
        ),
      );
      assert.equal((await follow(first, 'ok, go back to Stripe')).recommendation?.slug, 'stripe');
    });

    it('a follow-up about something else starts over there and keeps the stack', async () => {
      const first = await search({ query: 'send transactional email from my Django project' });
      const next = await follow(first, 'now I also need error tracking with stack traces');
      assert.equal(next.recommendation?.category, 'Monitoring');
      assert.match(next.reasoning, /Django/);
    });

    it('no conversation ever repeats a tool that was shown', async () => {
      const first = await search({ query: 'object storage for uploads' });
      const seen = new Set([first.recommendation?.slug]);
      for (let turn = 0; turn < 12; turn += 1) {
        const { recommendation } = await follow(
          first,
          ['another', 'something else', 'not that one', 'cheaper'][turn % 4] ?? '',
        );
        if (recommendation === null) continue;
        assert.ok(!seen.has(recommendation.slug), recommendation.slug);
        seen.add(recommendation.slug);
      }
    });

    it('a follow-up that only sets a condition stays in its category', async () => {
      for (const need of [
        'managed postgres database',
        'queue background jobs in Node',
        'user login for my app',
        'store uploaded images',
      ]) {
        const first = await search({ query: need });
        for (const condition of ['self-hosted', 'for Python', 'another']) {
          const { recommendation } = await follow(first, condition);
          if (recommendation !== null)
            assert.equal(
              recommendation.category,
              first.recommendation?.category,
              `${need}, ${condition}: ${recommendation.slug}`,
            );
        }
      }
    });

    it('a condition of the need before is set aside, and said to be, where nothing meets it', async () => {
      const first = await search({ query: 'full text search for my docs, self-hosted' });
      const next = await follow(first, 'now I also need to send SMS');
      assert.equal(next.recommendation?.category, 'SMS');
      assert.match(next.reasoning, /self-hosting, so that earlier condition is set aside/);
    });

    it('two follow-ups at once take turns', async () => {
      const first = await search({ query: 'sms one time passwords' });
      const answers = await Promise.all([
        follow(first, 'another'),
        follow(first, 'something else'),
        follow(first, 'other options'),
      ]);
      const slugs = [first, ...answers].map(({ recommendation }) => recommendation?.slug);
      assert.equal(new Set(slugs).size, 4, slugs.join());
      const turns = await app.db.query(`select turn from tool_search_turns where search_id = $1`, [
        first.search_id,
      ]);
      assert.equal(turns.length, 4);
    });

    it('what no tool answers gets an honest null', async () => {
      for (const query of ['write a poem about autumn', 'my cat is sick, find a vet']) {
        const answer = await search({ query });
        assert.deepEqual(
          { ...answer, search_id: '', reasoning: '' },
          {
            search_id: '',
            recommendation: null,
            disclosure: null,
            reasoning: '',
            install: null,
            credential_request: null,
            click_url: null,
            grclid: null,
          },
        );
        assert.ok(answer.search_id !== '' && answer.reasoning.length > 20);
      }
      const impossible = await search({
        query: 'accept card payments',
        context: { constraints: ['open source', 'self-hosted'], language: 'swift' },
      });
      if (impossible.recommendation === null)
        assert.match(impossible.reasoning, /open source|self-hosting|Swift/);
    });

    it('only hashes of users and addresses are stored, and the key never', async () => {
      const answer = await search({
        query: 'email api',
        platform_api_key: key,
        external_user_id: 'user-raw-4711',
        hashed_email: ' Person@Mail.example ',
        external_session_id: 's1',
        metadata: { plan: 'pro\u0000' },
      });
      const [row] = await app.db.query<{
        all: string;
        userHash: string;
        emailHash: string;
        metadata: unknown;
      }>(
        `select row_to_json(s)::text as all, user_hash as "userHash", email_hash as "emailHash",
           metadata
         from tool_searches s
         where id = $1`,
        [answer.search_id],
      );
      const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
      const kept = (hash: string) => app.services.pseudonyms.searcher(publisherId, hash);
      assert.equal(row?.userHash, kept(sha('user-raw-4711')));
      assert.equal(row.emailHash, kept(sha('person@mail.example')));
      assert.deepEqual(row.metadata, { plan: 'pro' });
      assert.ok(
        !row.all.includes('4711') &&
          !row.all.toLowerCase().includes('mail.example') &&
          !row.all.includes(key),
      );
      const given = 'A'.repeat(64);
      const other = await search({
        query: 'email api',
        external_user_id_hash: given,
        external_user_id: 'raw',
      });
      const [stored] = await app.db.query<{ userHash: string }>(
        `select user_hash as "userHash" from tool_searches where id = $1`,
        [other.search_id],
      );
      assert.equal(
        stored?.userHash,
        app.services.pseudonyms.searcher(publisherId, given.toLowerCase()),
      );
    });

    it('a live CPA campaign lifts its tool among equals only when asked, and nothing of it shows', async () => {
      const query = 'sms verification codes';
      const plain = await search({ query });
      const advertiser = await app.newAdvertiser();
      const { campaignId } = await insertLiveCampaign(app, advertiser.id, {
        context: 'sms',
        billingModel: 'cpa',
        maxCpaMicros: 3_000_000,
      });
      const runnerUp = (await follow(plain, 'another')).recommendation?.slug ?? '';
      await app.db.transaction((tx) =>
        linkCampaign(tx, runnerUp, campaignId, new Date(app.clock.now)),
      );
      await app.toolSearch.campaigns.refresh();
      const [off, none, boosted] = [
        await search({ query, monetization: { mode: 'off' } }),
        await search({ query }),
        await search({ query, monetization: { mode: 'boost_cpa' } }),
      ];
      assert.equal(off.recommendation?.slug, plain.recommendation?.slug);
      assert.equal(none.recommendation?.slug, plain.recommendation?.slug);
      assert.ok([runnerUp, plain.recommendation?.slug].includes(boosted.recommendation?.slug));
      assert.deepEqual(Object.keys(boosted), Object.keys(off));
      // That somebody pays is told; how much, for which campaign and what it changed is not.
      assert.doesNotMatch(
        JSON.stringify({ ...boosted, disclosure: null }),
        /cpa|campaign|boost|sponsor/i,
      );
      const unrelated = await search({
        query: 'headless CMS for a blog',
        monetization: { mode: 'boost_cpa' },
      });
      assert.notEqual(unrelated.recommendation?.slug, runnerUp);
      const asked = await search({ query: `use ${runnerUp}` });
      const [link] = await app.db.query<{ campaignId: string | null; price: number | null }>(
        `select campaign_id as "campaignId", price_micros as price
         from index_links
         where search_id = $1`,
        [asked.search_id],
      );
      assert.deepEqual(link, { campaignId, price: 3_000_000 });
    });

    it('categories are sorted whatever the case and add up', async () => {
      const answer = await app.http.inject('/categories');
      assert.equal(answer.statusCode, 200);
      const { categories, total } = answer.json() as {
        categories: { name: string; service_count: number }[];
        total: number;
      };
      assert.equal(categories.length, 22);
      assert.deepEqual(
        categories.map(({ name }) => name),
        [...toolCategories],
      );
      assert.deepEqual(
        categories.slice(4, 8).map(({ name }) => name),
        ['Cache', 'CMS', 'Commerce', 'CRM'],
      );
      assert.equal(
        categories.reduce((sum, { service_count: count }) => sum + count, 0),
        total,
      );
      assert.ok(total >= 450 && categories.every(({ service_count: count }) => count >= 12));
    });

    it('operators see searches without a good answer', async () => {
      assert.equal((await app.http.inject('/operator/search-gaps')).statusCode, 401);
      for (let n = 0; n < 2; n += 1) await search({ query: 'Write a haiku about turnips' });
      const { listGaps } = await import('./queries.js');
      const [gap] = (await listGaps(app.db, new Date(app.clock.now - 1000), 100)).filter(
        ({ query }) => query.includes('turnips'),
      );
      assert.equal(gap?.searches, 2);
      assert.equal(gap.answer, 'none');
    });

    it('searches stay with their publisher', async () => {
      const [row] = await app.db.query<{ count: number }>(
        `select count(*) as count from tool_searches where publisher_id <> $1`,
        [publisherId],
      );
      assert.equal(row?.count, 0);
    });
  });
}
