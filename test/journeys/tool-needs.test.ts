import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { createNoEmbedder } from '../../src/platform/embedding/embedder.js';
import { createNoToolReader } from '../../src/platform/embedding/tool-reader.js';
import { silentLog } from '../../src/platform/log.js';
import { openTools } from '../../src/surfaces/tool-search/open-tools.js';
import type { ToolAnswer } from '../../src/surfaces/tool-search/schema.js';
import { createToolSearch } from '../../src/surfaces/tool-search/search-tools.js';
import { insertLiveCampaign } from '../support/live-campaign.js';
import { managing } from '../support/managed-campaign.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';

interface JudgedNeed {
  need: string;
  category: string[];
  tools: string[];
  context?: Record<string, string>;
}

/** Our own files. */
const readFixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../test/fixtures/${name}`, import.meta.url), 'utf8'));
const readNeeds = (name: string): JudgedNeed[] => readFixture(name) as JudgedNeed[];

/** Refusals, two needs at once, products to leave, budgets, own servers, stacks, no vendor. */
const hard = readNeeds('tool-needs-hard.json');
const judged = readNeeds('tool-needs.json');
/** Mostly about a tool that is refused, to be left, or there already, in many ways to say so. */
const named = readNeeds('tool-needs-named.json');
/** Chores with code, knowledge, other trades and talk: no tool of the index answers any. */
const noNeeds = readFixture('tool-no-needs.json') as Record<'seen' | 'fresh', string[]>;
/** The same seven kinds in other voices, a word or two, and whole pages. */
const voices = readFixture('tool-needs-voices.json') as Record<
  'seen' | 'seenLater' | 'aside' | 'terse' | 'long',
  (Omit<JudgedNeed, 'tools'> & { tools?: string[] })[]
>;
/** Long and short, chatty, in tickets and by agents; a few are no needs. */
const mixed = readFixture('tool-needs-mixed.json') as Record<'mixed' | 'aside', JudgedNeed[]>;
/** Told by trouble or result, in stories, by people who name neither tool nor trade. */
const told = readFixture('tool-needs-told.json') as Record<'needs' | 'aside', JudgedNeed[]> &
  Record<'without' | 'asideWithout', string[]>;
const stacks: Record<string, string>[] = [
  { framework: 'nextjs', language: 'typescript' },
  { framework: 'django', language: 'python' },
  { language: 'go' },
  { language: 'swift' },
];

describe('needs as agents put them, answered by meaning', () => {
  let app: TestApp;
  let key: string;
  before(async () => {
    const [engine] = testEngines();
    assert.ok(engine !== undefined);
    app = await buildTestApp(await engine.open(), { environment: { MATCHING: 'semantic' } });
    ({ apiKey: key } = await app.newPublisher());
    await app.toolSearch.settled();
    assert.equal(app.toolSearch.mode, 'semantic');
  });
  after(() => app.close());

  async function ask(query: string, context: Record<string, string> = {}): Promise<ToolAnswer> {
    const answer = await app.http.inject({
      method: 'POST',
      url: '/search',
      headers: { 'x-api-key': key },
      payload: { query, context },
    });
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json();
  }

  /** Needs that got a tool of another category, and needs that got a wrong tool. */
  async function mistakesIn(needs: readonly JudgedNeed[]): Promise<[string[], string[]]> {
    const [elsewhere, mistakes]: [string[], string[]] = [[], []];
    for (const { need, category, tools, context } of needs) {
      const { recommendation } = await ask(need, context);
      const line = `${need} → ${recommendation?.slug}`;
      if (!category.includes(recommendation?.category ?? '')) elsewhere.push(line);
      if (!tools.includes(recommendation?.slug ?? '')) mistakes.push(line);
    }
    return [elsewhere, mistakes];
  }

  it('of 125 hard needs 124 get the right category and 120 a tool an expert would accept', async () => {
    const [elsewhere, mistakes] = await mistakesIn(hard);
    assert.ok(elsewhere.length <= 1, elsewhere.join('\n'));
    assert.ok(mistakes.length <= 5, mistakes.join('\n'));
  });

  for (const [which, needs, without, most] of [
    ['seen', told.needs, told.without, 2],
    ['asked when all was done', told.aside, told.asideWithout, 4],
  ] as const)
    it(`of 140 needs told by trouble, result or story, ${which}, 136 get the right category and 130 a right tool`, async () => {
      const [elsewhere, mistakes] = await mistakesIn(needs);
      assert.equal(needs.length, 140);
      assert.ok(elsewhere.length <= 140 - 136, elsewhere.join('\n'));
      assert.ok(mistakes.length <= 140 - 130, mistakes.join('\n'));
      const answered: string[] = [];
      for (const message of without)
        if ((await ask(message)).recommendation !== null) answered.push(message);
      assert.ok(answered.length <= most, answered.join('\n'));
    });

  const ways: readonly [string, Record<string, string>][] = [
    ['as people put them', {}],
    ['with a stack', { framework: 'nextjs', language: 'typescript' }],
  ];
  for (const [way, context] of ways)
    it(`of 140 needs that name tools ${way}, 134 get the right category and 131 a right tool`, async () => {
      const [elsewhere, mistakes] = await mistakesIn(named.map((one) => ({ ...one, context })));
      assert.equal(named.length, 140);
      assert.ok(elsewhere.length <= 140 - 134, elsewhere.join('\n'));
      assert.ok(mistakes.length <= 140 - 131, mistakes.join('\n'));
    });

  it('a tool that is asked for by its name is the one recommended', async () => {
    for (const [at, { slug, name }] of app.toolSearch.listTools().entries()) {
      if (at % 6 !== 0) continue;
      const message = `I want to use ${name.replace(/ \(.*/, '')} for this`;
      assert.equal((await ask(message)).recommendation?.slug, slug, message);
    }
  });

  it('a tool that is there already is not recommended again, nor one that is refused', async () => {
    for (const [need, not] of [
      ['payments are already solved with Stripe, now we need to send receipts by email', 'stripe'],
      ['our lawyers forbid Google Analytics, we still want to count visitors', 'google-analytics'],
      ['we want to sunset New Relic this quarter and still trace slow requests', 'new-relic'],
      ['hosted Redis, Upstash excluded', 'upstash-redis'],
    ] as const) {
      const { recommendation } = await ask(need);
      assert.notEqual(recommendation, null, need);
      assert.notEqual(recommendation?.slug, not, need);
    }
    for (const [need, asked] of [
      ['set up Stripe in my app', 'stripe'],
      ['migrate from SendGrid to Postmark', 'postmark'],
      ['send SMS with Twilio', 'twilio'],
    ] as const)
      assert.equal((await ask(need)).recommendation?.slug, asked, need);
  });

  it('what is refused beside a tool, its maker’s home and what is there already count', async () => {
    for (const [need, right] of [
      // Celery cannot do without one of the two.
      [
        'Something to run cron-like jobs in our Django app, but please no Redis or RabbitMQ to babysit',
        ['inngest', 'upstash-qstash', 'dbos', 'hatchet', 'temporal', 'trigger-dev', 'restate'],
      ],
      [
        'We already use Postgres and do not want a second database, but need full text search with typo tolerance in it',
        ['paradedb'],
      ],
      // "American" and "US vendors" are refused, not asked for.
      [
        'a place for images, EU only, S3 compatible, and not from an American company',
        ['hetzner-object-storage', 'scaleway-object-storage', 'bunny-storage', 'minio', 'garage'],
      ],
      [
        'we want to be told about errors in Laravel, no US vendors',
        ['raygun', 'appsignal', 'glitchtip', 'sentry', 'signoz'],
      ],
      // What a shop runs on is named, not asked for.
      ['shipping labels from several carriers for a Spree shop', ['shippo', 'easypost']],
      // A part that speaks of a tool may say what the need is.
      [
        'Our users keep asking who can see which document: fine-grained permissions like Google Drive, open source',
        ['openfga', 'ory', 'cerbos', 'permit-io', 'zitadel'],
      ],
    ] as const) {
      const { recommendation } = await ask(need);
      assert.ok(
        right.some((slug) => slug === recommendation?.slug),
        `${need} → ${recommendation?.slug}`,
      );
    }
  });

  it('a product the index does not list says what kind is wanted where it is to go', async () => {
    for (const [need, right] of [
      ['get rid of Jenkins', ['github-actions', 'gitlab-ci', 'circleci', 'buildkite']],
      ['migrating from Mandrill', ['mailgun', 'postmark', 'resend', 'amazon-ses', 'sendgrid']],
      [
        'our Joomla site is ancient, what should we move to',
        ['wordpress', 'drupal', 'craft-cms', 'umbraco', 'contentstack'],
      ],
      // Refused in passing it says so too.
      ['chat between users inside our app; not Sendbird', ['stream-chat', 'pubnub']],
    ] as const) {
      const { recommendation } = await ask(need);
      assert.ok(
        right.some((slug) => slug === recommendation?.slug),
        `${need} → ${recommendation?.slug}`,
      );
    }
  });

  it('what is said counts, beside why, for whom, how and what is there already', async () => {
    for (const [need, right] of [
      [
        'leaving MongoDB Atlas for a relational database we don’t have to operate',
        [
          'cloudflare-d1',
          'amazon-rds',
          'neon',
          'planetscale',
          'supabase',
          'cockroachdb',
          // Its managed PostgreSQL is one.
          'aiven',
        ],
      ],
      [
        'postgres for a student project that costs nothing',
        ['neon', 'supabase', 'prisma-postgres', 'aiven'],
      ],
      [
        'login without depending on any vendor, in our own database, TypeScript',
        ['better-auth', 'authjs', 'passport', 'supertokens'],
      ],
      ['usage based billing that we can run and read the code of', ['lago']],
      [
        'we already send receipts by mail, now we need a way to text drivers when a parcel is late',
        ['twilio', 'vonage', 'plivo', 'telnyx', 'sinch', 'bird', 'clicksend', 'seven'],
      ],
      [
        'startup programme credits ran out: cheaper logs',
        ['axiom', 'better-stack', 'openobserve', 'grafana-cloud', 'signoz', 'papertrail'],
      ],
      ['Heroku but on our own server', ['dokku', 'coolify', 'caprover', 'dokploy', 'kamal']],
    ] as const) {
      const contexts: Record<string, string>[] = [
        {},
        { framework: 'nextjs', language: 'typescript' },
      ];
      for (const context of contexts) {
        const { recommendation } = await ask(need, context);
        assert.ok(
          right.some((slug) => slug === recommendation?.slug),
          `${need} → ${recommendation?.slug}`,
        );
      }
    }
    for (const talk of ['hello, how are you?', 'I feel sad today, my dog died'])
      assert.equal((await ask(talk)).recommendation, null, talk);
  });

  it('a condition that no list of phrases knows is made out from its meaning', async () => {
    for (const [need, right] of [
      [
        'Ticket system for support by email, installed on our LAMP server, Zendesk goes',
        ['freescout', 'zammad'],
      ],
      // Left as a house: its other tools are not wanted either.
      [
        'Push notifications to iOS and Android, but we are leaving Firebase for good',
        ['onesignal', 'pusher', 'pubnub', 'ably'],
      ],
      [
        'Online shop in PHP we host, neither Magento nor WooCommerce',
        ['shopware', 'prestashop', 'sylius'],
      ],
      // The place is the condition, "storage" the need.
      [
        'object storage in France run by a French company',
        ['scaleway-object-storage', 'garage', 'hetzner-object-storage'],
      ],
    ] as const) {
      const { recommendation } = await ask(need);
      assert.ok(
        right.some((slug) => slug === recommendation?.slug),
        `${need} → ${recommendation?.slug}`,
      );
    }
  });

  it('a stack in the context never changes what a need is about', async () => {
    const bareNeeds = [...hard, ...judged.slice(0, 60)].filter(
      ({ context }) => context === undefined,
    );
    for (const [at, { need }] of bareNeeds.entries()) {
      const bare = await ask(need);
      for (const stack of [stacks[0], stacks[1 + (at % 3)]]) {
        assert.ok(stack !== undefined);
        const { recommendation } = await ask(need, stack);
        assert.equal(
          recommendation?.category,
          bare.recommendation?.category,
          `${need}, ${stack['language']}`,
        );
      }
    }
    // No library of the stack, and nothing that was made for another need either.
    for (const stack of stacks)
      assert.equal(
        (await ask('DocuSign alternative that we can host', stack)).recommendation?.slug,
        'docuseal',
      );
  });

  it('a message that is no need for a tool gets none, and is told what the index lists', async () => {
    for (const messages of [noNeeds.seen, noNeeds.fresh]) {
      const given: string[] = [];
      for (const message of messages) {
        const { recommendation, reasoning } = await ask(message);
        if (recommendation !== null) given.push(`${message} → ${recommendation.slug}`);
        else assert.match(reasoning, /lists software and services for developers/, message);
      }
      assert.ok(given.length <= 2, given.join('\n'));
    }
  });

  it('a need is answered in a word or two, in other voices, and at the end of a whole page', async () => {
    for (const [part, most] of [
      ['terse', 0],
      ['seen', 1],
      ['seenLater', 2],
      ['aside', 5],
      ['long', 1],
    ] as const) {
      const wrong: string[] = [];
      for (const { need, category, tools } of voices[part]) {
        const { recommendation } = await ask(need);
        const isRight =
          tools === undefined
            ? category.includes(recommendation?.category ?? '')
            : tools.includes(recommendation?.slug ?? '');
        if (!isRight) wrong.push(`${need} → ${recommendation?.slug}`);
      }
      assert.ok(wrong.length <= most, `${part}:\n${wrong.join('\n')}`);
    }
  });

  it('of 122 needs as developers, tickets and agents put them, 116 get a right answer', async () => {
    for (const context of [{}, stacks[0]]) {
      const wrong: string[] = [];
      for (const { need, category, tools } of [...mixed.mixed, ...mixed.aside]) {
        const { recommendation } = await ask(need, context);
        const isRight =
          category.length === 0
            ? recommendation === null
            : tools.includes(recommendation?.slug ?? '');
        if (!isRight) wrong.push(`${need} → ${recommendation?.slug}`);
      }
      assert.ok(wrong.length <= 122 - 116, wrong.join('\n'));
    }
  });

  it('a stack alone, or one that is only compared, is no need, whatever the context says', async () => {
    for (const message of ['compare React and Vue', 'vue or svelte?', 'should I learn Rust or Go'])
      for (const context of [{}, ...stacks])
        assert.equal((await ask(message, context)).recommendation, null, message);
  });

  it('a language that is refused is none that is asked for, and names in a list share their fate', async () => {
    for (const [need, wrong] of [
      ['headless CMS, no PHP', ['wordpress', 'drupal', 'craft-cms', 'statamic']],
      ['a search engine for our docs, nothing Java based', ['apache-solr']],
      [
        'Which payments provider could we use if PayPal and Stripe are both off the table?',
        ['paypal', 'stripe'],
      ],
    ] as const) {
      const { recommendation } = await ask(need);
      assert.notEqual(recommendation, null, need);
      assert.ok(!wrong.some((slug) => slug === recommendation?.slug), recommendation?.slug);
    }
  });

  it('a database that is there already is not what is asked for', async () => {
    const need = 'user accounts in our app, kept in our own Postgres, without yet another vendor';
    assert.equal((await ask(need)).recommendation?.category, 'Auth');
    assert.equal((await ask('managed Postgres for a hobby')).recommendation?.category, 'Database');
  });

  it('a search before the model is there waits for it', async () => {
    const { index, findMentions, roleReader, leaningReader } = await openTools();
    const read: string[] = [];
    let arrive = (): void => undefined;
    const search = createToolSearch({
      db: app.db,
      clock: () => app.clock.now,
      mintId: app.services.mintId,
      consent: app.services.consent,
      pseudonyms: app.services.pseudonyms,
      choices: app.services.choices,
      eventLog: app.services.eventLog,
      log: silentLog,
      embedder: {
        ...createNoEmbedder(),
        embed: (texts) => {
          read.push(...texts);
          return Promise.resolve(texts.map(() => new Float32Array(2)));
        },
      },
      index,
      vectorsLoaded: new Promise((resolve) => (arrive = resolve)),
      findMentions,
      roleReader,
      leaningReader,
      toolReader: createNoToolReader(),
      campaigns: app.toolSearch.campaigns,
      disclosure: app.services.disclosure,
      directory: app.services.directory,
      links: { insert: () => Promise.resolve(), rows: () => ({}), urlOf: (id) => id },
    });
    const publisher = await app.newPublisher();
    const answering = search(publisher, { query: 'hello' });
    index.setVectors(index.needTexts.map(() => new Float32Array(2)));
    arrive();
    assert.equal((await answering).recommendation, null);
    assert.deepEqual(read, ['hello']);
  });

  it('a campaign is forecast from what was really asked, and nothing personal is kept of it', async () => {
    await app.serving.matcher.settled();
    assert.equal(app.serving.matcher.mode, 'semantic');
    const rival = await app.newAdvertiser();
    await insertLiveCampaign(app, rival.id, {
      context: 'sturdy tents for families who go camping',
      maxCpmMicros: 4_000_000,
    });
    await app.serving.matcher.settled();
    const advertiser = await app.newAdvertiser();
    const manage = managing(app, advertiser);
    const plan = { context: 'people who look for a camping tent', daily_budget: 500, max_cpm: 20 };
    const forecast = async (more: Record<string, unknown> = {}) => {
      const { status, body } = await manage('POST', 'forecast', { ...plan, ...more });
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };
    assert.equal((await forecast()).forecast.reason, 'nothing_asked');
    const publisher = await app.newPublisher();
    const wishes = [
      'which tent should I buy for camping with two kids?',
      'I need a tent that stays dry on a rainy camping weekend',
      'recommend a good family tent for a first camping trip',
      'which accounting software suits a small bakery?',
    ];
    for (let day = 0; day < 3; day += 1) {
      for (const [at, content] of wishes.entries())
        for (const country of ['US', 'DE'])
          await app.http.inject({
            method: 'POST',
            url: '/api/v1/ad',
            headers: { authorization: `Bearer ${publisher.apiKey}` },
            payload: {
              messages: [{ role: 'user', content }],
              sessionId: `s${day} ${at} ${country}`,
              userId: 'somebody in particular',
              device: { country, device_type: 'mobile' },
              placements: [{ placement: 'below_response', placement_id: 'main' }],
            },
          });
      await app.serving.pace();
      app.clock.now += 86_400_000;
      // The new day's budget is held before anybody asks.
      await app.serving.balance();
    }
    const { basis, forecast: open } = await forecast();
    assert.deepEqual([basis.days, basis.requests, basis.kept], [3, 24, 24]);
    assert.equal(open.enough_data, true, JSON.stringify(open));
    // Six speak of tents. Words they share with the ad count when it is served, not here.
    const perDay = open.matching_requests_per_day;
    assert.ok(perDay >= 4 && perDay <= 6, String(perDay));
    assert.equal(open.won_share, 1);
    const { impressions, clicks, spend } = open.per_day;
    assert.ok(
      impressions.expected > perDay / 2 && impressions.expected <= perDay,
      JSON.stringify(open),
    );
    for (const { low, expected, high } of [impressions, clicks, spend])
      assert.ok(low <= expected && expected <= high && expected > 0);

    const abroad = (await forecast({ allowed_countries: ['de'] })).forecast;
    assert.equal(abroad.matching_requests_per_day, perDay / 2);
    assert.equal(abroad.reason, 'too_few');
    const poor = (await forecast({ max_cpm: 0.6 })).forecast;
    assert.deepEqual([poor.won_share, poor.limited_by], [0, 'bid'], 'the rival bids more');
    const small = (await forecast({ daily_budget: 0.001 })).forecast;
    assert.equal(small.limited_by, 'budget');
    assert.ok(small.per_day.spend.high <= 0.001);
    const end_time = new Date(app.clock.now + 2 * 86_400_000).toISOString();
    const run = (await forecast({ end_time })).forecast.run;
    assert.equal(run.days, 2);
    assert.equal(run.impressions.expected, impressions.expected * 2);
    const other = (await forecast({ context: 'dental implants in Budapest' })).forecast;
    assert.equal(other.reason, 'nothing_fits');

    const { campaignId } = await insertLiveCampaign(app, advertiser.id, {
      context: plan.context,
      maxCpmMicros: 20_000_000,
    });
    const edit = await manage('POST', 'forecast', { campaign_id: campaignId, max_cpm: 0.6 });
    assert.equal(edit.body.current.won_share, 1);
    assert.equal(edit.body.forecast.won_share, 0);
    const rivals = managing(app, rival);
    assert.equal((await rivals('POST', 'forecast', { campaign_id: campaignId })).status, 404);
    assert.equal((await manage('POST', 'forecast', { context: 'tents' })).status, 422);

    const kept = JSON.stringify(await app.db.query(`select * from asked_requests`));
    for (const word of ['somebody', publisher.id, 'bakery', 'rainy', 's0 0'])
      assert.ok(!kept.includes(word), word);
    const hours = await app.db.query<{ fine: boolean }>(
      `select bool_and(hour = date_trunc('hour', hour)) as fine from asked_requests`,
    );
    assert.equal(hours[0]?.fine, true);
    app.clock.now += 16 * 86_400_000;
    await app.serving.pace();
    assert.deepEqual(await app.db.query(`select 1 from asked_requests`), []);
  });
});
