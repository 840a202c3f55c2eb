// Tool search measured: is the recommended tool one an expert would accept, and what does deciding
// cost.   npm run bench -- tool-search [--quality-only] [--show]
import { readFileSync } from 'node:fs';
import { createMentionFinder } from '../src/domain/tool-search/find-mentions.js';
import { takeTurn } from '../src/domain/tool-search/need-state.js';
import { rankTools } from '../src/domain/tool-search/rank-tools.js';
import { type NeedContext, readNeed } from '../src/domain/tool-search/read-need.js';
import { createToolIndex } from '../src/domain/tool-search/tool-index.js';
import { readTools } from '../src/platform/catalog-folder/read-tools.js';
import { builtToolVectors } from '../src/platform/catalog-folder/load-vectors.js';
import { readBuiltVectors } from '../src/platform/embedding/built-vectors.js';
import { createEmbedder } from '../src/platform/embedding/create-embedder.js';
import type { Embedder } from '../src/platform/embedding/embedder.js';
import { silentLog } from '../src/platform/log.js';
import { startPostgresServer } from '../test/support/postgres-server.js';
import { compareServers, printMeasured } from './support/cpu-compare.js';

export const summary =
  'tool search: right category and acceptable tool on judged needs, CPU of a decision against bare node:http';

interface JudgedNeed {
  need: string;
  category: string[];
  tools: string[];
  context?: NeedContext;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function judge(show: boolean): Promise<void> {
  // The fixture has this shape by its own test.
  const needs = JSON.parse(
    readFileSync(new URL('../../test/fixtures/tool-needs.json', import.meta.url), 'utf8'),
  ) as JudgedNeed[];
  const tools = await readTools();
  const embedder = createEmbedder({ workers: 1, cacheSize: 1000, log: silentLog });
  try {
    await embedder.ready;
    for (const model of [null, embedder]) {
      if (model !== null && model.status !== 'ready') return say('no model: by words only');
      const index = createToolIndex(tools);
      if (model !== null) {
        const vectors = await readBuiltVectors(builtToolVectors, model.modelId, index.needTexts);
        index.setVectors(vectors.map((vector) => vector ?? new Float32Array(model.dimensions)));
      }
      await judgeWith(index, needs, model, show);
    }
  } finally {
    await embedder.close();
  }
}

async function judgeWith(
  index: ReturnType<typeof createToolIndex>,
  needs: readonly JudgedNeed[],
  model: Embedder | null,
  show: boolean,
): Promise<void> {
  const findMentions = createMentionFinder(index.tools);
  let [categories, acceptable, micros] = [0, 0, 0];
  for (const { need, category, tools, context } of needs) {
    const before = process.cpuUsage();
    const { state, named, cheaperThan, text } = takeTurn(
      null,
      readNeed(need, findMentions),
      context ?? {},
      { find: index.find, named: index.named, topicOf: (text) => index.evidenceFor(text, null) },
    );
    const [vector = null] = model === null ? [] : await model.embed([text]);
    const { ranked } = rankTools(index, state, index.evidenceFor(text, vector), {
      named,
      cheaperThan,
    });
    const used = process.cpuUsage(before);
    micros += used.user + used.system;
    const chosen = ranked[0]?.tool;
    const isRight = chosen !== undefined && category.includes(chosen.category);
    const isAcceptable = chosen !== undefined && tools.includes(chosen.slug);
    categories += Number(isRight);
    acceptable += Number(isAcceptable);
    if (show && !(isRight && isAcceptable))
      say(`  ${isRight ? 'tool' : 'category'}: ${need} → ${chosen?.slug ?? 'nothing'}`);
  }
  const percent = (count: number): string => `${((100 * count) / needs.length).toFixed(1)} %`;
  say(
    `${model === null ? 'by words  ' : 'by meaning'}  right category ${percent(categories)}, acceptable tool ${percent(acceptable)} of ${needs.length} needs, ${Math.round(micros / needs.length)} µs CPU each${model === null ? '' : ', model included'} (cold)`,
  );
}

async function measure(): Promise<void> {
  const server = await startPostgresServer({ durable: true });
  let key = '';
  const query = (n: number): string =>
    `send ${1 + (n % 97)} password reset emails from my Next.js app`;
  try {
    printMeasured(
      'A tool recommended, stored and linked, by words',
      await compareServers(
        [
          {
            name: 'bare node:http JSON',
            module: new URL('./support/bare-server.js', import.meta.url),
            request: (n) => ({
              path: '/',
              method: 'POST',
              body: JSON.stringify({ query: query(n) }),
            }),
          },
          {
            name: 'sidelight /search',
            module: new URL('./support/app-server.js', import.meta.url),
            env: { DATABASE_URL: server.url, BENCH_GROUPS: '1' },
            onSetup: (setup) => void (key = String(setup['publisher'])),
            request: (n) => ({
              path: '/search',
              method: 'POST',
              headers: { 'x-api-key': key },
              body: JSON.stringify({ query: query(n) }),
            }),
          },
        ],
        { rounds: 5, requests: 2000, concurrency: 64 },
      ),
    );
  } finally {
    await server.stop();
  }
}

export async function run(args: readonly string[]): Promise<void> {
  await judge(args.includes('--show'));
  if (!args.includes('--quality-only')) await measure();
}
