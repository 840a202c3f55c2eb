// How well and how fast conversations find ad groups.
//   npm run bench -- matching [quality | growth]
// SIDELIGHT_DATA=<folder with context/dev.json.gz> judges on that as well as on our own
// conversations.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createMatchIndex } from '../src/domain/matching/match-index.js';
import type { MatchIndex } from '../src/domain/matching/match-index.js';
import { documentVector } from '../src/domain/matching/match-document.js';
import { match } from '../src/domain/matching/match.js';
import { prepareQuery, readMeaning } from '../src/domain/matching/prepare-query.js';
import { topicCatalogue } from '../src/domain/matching/topic-catalogue.js';
import { createTopicSpace } from '../src/domain/matching/topic-space.js';
import type { TopicSpace } from '../src/domain/matching/topic-space.js';
import { createEmbedder } from '../src/platform/embedding/create-embedder.js';
import type { Embedder } from '../src/platform/embedding/embedder.js';
import { loadTopicVectors } from '../src/platform/embedding/topic-vectors.js';
import { judgeMatching } from '../test/support/judge-matching.js';
import type { JudgedConversations } from '../test/support/judge-matching.js';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

function judgedSets(): [string, JudgedConversations][] {
  const own: unknown = JSON.parse(
    readFileSync(new URL('../../test/fixtures/judged-conversations.json', import.meta.url), 'utf8'),
  );
  const sets = Object.entries(own as Record<string, JudgedConversations>); // Our own file.
  const data = process.env['SIDELIGHT_DATA'];
  const file = data === undefined ? null : join(data, 'context/dev.json.gz');
  if (file === null || !existsSync(file))
    print(
      'SIDELIGHT_DATA is not set or has no context/dev.json.gz: judged on our own conversations only',
    );
  else {
    const judged: unknown = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
    sets.unshift(['dev', judged as JudgedConversations]); // The format of the data folder.
  }
  return sets;
}

async function quality(embedder: Embedder, space: TopicSpace): Promise<void> {
  print('set        by       precision  right  small talk  other  wanted ad missing');
  for (const [name, judged] of judgedSets()) {
    for (const [by, model] of [
      ['meaning', embedder],
      ['words', null],
    ] as const) {
      const verdict = await judgeMatching(judged, model, model === null ? null : space);
      const cells = [
        verdict.precision,
        verdict.right,
        verdict.servedOnSmallTalk,
        verdict.servedOnOther,
        verdict.servedWithoutWanted,
      ].map((share) => share.toFixed(3));
      print(
        `${name.padEnd(10)} ${by.padEnd(8)} ${cells[0]?.padStart(9)}  ${cells[1]}  ${cells[2]?.padStart(10)}  ${cells[3]}  ${cells[4]}`,
      );
      if (process.env['MISTAKES'] !== undefined && model !== null)
        verdict.mistakes.forEach((mistake) => print(`    ${mistake}`));
    }
  }
}

/** The same numbers on every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

/**
 * Ad groups that look like real ones: an offer from the catalogue, words from others, and a vector
 * beside the offer's.
 */
function fill(
  size: number,
  offers: readonly Float32Array[],
  space: TopicSpace,
): { index: MatchIndex; bytes: number; worstEdit: number } {
  const random = createRandom(7);
  const index = createMatchIndex();
  const needs = topicCatalogue.filter((topic) => topic.kind === 'need');
  const edit = (slot: number): void => {
    const topic = Math.floor(random() * needs.length);
    const other = needs[Math.floor(random() * needs.length)]!;
    const examples = needs[topic]!.examples;
    const document = {
      context: `${needs[topic]!.description}, ${examples[Math.floor(random() * examples.length)]}`,
      brand: `Brand${Math.floor(random() * size)} ${other.description.split(' ')[0]}`,
      adText: `${other.examples[0]} offer ${Math.floor(random() * size)}`,
      landingTerms: other.description,
      negativeContext: slot % 10 === 0 ? 'job seekers, free samples' : '',
    };
    const vector = offers[topic]!.map((value) => value + (random() - 0.5) * 0.09);
    index.upsert(slot, document, { meaning: documentVector([vector], space), negatives: [] });
  };
  const before = memory();
  for (let slot = 0; slot < size; slot++) edit(slot);
  const bytes = memory() - before;
  let worstEdit = 0;
  for (let count = 0; count < 500; count++) {
    const started = processorTime();
    edit(Math.floor(random() * size));
    worstEdit = Math.max(worstEdit, processorTime() - started);
  }
  return { index, bytes, worstEdit };
}

/** Milliseconds the process has used: on a busy machine the clock would measure its neighbours. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function memory(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function growth(embedder: Embedder, space: TopicSpace): Promise<void> {
  if (globalThis.gc === undefined) print('run with --expose-gc for exact memory');
  const offers = await embedder.embed(
    topicCatalogue.filter((topic) => topic.kind === 'need').map((topic) => topic.description),
  );
  const judged = judgedSets()
    .flatMap(([, set]) => set.positive)
    .slice(0, 200);
  const queries = [];
  for (const { text } of judged) {
    const prepared = prepareQuery([{ role: 'user', content: text }]);
    queries.push({
      prepared,
      vectors: await embedder.embed(prepared.texts.map((each) => each.text)),
    });
  }
  print('groups    p50 ms   p99 ms   × of first p99   bytes a group   slowest edit ms');
  let first = 0;
  for (const size of [1000, 10_000, 100_000]) {
    const { index, bytes, worstEdit } = fill(size, offers, space);
    const times: number[] = [];
    for (let round = 0; round < 11; round++) {
      for (const { prepared, vectors } of queries) {
        const started = processorTime();
        match(index, readMeaning(prepared, vectors, space), { limit: 64 });
        // The first round warms up.
        if (round > 0) times.push(processorTime() - started);
      }
    }
    times.sort((a, b) => a - b);
    const at = (share: number): number => times[Math.floor(times.length * share)]!;
    first ||= at(0.99);
    print(
      `${String(size).padEnd(8)} ${at(0.5).toFixed(3).padStart(7)}  ${at(0.99).toFixed(3).padStart(7)}  ${(at(0.99) / first).toFixed(2).padStart(15)}  ${Math.round(
        bytes / size,
      )
        .toString()
        .padStart(14)}  ${worstEdit.toFixed(2).padStart(16)}`,
    );
  }
}

async function embedding(embedder: Embedder): Promise<void> {
  const texts = Array.from(
    { length: 100 },
    (_, at) => `my flight number ${at} got cancelled and I am stuck at the gate`,
  );
  const before = process.cpuUsage();
  const started = performance.now();
  await embedder.embed(texts);
  const { user, system } = process.cpuUsage(before);
  print(
    `embedding: ${((user + system) / 1000 / texts.length).toFixed(2)} ms processor time and ${((performance.now() - started) / texts.length).toFixed(2)} ms a text`,
  );
}

export const summary =
  'quality on judged conversations; speed and memory at 1,000, 10,000 and 100,000 ad groups';

export async function run([only]: readonly string[]): Promise<void> {
  const embedder = createEmbedder({
    workers: 1,
    cacheSize: 10_000,
    log: { info() {}, warn: (details, message) => print(`${message} ${JSON.stringify(details)}`) },
  });
  await embedder.ready;
  try {
    if (embedder.status !== 'ready') return print('there is no embedding model on this machine');
    const space = createTopicSpace(await loadTopicVectors(embedder));
    if (only !== 'growth') await quality(embedder, space);
    if (only === 'quality') return;
    await embedding(embedder);
    await growth(embedder, space);
  } finally {
    await embedder.close();
  }
}
