import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { createNoEmbedder } from '../../src/platform/embedding/embedder.js';
import { silentLog } from '../../src/platform/log.js';
import { openToolCatalogue } from '../../src/surfaces/tool-search/open-catalogue.js';
import type { ToolAnswer } from '../../src/surfaces/tool-search/schema.js';
import { createToolSearch } from '../../src/surfaces/tool-search/search-tools.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';

interface JudgedNeed {
  need: string;
  category: string[];
  tools: string[];
  context?: Record<string, string>;
}

/** Our own files. */
const readNeeds = (name: string): JudgedNeed[] =>
  JSON.parse(
    readFileSync(new URL(`../../../test/fixtures/${name}`, import.meta.url), 'utf8'),
  ) as JudgedNeed[];

/** Refusals, two needs at once, products to leave, budgets, own servers, stacks, no vendor. */
const hard = readNeeds('tool-needs-hard.json');
const judged = readNeeds('tool-needs.json');

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

  it('85 of 86 hard needs get a tool an expert would accept, all the right category', async () => {
    const mistakes: string[] = [];
    for (const { need, category, tools, context } of hard) {
      const { recommendation } = await ask(need, context);
      assert.ok(
        category.includes(recommendation?.category ?? ''),
        `${need} → ${recommendation?.slug}`,
      );
      if (!tools.includes(recommendation?.slug ?? ''))
        mistakes.push(`${need} → ${recommendation?.slug}`);
    }
    assert.ok(mistakes.length <= 1, mistakes.join('\n'));
  });

  it('a stack in the context never changes what a need is about', async () => {
    const bareNeeds = [...hard, ...judged.slice(0, 60)].filter(
      ({ context }) => context === undefined,
    );
    for (const { need } of bareNeeds) {
      const bare = await ask(need);
      const stacked = await ask(need, { framework: 'nextjs', language: 'typescript' });
      assert.equal(stacked.recommendation?.category, bare.recommendation?.category, need);
    }
  });

  it('a search before the model is there waits for it', async () => {
    const { index, findMentions } = await openToolCatalogue();
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
});
