import { match } from '../../src/domain/matching/match.js';
import { createMatchIndex, type MatchIndex } from '../../src/domain/matching/match-index.js';
import { addReading, prepareQuery } from '../../src/domain/matching/match-query.js';
import type { Topic } from '../../src/domain/reading/topics.js';
import { joinTurns, type Turns, turnsOf } from '../../src/domain/reading/turns.js';
import { normalise } from '../../src/domain/matching/vectors.js';
import type { MatchingLists } from '../../src/platform/catalog-folder/read-matching-lists.js';
import type { Reader } from '../../src/platform/embedding/create-reader.js';
import { loadReaderModel } from '../../src/platform/embedding/reader-model.js';
import { createRandom, type Message } from './judged-sets.js';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

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

/**
 * One pass over a conversation never seen before, at two lengths: the model alone in this thread,
 * and a reading as the server has it, from a thread of its own.
 */
export async function modelCost(reader: Reader): Promise<void> {
  const model = await loadReaderModel();
  print('\nms of processor time   the model   a reading in its thread');
  for (const tokens of [32, 128]) {
    const turns = (at: number): Turns =>
      tokens === 32
        ? { newest: turn(at, 30), previous: null, assistant: null }
        : { newest: turn(at, 62), previous: turn(at, 31), assistant: turn(at, 31) };
    let at = 0;
    const ways = {
      alone: () => model.embed(joinTurns(turns(at++)), true),
      inThread: () => reader.read(turns(at++)),
    };
    // Long enough for the compiler too: a server reads millions.
    for (const way of Object.values(ways)) await costOf(way, 300);
    const costs: Record<keyof typeof ways, number[]> = { alone: [], inThread: [] };
    for (let round = 0; round < 15; round++) {
      costs.alone.push(await costOf(ways.alone, 20));
      costs.inThread.push(await costOf(ways.inThread, 20));
    }
    const alone = median(costs.alone).toFixed(2);
    const inThread = median(costs.inThread).toFixed(2);
    print(`${String(tokens).padStart(4)} tokens            ${alone.padStart(9)}   ${inThread}`);
  }
  await model.release();
}

function turn(at: number, length: number): string {
  return Array.from({ length }, (_, word) => (word === 0 ? String(at) : 'hotel')).join(' ');
}

async function costOf(read: () => Promise<unknown>, times: number): Promise<number> {
  const before = processorTime();
  for (let time = 0; time < times; time++) await read();
  return (processorTime() - before) / times;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** What a decision costs after the reading, and what an ad group takes, as there are more. */
export async function growth(
  reader: Reader,
  lists: MatchingLists,
  conversations: readonly (readonly Message[])[],
): Promise<void> {
  const offers = await reader.embed(lists.topics.map(({ name }) => name));
  const queries = [];
  for (const messages of conversations) {
    const turns = turnsOf(messages);
    if (turns === null) continue;
    const reading = await reader.read(turns);
    queries.push({ turns, reading: { ...reading, need: 3, never: -3, foreign: -3 } });
  }
  const none = { topics: [], categories: [] };
  print('\ngroups    p50 ms   p99 ms   bytes a group   slowest edit ms');
  for (const size of [1000, 10_000, 100_000]) {
    const { index, bytes, worstEdit } = fill(size, lists.topics, offers, lists.everyday);
    const times: number[] = [];
    for (let round = 0; round < 6; round++) {
      for (const { turns, reading } of queries) {
        const started = processorTime();
        const query = addReading(
          prepareQuery(turns, lists, none),
          { reading, earlier: null, topic: null, excluded: [] },
          reader.calibration,
        );
        match(index, query, { limit: 48, calibration: reader.calibration });
        // The first round warms up.
        if (round > 0) times.push(processorTime() - started);
      }
    }
    times.sort((a, b) => a - b);
    const at = (part: number): string =>
      (times[Math.floor(times.length * part)] ?? 0).toFixed(3).padStart(7);
    print(
      `${String(size).padEnd(8)} ${at(0.5)}  ${at(0.99)}  ${String(Math.round(bytes / size)).padStart(13)}  ${worstEdit.toFixed(2).padStart(16)}`,
    );
  }
}

/** Ad groups that look like real ones: an offer of a trade, words of others, a vector beside it. */
function fill(
  size: number,
  topics: readonly Topic[],
  offers: readonly Float32Array[],
  everyday: readonly string[],
): { index: MatchIndex; bytes: number; worstEdit: number } {
  const random = createRandom(7);
  const index = createMatchIndex(everyday);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const edit = (slot: number): void => {
    const topic = Math.floor(random() * topics.length);
    const { name, asks } = topics[topic]!;
    const other = pick(topics);
    const meaning = normalise(offers[topic]!.map((value) => value + (random() - 0.5) * 0.09));
    index.upsert(
      slot,
      {
        context: `${name}, ${pick(asks)}`,
        brand: `Brand${Math.floor(random() * size)} ${other.name.split(' ')[0] ?? ''}`,
        adText: `${pick(other.asks)} offer ${Math.floor(random() * size)}`,
        landingTerms: other.name,
        negativeContext: slot % 10 === 0 ? 'job seekers, free samples' : '',
      },
      { meaning, negatives: [] },
    );
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
