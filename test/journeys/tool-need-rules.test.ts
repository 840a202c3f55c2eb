import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readTools } from '../../src/platform/catalog-folder/read-tools.js';
import { createNoEmbedder } from '../../src/platform/embedding/embedder.js';
import { createNoToolReader } from '../../src/platform/embedding/tool-reader.js';
import { silentLog } from '../../src/platform/log.js';
import { openTools } from '../../src/surfaces/tool-search/open-tools.js';
import { createToolSearch } from '../../src/surfaces/tool-search/search-tools.js';
import { type AskedTools, openAskedTools, stacks } from '../support/ask-tools.js';

describe('what is said about a need, answered by meaning', () => {
  let asked: AskedTools;
  before(async () => {
    asked = await openAskedTools();
  });
  after(() => asked.app.close());
  const ask: AskedTools['ask'] = (query, context) => asked.ask(query, context);

  /** Each need gets one of its tools. */
  async function assertAnswers(
    needs: readonly (readonly [string, readonly string[]])[],
    context?: Record<string, string>,
  ): Promise<void> {
    for (const [need, right] of needs) {
      const { recommendation } = await ask(need, context);
      assert.ok(
        right.some((slug) => slug === recommendation?.slug),
        `${need} → ${recommendation?.slug}`,
      );
    }
  }

  it('a tool that is asked for by its name, and nothing but its name, is the one recommended', async () => {
    const others: string[] = [];
    for (const [at, { slug, name }] of asked.app.toolSearch.listTools().entries()) {
      if (at % 6 !== 0) continue;
      const message = `I want to use ${name} for this`;
      assert.equal((await ask(message)).recommendation?.slug, slug, message);
      const bare = (await ask(name)).recommendation?.slug;
      if (bare !== slug) others.push(`${name} → ${bare}`);
    }
    // "webhook (adnanh)": the name is what it is for.
    assert.ok(others.length <= 1, others.join('\n'));
  });

  it('a condition that is said outright holds, however well another tool would fit', async () => {
    const tools = await readTools();
    for (const [condition, holds] of [
      ['*, must be open source', ({ facts }) => facts.open_source],
      ['*, self-hosted only', ({ facts }) => facts.self_hostable],
      ['open source: *', ({ facts }) => facts.open_source],
      ['* for our Elixir app', ({ facts }) => /any|elixir/.test(facts.languages.join())],
    ] satisfies [string, (tool: (typeof tools)[number]) => boolean][])
      for (const [at, { needs }] of tools.entries()) {
        if (at % 27 !== 4) continue;
        const message = condition.replace('*', needs[3] ?? '');
        const slug = (await ask(message)).recommendation?.slug;
        const tool = tools.find((one) => one.slug === slug);
        assert.ok(tool === undefined || holds(tool), `${message} → ${slug}`);
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
      ['we are moving from Auth0 to Clerk', 'clerk'],
      ['switch our hosting from Heroku to Render', 'render'],
      ['send SMS with Twilio', 'twilio'],
    ] as const)
      assert.equal((await ask(need)).recommendation?.slug, asked, need);
  });

  it('what is refused beside a tool, its maker’s home and what is there already count', async () => {
    await assertAnswers([
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
    ]);
  });

  it('a product the index does not list says what kind is wanted where it is to go', async () => {
    await assertAnswers([
      ['get rid of Jenkins', ['github-actions', 'gitlab-ci', 'circleci', 'buildkite']],
      [
        'migrating from Mandrill',
        ['mailgun', 'postmark', 'resend', 'amazon-ses', 'sendgrid', 'mailersend'],
      ],
      [
        'our Joomla site is ancient, what should we move to',
        ['wordpress', 'drupal', 'craft-cms', 'umbraco', 'contentstack'],
      ],
      // Refused in passing it says so too.
      ['chat between users inside our app; not Sendbird', ['stream-chat', 'pubnub']],
    ]);
  });

  it('what is said counts, beside why, for whom, how and what is there already', async () => {
    const needs: [string, string[]][] = [
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
    ];
    for (const context of [{}, stacks[0]]) await assertAnswers(needs, context);
    for (const talk of ['hello, how are you?', 'I feel sad today, my dog died'])
      assert.equal((await ask(talk)).recommendation, null, talk);
  });

  it('a condition that no list of phrases knows is made out from its meaning', async () => {
    await assertAnswers([
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
    ]);
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
    const { index, findMentions, roleReader } = await openTools();
    const read: string[] = [];
    let arrive = (): void => undefined;
    const search = createToolSearch({
      db: asked.app.db,
      clock: () => asked.app.clock.now,
      mintId: asked.app.services.mintId,
      consent: asked.app.services.consent,
      pseudonyms: asked.app.services.pseudonyms,
      choices: asked.app.services.choices,
      eventLog: asked.app.services.eventLog,
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
      toolReader: createNoToolReader(),
      campaigns: asked.app.toolSearch.campaigns,
      disclosure: asked.app.services.disclosure,
      directory: asked.app.services.directory,
      links: { insert: () => Promise.resolve(), rows: () => ({}), urlOf: (id) => id },
    });
    const publisher = await asked.app.newPublisher();
    const answering = search(publisher, { query: 'hello' });
    index.setVectors(index.needTexts.map(() => new Float32Array(2)));
    arrive();
    assert.equal((await answering).recommendation, null);
    assert.deepEqual(read, ['hello']);
  });
});
